"""What masking gains from the settings of the instance: each switch on and off, on tables of its own."""
