"""Change capture: reads, diagnoses, models and sets Streams, XStream and GoldenGate integrated capture."""
