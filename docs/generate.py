"""Writes the pages of docs/ that are made of the code: a part of `make docs`."""

from __future__ import annotations

from reference_pages import DOCS, FIT_PLOT, PAGES, change_capture, made

if __name__ == "__main__":
    for name in PAGES:
        (DOCS / name).write_text(made(name), encoding="utf-8")
    FIT_PLOT.write_text(change_capture.plot(), encoding="utf-8")
