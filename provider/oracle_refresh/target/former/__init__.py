"""The way back of a refresh with `prepare: beside`: what stood in the target before is set aside until the
new tables are proven, and then dropped, or put back where they are not."""
