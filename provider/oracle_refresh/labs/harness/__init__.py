"""What all laboratories share: trials, measurements, sessions that begin together, tables and pages."""
