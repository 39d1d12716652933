"""What stands between two databases and the plan of a refresh: what the planner has to know of them, and what
former runs and calibrations have measured."""
