"""National identification numbers that carry a check, by python-stdnum, and those known by their form."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Scheme:
    """One kind of number. `shape` keeps the check from values that cannot be one; `chance` is the share of
    values of that shape that pass by luck."""

    name: str
    module: str | None
    shape: re.Pattern[str]
    chance: float

    def accepts(self, text: str) -> bool:
        if not self.shape.fullmatch(text):
            return False
        return self.module is None or bool(_module(self.module).is_valid(text))


def _scheme(name: str, module: str | None, shape: str, chance: float) -> Scheme:
    return Scheme(name, module, re.compile(shape), chance)


SCHEMES = (
    _scheme("US social security number", "stdnum.us.ssn", r"\d{3}[- ]\d{2}[- ]\d{4}", 0.05),
    _scheme("US tax id (ITIN)", "stdnum.us.itin", r"9\d{2}-\d{2}-\d{4}", 0.05),
    _scheme(
        "UK national insurance number",
        None,
        r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]",
        0.02,
    ),
    _scheme("UK NHS number", "stdnum.gb.nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", 0.1),
    _scheme("German tax id", "stdnum.de.idnr", r"[1-9]\d[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}", 0.1),
    _scheme(
        "German social insurance number",
        None,
        r"\d{2} ?(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2} ?[A-Z] ?\d{3}",
        0.02,
    ),
    _scheme("French NIR", "stdnum.fr.nir", r"[12] ?\d{2} ?\d{2} ?[\dAB]{2} ?\d{3} ?\d{3} ?\d{2}", 0.02),
    _scheme("Spanish DNI", "stdnum.es.dni", r"\d{8}[- ]?[A-Za-z]", 0.05),
    _scheme("Spanish NIE", "stdnum.es.nie", r"[XYZxyz][- ]?\d{7}[- ]?[A-Za-z]", 0.05),
    _scheme("Italian codice fiscale", "stdnum.it.codicefiscale", r"[A-Za-z]{6}[\dA-Za-z]{10}", 0.04),
    _scheme("Dutch BSN", "stdnum.nl.bsn", r"\d{9}", 0.1),
    _scheme("Belgian national number", "stdnum.be.nn", r"\d{2}[.]?\d{2}[.]?\d{2}[-]?\d{3}[.]?\d{2}", 0.02),
    _scheme("Polish PESEL", "stdnum.pl.pesel", r"\d{11}", 0.1),
    _scheme("Swedish personnummer", "stdnum.se.personnummer", r"(?:\d{2})?\d{6}[-+]?\d{4}", 0.1),
    _scheme("Danish CPR number", "stdnum.dk.cpr", r"\d{6}-\d{4}", 0.1),
    _scheme("Finnish HETU", "stdnum.fi.hetu", r"\d{6}[-+A]\d{3}[0-9A-Y]", 0.04),
    _scheme("Norwegian fodselsnummer", "stdnum.no.fodselsnummer", r"\d{6} ?\d{5}", 0.02),
    _scheme("Swiss AHV number", "stdnum.ch.ssn", r"756[.]?\d{4}[.]?\d{4}[.]?\d{2}", 0.1),
    _scheme("Brazilian CPF", "stdnum.br.cpf", r"\d{3}[.]?\d{3}[.]?\d{3}-?\d{2}", 0.02),
    _scheme("Canadian SIN", "stdnum.ca.sin", r"\d{3}[- ]?\d{3}[- ]?\d{3}", 0.1),
    _scheme("Indian Aadhaar", "stdnum.in_.aadhaar", r"[2-9]\d{3}[ ]?\d{4}[ ]?\d{4}", 0.1),
    _scheme("Mexican CURP", "stdnum.mx.curp", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z\d]\d", 0.05),
    _scheme("Chinese resident id", "stdnum.cn.ric", r"\d{17}[\dXx]", 0.05),
    _scheme("Turkish id number", "stdnum.tr.tckimlik", r"[1-9]\d{10}", 0.02),
)


@cache
def _module(name: str) -> Any:
    return importlib.import_module(name)


def schemes_of(text: str) -> list[str]:
    """The names of all schemes that accept a value of up to 20 characters."""
    if len(text) > 20 or sum(letter.isdigit() for letter in text) < 5:
        return []
    return [scheme.name for scheme in SCHEMES if scheme.accepts(text)]
