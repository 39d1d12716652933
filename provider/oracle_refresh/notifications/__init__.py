"""Messages to people when a refresh has ended, or when it is late."""
