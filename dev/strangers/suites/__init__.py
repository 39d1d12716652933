"""One module for each suite: `run` fetches it, runs it against a stand-in of its own and reads its report."""
