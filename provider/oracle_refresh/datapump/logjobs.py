"""Split the text of a log file into logical lines, and these into jobs. Pure.

Three things happen to a log on its way to a file: another tool puts a prefix before each line (RMAN, a
scheduler, log4j), a terminal or a mailer breaks lines at a fixed width, and several jobs write to one file.
`docs/reference/datapump.md` has the grammar.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from oracle_refresh.datapump import loglines
from oracle_refresh.datapump.logerrors import VERBS

#: Columns of the longest line of a text that was broken at 72 to 150 columns: a word that does not fit leaves
#: a gap.
NARROWEST, WIDEST = 64, 150
#: Columns in which the text of Data Pump has to begin behind a prefix.
LONGEST_PREFIX = 200

_CODE_START = rf"(?:{loglines.COMPONENTS})-\d{{4,5}}:"
#: Beginnings of lines that only Data Pump writes.
_PHRASE = (
    r'\. \. [^"]{0,40}"[^"]{1,128}"\."|Processing object type [A-Z]+_EXPORT/|(?:Export|Import): Release \d'
    r'|(?:Master|Control) table "|Starting "[^"]{1,128}"\."|\*{30}|Version \d+\.\d+\.\d|Copyright \(c\) '
)
_ANCHOR = re.compile(rf"{_PHRASE}|{loglines.STAMP_PATTERN}")
_INNER = re.compile(rf"(?:{loglines.STAMP_PATTERN})?(?:W-\d{{1,6}} ?)?(?:;;; ?)?$")
_BARE = re.compile(rf"(?:{loglines.STAMP_PATTERN})?(?:W-\d{{1,6}} ?)?(?:;;; ?)?(?:{_PHRASE}|{_CODE_START})")
#: Characters that word processors and web pages put in place of a log's own.
_TYPED = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\xa0": " "})
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)

#: Beginnings of lines that cannot be the rest of a broken line.
_START = re.compile(
    rf"{loglines.STAMP_PATTERN}|W-\d|;;;|\. \. |\.  ?\w|{_CODE_START}|Processing "
    r"|(?:Job|Starting|Restarting) \"|(?:Master|Control) table|(?:Export|Import)[:>]|Version \d|Copyright"
    r"|Connected to|With the |Warning: "
    r"|Estimate |Total estimation|Dump file set for|Datafiles required|\s*Completed |\s*Estimated "
    r"|Failing sql|Resumable |-{5}|\s+object +line|\s+handle|0x[0-9a-f]+ |\s*Rejected row|\s+column "
    r"|\d+ row\(s\) |Table \"|Username|Password|FLASHBACK|Additional information|Startup |(?:im|ex)port done"
    rf"|Job \S+ has been|\s+\S*[/\\]|\.$|(?:{VERBS}) |[^\W\d_][^\"\d:/]*?(?<![A-Z_])[A-Z]+_EXPORT/"
)
_ENGLISH = re.compile(r"Processing object type |\bConnected to: |\bStarting \"|\bJob \"")
_ELAPSED_CUT = re.compile(r"\d{4} e[lapsed]*$|elapsed\s*(?:\d[\d :]*)?$")
_ENDED = re.compile(r"elapsed\s+\d+ \d\d:\d\d:\d\d")
_PATH_AT_END = re.compile(r"[A-Z]+_EXPORT(?:/[A-Z0-9_$]+)+$")
_PATH_GOES_ON = re.compile(r"[A-Z0-9_$/]+(?![a-zà-ÿ])|\s*[a-zà-ÿ]|[^\x00-\x7f]")
#: Chinese and Japanese have no blanks between characters.
_WITHIN_CHINESE = re.compile(r"[\u3040-\u9fff]\0[\u3040-\u9fff]")
#: Parts of a row line that was broken in the blanks before its numbers.
_PART_OF_ROWS = re.compile(r"\s*[\d.,']* ?(?:bytes|[KMGTP]B)?\s*[\d.,']*(?: ?out)?(?: ?of)?\s*$")
_REST_OF_ROWS = re.compile(
    r"\s*(?:\d[\d.,']*(?:\s|$)|(?:bytes|[KMGTP]B|out|of|rows|Zeilen|lignes|filas|linhas|righe)\b|\d*[行행])"
)
_COMMAND = re.compile(r"\*{8}|\b\w+ ?=")
_RESTARTING = re.compile(rf"Restarting {loglines.PAIR}")


@dataclass(frozen=True)
class Line:
    """A logical line of Data Pump, without the prefixes of other tools.

    :ivar number: number of its first line in the file.
    :ivar sure: how many characters stood on that line. Those behind were joined to it, and are shown nowhere:
        the line below a message may be a row's.
    """

    number: int
    text: str
    sure: int

    @property
    def body(self) -> str:
        """The text without the prefixes of LOGTIME, METRICS and the server."""
        text = self.text
        if stamp := loglines.STAMP.match(text):
            text = text[stamp.end() :]
        if worker := loglines.WORKER.match(text):
            text = text[worker.end() :]
        return text.removeprefix(";;;").strip()


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the logical lines of a file, blank ones included."""
    raw = re.split(r"\r\n|\n|\r", text.translate(_TYPED))
    strip = _prefixes(raw)
    texts = [strip(line) for line in raw]
    lines = [Line(number, line, len(line)) for number, line in enumerate(texts, 1)]
    # Each job by itself: a broken log may follow one that is not broken.
    parts = [(part, [raw[line.number - 1] for line in part]) for part in jobs_of(lines)]
    return tuple(line for part, of_part in parts for line in _joined(part, of_part))


