"""The instance: PostgreSQL that does its work, files it starts from and what lives as long as it runs."""
