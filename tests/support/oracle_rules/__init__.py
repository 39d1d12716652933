"""What a 19c refuses of statements that are well formed, by rules that hold without a database."""