def jobs_of(lines: Sequence[Line]) -> tuple[tuple[Line, ...], ...]:
    """Return the lines of each job, at least one tuple.

    A job begins with its banner. Without a banner it begins with the line that names another job, or the same
    job again after its end. A job that continues after a restart stays one.
    """
    sections = [_Section()]
    for line in lines:
        body = line.body if len(line.text) <= loglines.MAX_LENGTH else ""
        if _begins(sections[-1], body):
            sections.append(_Section())
        sections[-1].take(line, body)
        if len(sections) > 1 and _continues(sections[-2], sections[-1], body):
            last = sections.pop()
            sections[-1].lines += last.lines
            sections[-1].ended = None
    return tuple(tuple(section.lines) for section in sections)


class _Section:
    """The lines of one job so far."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.banner = False
        self.job: tuple[str, str] | None = None
        self.ended: loglines.Ending | None = None
        self.started = False
        self.content = False

    def take(self, line: Line, body: str) -> None:
        self.lines.append(line)
        if loglines.HEADER.match(body):
            self.banner = True
        elif match := _names_job(body):
            self.job = self.job or (match["owner"], match["name"])
            self.started |= body.startswith("Starting ")
        elif (match := loglines.JOB_PAIR.match(body)) and not body.startswith(". ."):
            end = loglines.ending(f"{match['lead']} {match['rest']}")
            if end and (match["lead"].strip() == "Job" or (match["owner"], match["name"]) == self.job):
                self.ended = end[0]
        self.content |= bool(self.job or self.ended or loglines.ROWS.match(body) or loglines.CODE.match(body))


def _names_job(body: str) -> re.Match[str] | None:
    return loglines.MASTER.match(body) or loglines.STARTING.match(body)


def _begins(section: _Section, body: str) -> bool:
    """Whether a line is the first of another job."""
    if loglines.HEADER.match(body):
        return section.banner or section.content
    over = section.ended in ("completed", "completed_with_errors")
    match = _names_job(body)
    if match is None or section.job is None:
        return over and any(
            pattern.match(body) for pattern in (loglines.OBJECT_PATH, loglines.ROWS, loglines.BANNER)
        )
    starting = body.startswith("Starting ")
    if (match["owner"], match["name"]) == section.job:
        return over or (starting and section.started)
    command = match.groupdict().get("command")
    return starting or command is None or not command.strip() or _COMMAND.search(command) is not None


def _continues(before: _Section, section: _Section, body: str) -> bool:
    """Whether a line says that the section is the previous job, started again."""
    if before.job is None or before.ended == "completed" or section.started or section.ended:
        return False
    if match := loglines.REOPENED.match(body):
        return re.sub('"', "", match["name"]).rpartition(".")[2] == before.job[1]
    match = _RESTARTING.match(body)
    return match is not None and (match["owner"], match["name"]) == before.job


def _prefixes(raw: Iterable[str]) -> Callable[[str], str]:
    """Return a function that removes from a line the prefix that another tool has put before it.

    A prefix counts if two lines of Data Pump have it, or the only one. Its words and numbers may differ from
    line to line, its punctuation may not.
    """
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    anchors = 0
    for line in raw:
        found = _ANCHOR.search(line, 0, LONGEST_PREFIX + 200)
        if found is None:
            continue
        anchors += 1
        inner = _INNER.search(line[: found.start()])
        prefix = line[: inner.start() if inner else found.start()]
        if prefix and len(prefix) <= LONGEST_PREFIX:
            groups[_shape(prefix)].append(prefix)
    patterns = [
        re.compile(_pattern(shape, found))
        for shape, found in sorted(groups.items(), key=lambda group: -len(group[0]))
        if len(found) > 1 or anchors == 1
    ]

    def stripped(line: str) -> str:
        if patterns and not _BARE.match(line):
            for pattern in patterns:
                if match := pattern.match(line):
                    return line[match.end() :]
        return line

    return stripped


def _shape(prefix: str) -> tuple[str, ...]:
    """Return what two prefixes of one tool have in common: the order of words (`w`), blanks and punctuation.

    A prefix without punctuation has to be the same in each line, but for its numbers (`d`).
    """
    tokens = [" " if token.isspace() else token for token in _TOKEN.findall(prefix)]
    if all(re.match(r"\w| ", token) for token in tokens):
        return tuple("d" if token.isdigit() else token if token == " " else f"={token}" for token in tokens)
    return tuple("w" if re.match(r"\w", token) else token for token in tokens)


def _pattern(shape: tuple[str, ...], found: Sequence[str]) -> str:
    """Return the pattern of prefixes. More blanks than before the lines of Data Pump indent a line."""
    blanks = min(len(prefix) - len(prefix.rstrip()) for prefix in found)
    forms = {" ": r"\s+", "w": r"\w+", "d": r"\d+"}
    tokens = shape[:-1] if shape[-1] == " " else shape
    parts = [forms.get(token) or re.escape(token[1:] if len(token) > 1 else token) for token in tokens]
    return "".join(parts) + (rf"(?:\s{{{blanks}}}|\s*$)" if blanks else "")


def _columns(text: str) -> int:
    """Columns of a terminal: East Asian characters take two."""
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(character) in "WF" for character in text)


def _joined(lines: Sequence[Line], raw: Sequence[str]) -> Iterator[Line]:
    """Join lines that were broken at a fixed width.

    Parts are joined without a blank if they fill the width, else with one, unless the grammar knows better.
    """
    breaks, filled, hard = _breaks([line.text for line in lines], raw)
    held: Line | None = None
    for number, line in enumerate(lines):
        if held is None:
            held = line
        else:
            name = held.text.count('"') % 2 == 1
            full = number - 1 in filled
            tight = (full or line.text.startswith('"')) if name else number - 1 in hard
            held = replace(held, text=_glued(held.text, line.text, tight))
        if number not in breaks:
            yield held
            held = None
    if held is not None:
        yield held


def _breaks(texts: Sequence[str], raw: Sequence[str]) -> tuple[set[int], set[int], set[int]]:
    """Find the lines that continue on the next, by index.

    A line was broken if the first word of the next did not fit on it, and the next cannot begin a line of the
    log. A log in another language has other beginnings: there, two such lines or one that is visibly cut are
    needed.

    :returns: the lines; those of them that fill the width; those of texts that were broken within words.
    """
    of_job = _of_job(texts)
    english = any(map(_ENGLISH.search, texts))
    breaks: set[int] = set()
    filled: set[int] = set()
    hard: set[int] = set()
    # Broken before or after the prefixes came, by characters or by columns.
    for written, measure in product(dict.fromkeys((tuple(raw), tuple(texts))), (len, _columns)):
        widths = [measure(line) for line in written]
        limit = max(
            # A mailer cannot break a word: a row of asterisks, or a path, may be longer than its lines.
            (
                width
                for width, line in zip(widths, written, strict=True)
                if " " in line.strip() and "*****" not in line
            ),
            default=0,
        )
        if not NARROWEST <= limit <= WIDEST:
            continue
        found = {
            number
            for number, (left, right) in enumerate(pairwise(texts))
            if (
                widths[number] >= limit
                or measure(written[number].rstrip()) + 1 + measure(_first_word(right)) > limit
                or _within_rows(left, right)
            )
            and _may_follow(left, right)
            and not (of_job and of_job.match(right))
        }
        visible = any(_cut(texts[number]) or _ENDED.search(texts[number + 1]) for number in found)
        if len(found) > 1 or visible or (found and english):
            full = {number for number in found if widths[number] >= limit}
            breaks |= found
            filled |= full
            hard |= full if 2 * len(full) >= len(found) else set()
    return breaks, filled, hard


def _of_job(texts: Iterable[str]) -> re.Pattern[str] | None:
    """The beginnings of lines about the jobs of the log, in whatever language."""
    found = {(match["owner"], match["name"]) for text in texts if (match := _names_job(text.strip()))}
    names = "|".join(
        re.escape(text)
        for owner, name in sorted(found)
        for text in (f'"{owner}"."{name}"', f"{owner}.{name}")
    )
    return re.compile(rf'[^":\[]{{0,60}}(?:{names})') if names else None


def _first_word(text: str) -> str:
    return next(iter(text.split(None, 1)), "")


def _may_follow(left: str, right: str) -> bool:
    """Whether a line may be the rest of the one above."""
    if not left.strip() or not right.strip() or len(left) > loglines.MAX_LENGTH:
        return False
    if re.search(r"\*{5}$", left.rstrip()) or right.startswith("*****"):
        return (
            re.search(r"\*{5}$", left.rstrip()) is not None
            and re.fullmatch(r"\*+", right.strip()) is not None
        )
    if _START.match(right):
        return right.startswith("ORA-") and left.rstrip().endswith("due to")
    if _PATH_AT_END.search(left):
        return _PATH_GOES_ON.match(right) is not None
    if loglines.ALL_OF_ROWS.search(left.rstrip()):
        return re.match(r"\s*(?:in \d|using )", right) is not None
    return re.search(rf"{_ENDED.pattern}$", left.rstrip()) is None or loglines.ending(left) is None


def _cut(text: str) -> bool:
    """Whether a line is visibly incomplete."""
    return (
        _rows_cut(text)
        or text.count('"') % 2 == 1
        or _ELAPSED_CUT.search(text) is not None
        or (_ENDED.search(text) is not None and loglines.ending(text) is None)
        or text[-1:] in ("*", "/")
    )


def _within_rows(left: str, right: str) -> bool:
    """Whether a row line was broken here, whatever its width: the blanks before its numbers may be lost."""
    return (_rows_cut(left) or _PART_OF_ROWS.fullmatch(left) is not None) and bool(_REST_OF_ROWS.match(right))


def _rows_cut(text: str) -> bool:
    begins = re.search(r"(?:^|: |W-\d+ )\. \. ", text)
    return begins is not None and not loglines.ALL_OF_ROWS.search(text.rstrip())


def _glued(left: str, right: str, exact: bool) -> str:
    """Join two parts with a blank or without: by what reads as more, else by where the line was broken."""
    tight, spaced = left + right, f"{left.rstrip()} {right.lstrip()}"
    if left[-1:].isspace() or right[:1].isspace() or _WITHIN_CHINESE.match(f"{left[-1:]}\0{right[:1]}"):
        return tight
    if left.count('"') % 2 == 0 and (difference := _readable(spaced) - _readable(tight)):
        return spaced if difference > 0 else tight
    return tight if exact else spaced


def _readable(text: str) -> int:
    """How many phrases of the grammar a line has."""
    body = Line(0, text, 0).body
    return (
        (loglines.ALL_OF_ROWS.search(body) is not None)
        + (loglines.ELAPSED.search(body) is not None)
        + (loglines.dated(body) is not None)
        + (loglines.COMPLETED.search(body) is not None)
        + (loglines.SEGMENT.search(body) is not None)
    )
