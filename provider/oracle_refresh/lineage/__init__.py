"""Where the columns of a published target come from, and which of them are masked: for OpenLineage."""
