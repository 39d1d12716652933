"""The server process of one database: how it is made, served and controlled."""
