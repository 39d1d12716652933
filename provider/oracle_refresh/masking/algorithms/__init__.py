"""The masking algorithms: a module each, with all that belongs to it. `protocol` says what that is.

Each is registered when its module is imported, and all modules of the package are imported here.
"""

from importlib import import_module
from pkgutil import iter_modules

from oracle_refresh.masking.algorithms.protocol import ALGORITHMS, Algorithm, Guarantees

__all__ = ["ALGORITHMS", "Algorithm", "Guarantees"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
