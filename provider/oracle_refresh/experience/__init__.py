"""What former runs and calibrations have measured of two databases, and the plan that is made with it."""
