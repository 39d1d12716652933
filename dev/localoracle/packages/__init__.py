"""The supplied packages, one module each; `registry` finds and checks their subprograms."""
