"""Tuning that restores itself: profiles of the target's instance, what they change, and how it comes back."""
