"""The laboratories: what a database and its machines can do, measured by trials on things of their own."""
