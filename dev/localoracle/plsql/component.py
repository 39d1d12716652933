"""What the parts of an interpreter have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.plsql.interpreter import Interpreter


class Component:
    """One part of an interpreter; it reaches the others through it."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.session = interpreter.session
        self.text = interpreter.text
        self.wrong = interpreter.wrong
        self.typed = interpreter.typed
        self.evaluate = interpreter.evaluate
        self.bound = interpreter.bound
