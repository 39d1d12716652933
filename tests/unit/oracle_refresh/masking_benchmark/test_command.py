"""The command that changes the log mode gets the mode in its words."""

from __future__ import annotations

import sys

from oracle_refresh.tuning import log_mode


def test_the_command_gets_the_mode_in_its_words_without_a_shell() -> None:
    assert log_mode.words(["{python}", "to={log_mode}", "$(id)"], "NOARCHIVELOG") == [
        *(sys.executable, "to=noarchivelog", "$(id)")
    ]
