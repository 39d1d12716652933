"""What a benchmark gives: ratios, figures, the machine; printed, written as JSON, plotted."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("LOCALORACLE_HOME", ROOT / ".local")).resolve() / "bench"


@dataclass(frozen=True)
class Result:
    """`ratios` compare two measurements of the same run; `figures` are values whose names end in the unit."""

    name: str
    ratios: dict[str, float]
    figures: dict[str, float]
    machine: dict[str, str | int] = field(default_factory=lambda: machine())

    def show(self) -> None:
        for title, values in (("ratio", self.ratios), ("figure", self.figures)):
            for key, value in values.items():
                print(f"  {title:7} {key:44} {value:12,.3f}")

    def write(self) -> Path:
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{self.name}.json"
        path.write_text(json.dumps(self.document(), indent=2) + "\n")
        path.with_suffix(".svg").write_text(self.plot())
        return path

    def document(self) -> dict[str, object]:
        """What is written: ratios, figures, machine."""
        return {key: value for key, value in asdict(self).items() if key != "name"}

    def plot(self) -> str:
        import altair
        import vl_convert

        rows = [
            {"kind": kind, "name": name, "value": value}
            for kind, values in (("ratio", self.ratios), ("figure", self.figures))
            for name, value in values.items()
        ]
        chart = (
            altair.Chart(altair.Data(values=rows))
            .mark_bar()
            .encode(x=altair.X("value:Q", title=None), y=altair.Y("name:N", sort=None, title=None))
            .properties(width=420)
            .facet(row=altair.Row("kind:N", title=self.name))
            .resolve_scale(x="independent", y="independent")
        )
        return str(vl_convert.vegalite_to_svg(chart.to_json()))


def machine() -> dict[str, str | int]:
    return {
        "cores": os.cpu_count() or 1,
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
