"""The words of a job's log by language: a job writes in that of the session that opened it.

Oracle documents no wording. These are those of published logs; the German lines for errors, files and
starting jobs are not among them and stay English here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Phrases:
    """Templates of lines, each with the names that it fills in."""

    object_type: str
    control_table: str
    completed: str
    days: tuple[str, ...]
    """Abbreviations, Monday first."""
    months: tuple[str, ...]


PHRASES = {
    "AMERICAN": Phrases(
        object_type="Processing object type {path}",
        control_table="Master table {title} successfully loaded/unloaded",
        completed="Job {title} {outcome} at {moment} elapsed {took}",
        days=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
        months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    ),
    "GERMAN": Phrases(
        object_type="Objekttyp {path} wird verarbeitet",
        control_table="Mastertabelle {title} erfolgreich geladen/entladen",
        completed="Job {title} erfolgreich um {moment} elapsed {took} abgeschlossen",
        days=("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
        months=("Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"),
    ),
}
