"""The recipe kit of a data load: one archive by which the test is repeated elsewhere and compared."""
