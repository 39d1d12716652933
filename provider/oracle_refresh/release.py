"""Whether a run may be published: pure, over the results that its tasks have left.

Fail closed: whatever is missing speaks against it, as does whatever is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable, digest
from oracle_refresh.masking.run import MASK, MaskResult
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import TABLE_PLAN
from oracle_refresh.run.approval import APPROVAL, Approval, publishing_objections
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.kind import Kind
from oracle_refresh.target.objects.inventory import INVENTORY, InventoryCheck
from oracle_refresh.validation.expectations import EXPECTATIONS, ExpectationsResult
from oracle_refresh.validation.model import COPY_CHECK, MASKED_CHECK, TARGET_CHECK, TableCheck, TargetCheck

if TYPE_CHECKING:
    from oracle_refresh.run.refresh_run import RefreshRun


@dataclass(frozen=True)
class Evidence:
    """What a run has proven so far. `expectations` are None if none ran; `inventory` and `proof`, that of the
    masked target as a whole, are None where there was none."""

    tables: tuple[str, ...]
    copies: tuple[TableCheck, ...]
    masks: tuple[MaskResult, ...]
    masked: tuple[TableCheck, ...]
    expectations: ExpectationsResult | None
    expectations_wanted: bool
    inventory: InventoryCheck | None
    proof: TargetCheck | None = None
    approval: Approval | None = None
    """The answer to whether the run may be published; None where nobody was asked."""


@dataclass(frozen=True)
class Objections(Jsonable):
    """What stood against the release when it was tried last, in sentences."""

    objections: tuple[str, ...]


OBJECTIONS: Kind[Objections] = Kind("objections", Objections)


def read_evidence(run: RefreshRun) -> Evidence:
    """What the run has proven so far; a run without a plan has proven nothing."""
    facts = run.documents
    return Evidence(
        tables=tuple(planned.key for planned in facts.all(TABLE_PLAN)),
        copies=tuple(facts.all(COPY_CHECK)),
        masks=tuple(facts.all(MASK)),
        masked=tuple(facts.all(MASKED_CHECK)),
        expectations=facts.find(EXPECTATIONS, WHOLE),
        expectations_wanted=run.definition.expectations is not None,
        inventory=facts.find(INVENTORY, WHOLE),
        proof=facts.find(TARGET_CHECK, WHOLE),
        approval=facts.find(APPROVAL, "publish"),
    )


def objections(evidence: Evidence, *, approval_wanted: bool = False) -> list[str]:
    """Every reason not to publish, in sentences; empty when everything is proven."""
    if not evidence.tables:
        return ["the run has no plan"]
    against = _missing(evidence.tables, "was not compared with the source", map(_key, evidence.copies))
    against += _missing(
        evidence.tables, "was not masked", (TableName(mask.owner, mask.name).key for mask in evidence.masks)
    )
    against += _missing(evidence.tables, "was not checked after masking", map(_key, evidence.masked))
    for check in (*evidence.copies, *evidence.masked):
        if check.verdict == "different":
            against.append(f"{_key(check)}: {'; '.join(check.differences) or 'differs'}")
    if evidence.inventory is None:
        against.append("the inventory was not compared with the source's")
    else:
        against += [str(difference) for difference in evidence.inventory.refused]
    if evidence.proof is None:
        against.append("the masked target was not proven as a whole")
    else:
        against += evidence.proof.objections
    if evidence.expectations_wanted:
        against += _expectations(evidence.expectations)
    return against + publishing_objections(evidence.approval, wanted=approval_wanted, about=proven(evidence))


def proven(evidence: Evidence) -> str:
    """A digest of all that a person is asked to approve."""
    return digest(
        {
            "tables": list(evidence.tables),
            "checks": [check.to_json() for check in (*evidence.copies, *evidence.masked)],
            "masks": [mask.to_json() for mask in evidence.masks],
            "expectations": evidence.expectations.to_json() if evidence.expectations else {},
            "inventory": evidence.inventory and evidence.inventory.to_json(),
            "proof": evidence.proof and evidence.proof.to_json(),
        }
    )


def _key(check: TableCheck) -> str:
    return TableName(check.owner, check.name).key


def _missing(tables: Sequence[str], what: str, seen: Iterable[str]) -> list[str]:
    present = set(seen)
    return [f"{table} {what}" for table in tables if table not in present]


def _expectations(result: ExpectationsResult | None) -> list[str]:
    if result is None:
        return ["the expectations were not evaluated"]
    unmet = result.evaluated - result.successful
    return [f"{unmet} of {result.evaluated} expectations are not met"] if unmet else []
