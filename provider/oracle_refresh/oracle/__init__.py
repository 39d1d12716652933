"""What is Oracle's: names, sessions, errors and what to do about them."""
