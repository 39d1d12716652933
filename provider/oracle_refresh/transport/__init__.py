"""The ways of dump files to the target."""
