"""Oracle SQL to PostgreSQL: `translate` for statements, `bind_names` for their bind variables."""

from localoracle.sql.statement import Statement
from localoracle.sql.translate import bind_names, translate

__all__ = ["Statement", "bind_names", "translate"]
