"""The Scheduler: jobs that run in sessions of their owners, whether these may log on or not."""
