"""Client session-based application contexts: the namespace CLIENTCONTEXT, which every client may write.

Database Security Guide, "Using Client Session-Based Application Contexts". ora.sys_context reads them.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.session.session import Session

NAMESPACE = "CLIENTCONTEXT"
_PREFIX = "localoracle.context_"


def demand_namespace(namespace: str) -> None:
    """Raise ORA-28267: others belong to packages that CREATE CONTEXT names."""
    if namespace.upper() != NAMESPACE:
        raise OracleError(28267, "Invalid NameSpace Value")


async def set_attribute(session: Session, namespace: str, attribute: str, value: str) -> None:
    demand_namespace(namespace)
    await session.configure(_setting(attribute), value)


async def clear(session: Session, namespace: str) -> None:
    """Forget every attribute of a namespace."""
    demand_namespace(namespace)
    for name in [name for name in session.configuration if name.startswith(_PREFIX)]:
        await session.configure(name, "")


def _setting(attribute: str) -> str:
    """The name of an attribute as a setting, which allows for fewer characters; case does not count."""
    return _PREFIX + hashlib.md5(attribute.upper().encode(), usedforsecurity=False).hexdigest()
