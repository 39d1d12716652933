"""Concurrent data loading in the manner of SLOB: many schemas, batch by batch, and how fast that was."""
