"""Binary lookup: documents in BLOBs and CLOBs are replaced by documents of the same kind.

The kind is told by the first bytes of the document, or by a column that holds its media type. The keyed hash
of `subject`, such as the primary key, chooses among the replacements of that kind, which are the files of a
folder; their kind is their file name's extension. No original is read but for its first bytes.

Guarantees: deterministic; the kind is kept; irreversible; empty documents stay empty, NULL stays NULL; not
unique. A document of a kind without a replacement does not conform.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from oracle_refresh.masking.algorithms import proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    LookupTable,
    Source,
    SqlContext,
    entries_table,
    nonconforming,
    register,
)
from oracle_refresh.masking.records import Document
from oracle_refresh.oracle.errors import MaskingError

#: Kind, and the first bytes in hex (public file signatures). Office documents are ZIP archives.
SIGNATURES = (
    ("pdf", "25504446"),
    ("png", "89504E47"),
    ("jpg", "FFD8FF"),
    ("gif", "47494638"),
    ("tif", "49492A00"),
    ("tif", "4D4D002A"),
    ("zip", "504B0304"),
    ("gz", "1F8B"),
    ("bmp", "424D"),
    ("rtf", "7B5C727466"),
    ("doc", "D0CF11E0"),
    ("xml", "3C3F786D6C"),
)
#: Other spellings of a kind: extensions and media types.
ALIASES = {
    "jpeg": "jpg",
    "tiff": "tif",
    "plain": "txt",
    "docx": "zip",
    "xlsx": "zip",
    "pptx": "zip",
    "vnd.openxmlformats-officedocument.wordprocessingml.document": "zip",
    "vnd.openxmlformats-officedocument.spreadsheetml.sheet": "zip",
    "msword": "doc",
    "gzip": "gz",
}


@register
@dataclass(frozen=True)
class BinaryLookup(Algorithm):
    """`type_column` holds media types (`image/png`) or kinds (`png`); `kinds` names further spellings."""

    kind = "binary_lookup"
    types = ("BLOB", "CLOB")
    keeps = "kind of document"
    guarantees = Guarantees(format_kept=True)
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {"documents": ("documents", "documents")}
    column_fields = ("subject", "type_column")

    documents: tuple[Document, ...]
    subject: str
    type_column: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.documents:
            raise ValueError("there is no document in the folder")

    def __hash__(self) -> int:
        return hash((self.documents, self.subject, self.type_column, tuple(self.kinds.items())))

    @property
    def _names(self) -> dict[str, str]:
        return {**ALIASES, **self.kinds}

    def _by_kind(self) -> dict[str, list[Document]]:
        documents: dict[str, list[Document]] = {}
        for document in self.documents:
            extension = document.name.rpartition(".")[2].lower()
            documents.setdefault(self._names.get(extension, extension), []).append(document)
        return documents

    def check(self, column: Column) -> None:
        """Raise MaskingError unless the column is a LOB, and texts are texts."""
        super().check(column)
        if column.data_type == "CLOB":
            try:
                for document in self.documents:
                    document.content.decode()
            except UnicodeDecodeError:
                raise MaskingError(
                    f"the replacement document {document.name} is not text in UTF-8",
                    object_name=column.name,
                    step="masking plan",
                ) from None

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        # The whole document has to be one of the folder's. A CLOB is hashed in AL32UTF8 (DBMS_CRYPTO.HASH).
        name = proofs.name(column)
        some = f"DBMS_LOB.GETLENGTH({name}) > 0"
        digest = scope.once(f"CASE WHEN {some} THEN RAWTOHEX(DBMS_CRYPTO.HASH({name}, 4)) END")
        digests = (hashlib.sha256(document.content).hexdigest().upper() for document in self.documents)
        return proofs.Proof(entries=tuple(dict.fromkeys(digests)), entry=digest, excused=f"{digest} IS NULL")

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        binary, subject = samples.plain("V", "BLOB"), samples.SUBJECT
        typed = (subject, samples.text("MEDIA_TYPE", 40))
        files = tuple(Document.of(f"{name}.pdf", b"%PDF-1.4 " + name.encode()) for name in "ab")
        texts = (Document.of("a.txt", b"a text"), Document.of("b.txt", b"b" * 9000))
        return (
            samples.Sample(cls(files, "SUBJECT"), binary, (subject,)),
            samples.Sample(cls(files, "SUBJECT", "MEDIA_TYPE"), binary, typed, "by a column of types"),
            samples.Sample(cls(texts, "SUBJECT"), samples.plain("V", "CLOB"), (subject,), "in CLOB"),
        )

    def originals(self, column: Column) -> Iterator[Any]:
        """Beginnings of files of every kind whose signature is known."""
        if column.data_type == "BLOB":
            starts = [bytes.fromhex(signature) for _, signature in SIGNATURES]
            yield from (start + str(n).encode() for n in itertools.count() for start in starts)

    def mask(self, key: DomainKey, value: Any, *others: Any) -> Any:
        """The reference; `others` are the subject and, where there is one, the type column's value."""
        if value is None or len(value) == 0:
            return value
        text = isinstance(value, str)
        documents = self._by_kind().get(self._kind(value, others[1] if len(others) > 1 else None, text))
        if not documents:
            raise nonconforming(self.kind)
        content = documents[key.number(others[0] or "") % len(documents)].content
        return content.decode() if text else content

    def _kind(self, value: Any, media_type: str | None, text: bool) -> str:
        if self.type_column:
            subtype = (media_type or "").rpartition("/")[2].lower()
            return self._names.get(subtype, subtype)
        if text:
            return "txt"
        start = bytes(value[:8]).hex().upper()
        return next((kind for kind, signature in SIGNATURES if start.startswith(signature)), "other")

    def _kind_sql(self, context: SqlContext, column: Column, reference: str) -> str:
        if self.type_column:
            media_type = context.other(self.type_column)
            subtype = f"LOWER(SUBSTR({media_type}, INSTR({media_type}, '/', -1) + 1))"
            cases = " ".join(
                f"WHEN {context.bind(name)} THEN {context.bind(kind)}" for name, kind in self._names.items()
            )
            return f"CASE {subtype} {cases} ELSE {subtype} END"
        if column.data_type == "CLOB":
            return "'txt'"
        start = f"RAWTOHEX(DBMS_LOB.SUBSTR({reference}, 8, 1))"
        cases = " ".join(f"WHEN {start} LIKE '{signature}%' THEN '{kind}'" for kind, signature in SIGNATURES)
        return f"CASE {cases} ELSE 'other' END"

    def conforms(self, context: SqlContext, column: Column, reference: str) -> tuple[str, str]:
        """A kind with a replacement, or an empty document; the pattern is the kind."""
        kind = self._kind_sql(context, column, reference)
        known = ", ".join(context.bind(name) for name in self._by_kind())
        shown = f"NVL(REGEXP_REPLACE({kind}, '[^a-z0-9.+-]', '?'), 'no type')"
        return f"DBMS_LOB.GETLENGTH({reference}) = 0 OR NVL({kind}, '?') IN ({known})", shown

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        kind = self._kind_sql(context, column, reference)
        counts = " ".join(
            f"WHEN {context.bind(name)} THEN {len(documents)}" for name, documents in self._by_kind().items()
        )
        number = context.pads().number(context.other(self.subject))
        alias = context.join(
            context.lookup(self._table(column)),
            f"{{alias}}.KIND = {kind} AND {{alias}}.IDX = MOD({number}, CASE {kind} {counts} END)",
        )
        return f"CASE WHEN DBMS_LOB.GETLENGTH({reference}) = 0 THEN {reference} ELSE {alias}.CONTENT END"

    def _table(self, column: Column) -> LookupTable:
        text = column.data_type == "CLOB"
        columns = [("KIND", "VARCHAR2(100) NOT NULL"), ("IDX", "NUMBER(9) NOT NULL")]
        columns += [("CONTENT", column.data_type)]
        rows = [
            (kind, index, document.content.decode() if text else document.content)
            for kind, documents in self._by_kind().items()
            for index, document in enumerate(documents)
        ]
        digests = " ".join(document.digest for document in self.documents)
        return entries_table(f"documents {column.data_type} {digests}", columns, rows)
