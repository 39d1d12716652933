"""Trials of change capture on tables of their own: how settings of capture, queue and apply compare."""
