"""The ladder to a real database: what a first contact finds out, one step after the other."""
