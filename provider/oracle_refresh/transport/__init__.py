"""How rows reach the target: one module for each transport, named as the definition names it."""
