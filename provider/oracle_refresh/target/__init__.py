"""What the target is made of and who may use it: objects, quarantine, scripts."""
