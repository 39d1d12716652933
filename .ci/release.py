"""`release.py FOLDER [SOURCES]`: builds both packages into a new folder and looks at what was built.

What is built is the commit that is checked out, without anything that lies beside it; or other SOURCES, as
tests give them. Each package becomes a source distribution, and that a wheel: so the former is known to be
complete.
Nothing is signed, and nothing is uploaded.

The modules `build` and `twine` are needed, and what the builds need: none of it is fetched.
"""

from __future__ import annotations

import email
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

#: A link or a picture that leads nowhere where a package index shows the text.
RELATIVE = re.compile(r"\]\((?!https?://|#)([^)\s]*)")
#: What a source distribution holds besides the package.
BESIDE = re.compile(
    r"LICENSE|(provider/)?README\.md|CHANGELOG\.md|MANIFEST\.in|PKG-INFO|pyproject\.toml|setup\.cfg|.*\.egg-info/.*"
)
#: Of the metadata (Core Metadata 2.4): each of them is there.
FIELDS = (
    "Version",
    "Summary",
    "Description-Content-Type",
    "Keywords",
    "Author",
    "License-Expression",
    "License-File",
    "Classifier",
    "Requires-Python",
    "Requires-Dist",
)


@dataclass(frozen=True)
class Package:
    """One distribution.

    :ivar project: where its pyproject.toml lies, within the sources.
    :ivar root: where its package lies, within the project.
    """

    distribution: str
    package: str
    project: str
    root: str

    def files(self, sources: Path) -> set[str]:
        """All files of the package, relative to its root."""
        root = sources / self.project / self.root
        found = (root / self.package).rglob("*")
        return {
            path.relative_to(root).as_posix()
            for path in found
            if path.is_file() and "__pycache__" not in path.parts
        }

    def declared(self, sources: Path) -> str:
        """The version."""
        text = (sources / self.project / "pyproject.toml").read_text(encoding="utf-8")
        return str(tomllib.loads(text)["project"]["version"])


PACKAGES = (
    Package("airflow_provider_oracle_refresh", "oracle_refresh", ".", "provider"),
    Package("localoracle", "localoracle", "dev", "."),
)


def versions(sources: Path) -> Iterator[str]:
    """What is wrong with the versions: both packages have the one that the change log begins with."""
    log = (sources / "CHANGELOG.md").read_text(encoding="utf-8")
    (latest,) = re.findall(r"^## (.+)$", log, re.MULTILINE)[:1] or [""]
    for package in PACKAGES:
        if (version := package.declared(sources)) != latest:
            yield f"{package.distribution} has the version {version}, the change log begins with {latest!r}"


def build(sources: Path, folder: Path) -> None:
    for package in PACKAGES:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
        done = subprocess.run(
            [*command, str(sources / package.project)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{package.distribution} does not build:\n{done.stdout}{done.stderr}")


def complaints(sources: Path, folder: Path) -> Iterator[str]:
    """What is wrong with what was built of the sources."""
    for package in PACKAGES:
        stem = f"{package.distribution}-{package.declared(sources)}"
        for name, found in (
            (f"{stem}-py3-none-any.whl", _wheel),
            (f"{stem}.tar.gz", _source_distribution),
        ):
            if (folder / name).is_file():
                yield from (f"{name}: {each}" for each in found(package, sources, folder / name))
            else:
                yield f"{name} was not built"


def _wheel(package: Package, sources: Path, wheel: Path) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        about = {name.partition(".dist-info/")[2]: name for name in archive.namelist() if name not in names}
        licence = archive.read(about["licenses/LICENSE"]) if "licenses/LICENSE" in about else None
        metadata = email.message_from_bytes(archive.read(about["METADATA"]))
    yield from _differences(names, package.files(sources))
    if licence != (sources / "LICENSE").read_bytes():
        yield "the licence is not in it as it is in the sources"
    yield from (f"its metadata have no {field}" for field in FIELDS if not metadata.get_all(field))
    description = str(metadata.get_payload()).strip()
    if len(description) < 500:
        yield "its description is not a long one"
    yield from (f"its description links to {link!r}" for link in RELATIVE.findall(description))


def _source_distribution(package: Package, sources: Path, archive: Path) -> Iterator[str]:
    with tarfile.open(archive) as opened:
        members = (member.name.partition("/")[2] for member in opened.getmembers() if member.isfile())
        names = {name for name in members if not BESIDE.fullmatch(name)}
    root = "" if package.root == "." else f"{package.root}/"
    yield from _differences(names, {f"{root}{name}" for name in package.files(sources)})


def _differences(there: set[str], wanted: set[str]) -> Iterator[str]:
    for what, names in (("lacks", wanted - there), ("has nothing to do with", there - wanted)):
        if names:
            yield f"it {what} {', '.join(sorted(names)[:5])}{' ...' if len(names) > 5 else ''}"


def _commit(place: Path) -> None:
    """Lay out the commit that is checked out, and no other file."""
    changed = subprocess.run(
        ["git", "status", "--porcelain"], capture_output=True, text=True, check=True
    ).stdout
    if changed:
        raise SystemExit(f"a release is made of a commit, and this is in none:\n{changed}")
    archive = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], capture_output=True, check=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(place)], input=archive, check=True)


def main(words: Sequence[str]) -> int:
    folder = Path(words[0])
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(
            f"{folder} is not empty: what an earlier release left there would be taken for this one's"
        )
    with tempfile.TemporaryDirectory() as temporary:
        sources = Path(words[1]) if len(words) > 1 else Path(temporary)
        if len(words) == 1:
            _commit(sources)
        wrong = list(versions(sources))
        if not wrong:
            build(sources, folder)
            wrong = list(complaints(sources, folder))
    if not wrong:
        built = sorted(folder.iterdir())
        twine = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)]
        wrong = ["twine check fails"] if subprocess.run(twine, check=False).returncode else []
    for each in wrong:
        print(each, file=sys.stderr)
    if wrong:
        return 1
    for path in built:
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path}")
    print("built and checked; nothing is signed, nothing uploaded")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
