// The timeline and the throughput as inline SVG, drawn for the width they have.

import { logUrl } from "./api.js";
import { h, replace, s } from "./dom.js";
import { bytes, clock, seconds } from "./format.js";
import { stateName } from "./widgets.js";

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400];
const COLOURS = 8;

const widths = new Map();

// A plot that is drawn again whenever its place gets another width. A plot of that name that stood there before
// tells the width at once, so the new one is complete when it takes the place of the old.
export function responsive(name, draw) {
  let width = widths.get(name) ?? 0;
  const place = h("div", { class: "plot" }, width ? draw(width) : null);
  new ResizeObserver(([entry]) => {
    const found = Math.floor(entry.contentRect.width);
    if (!found || found === width) return;
    widths.set(name, (width = found));
    replace(place, [draw(width)]);
  }).observe(place);
  return place;
}

export function ticks(end, room) {
  const step = STEPS.find((one) => end / one <= room) ?? STEPS.at(-1) * Math.ceil(end / STEPS.at(-1) / room);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}

// Mapped stages have a colour each, in the order of their work; single tasks share one, waiting has none.
export function stageColours(stages) {
  let next = 0;
  const colour = (stage) => (stage.name.startsWith("await") ? "waits" : `c${next++ % COLOURS}`);
  return stages.map((stage) => (stage.mapped ? colour(stage) : "step"));
}

const last = (run, span) => span[5] ?? run.seconds;

export function timeline(run, pauses, stages, rows, width) {
  const colours = stageColours(stages);
  const left = width < 560 ? 104 : 190;
  const [height, top] = [18, 22];
  const end = Math.max(run.seconds, 1);
  const room = Math.max(width - left - 8, 10);
  const x = (at) => left + (room * Math.min(at, end)) / end;
  const bottom = top + rows.length * height;
  return s("svg", { width, height: bottom + 4, class: "timeline", role: "group", "aria-label": `Timeline of ${rows.length} rows over ${seconds(end)}` },
    ticks(end, Math.max(2, room / 80)).map((at) => [
      s("line", { x1: x(at), x2: x(at), y1: top - 4, y2: bottom, class: "grid" }),
      x(at) + 36 < width ? s("text", { x: x(at) + 3, y: 12, class: "tick" }, clock(at)) : null,
    ]),
    pauses.map(([at, long]) => s("line", { x1: x(at), x2: x(at), y1: 0, y2: bottom, class: "pause" }, s("title", {}, `Nothing was at work for ${seconds(long)}`))),
    rows.map((row, index) => line(run, stages, colours, row, { x, y: top + index * height, height, left })),
  );
}

function line(run, stages, colours, row, { x, y, height, left }) {
  const drawn = row.spans.filter((span) => span[4] !== null);
  const telling = drawn.find((span) => span[3] === "failed") ?? drawn.find((span) => span[5] === null) ?? drawn.at(-1);
  const most = left < 150 ? 14 : 26;
  const name = row.about && left > 150 ? `${row.item} ${row.about}` : row.item;
  const label = s("text", { x: 2, y: y + height - 5, class: "label" }, name.length > most ? `${name.slice(0, most - 1)}…` : name,
    s("title", {}, [row.item, row.about, row.bytes ? bytes(row.bytes) : null].filter(Boolean).join(", ")));
  return s("g", {},
    telling
      ? s("a", { href: logUrl(run, stages[telling[0]].task, telling[1]), "data-key": `row/${row.kind}/${row.item}`, "aria-label": `${row.item}: ${stages[telling[0]].name} ${stateName(telling[3])}, open its log` }, label)
      : label,
    drawn.map((span) => {
      const [stage, mapIndex, number, state, start] = span;
      const [from, to] = [x(start), x(last(run, span))];
      const failed = state === "failed" || state === "up_for_retry" || state === "upstream_failed";
      const about = `${row.item}: ${stages[stage].name}, ${stateName(state)}, ${seconds(last(run, span) - start)}${number > 1 ? `, try ${number}` : ""}`;
      return s("a", { href: logUrl(run, stages[stage].task, mapIndex, number), tabindex: "-1", "aria-label": about },
        s("rect", { x: from, y: y + 4, width: Math.max(to - from, 2), height: height - 7, rx: 2, class: `bar ${colours[stage]} ${failed ? "failed" : ""} ${span[5] === null ? "open" : ""}` }),
        failed ? s("text", { x: from + 2, y: y + height - 5, class: "cross", "aria-hidden": "true" }, "✕") : null,
        s("title", {}, about));
    }),
  );
}

const LEGS = ["export", "stage", "load"];

export function throughput(data, width) {
  const [left, bottom, height] = [46, 22, 190];
  const room = Math.max(width - left - 8, 10);
  const bins = Math.max(...LEGS.map((leg) => data.rates[leg]?.length ?? 0));
  const most = Math.max(...LEGS.flatMap((leg) => data.rates[leg] ?? [0]), 1);
  const [unit, step] = scale(most / 1e6);
  const highest = Math.ceil(most / 1e6 / step) * step;
  const x = (index) => left + (room * index) / bins;
  const y = (rate) => height - bottom - ((height - bottom - 10) * rate) / 1e6 / highest;
  const span = bins * data.bin_seconds;
  const pointer = s("line", { y1: 6, y2: height - bottom, class: "pointer", visibility: "hidden" });
  const said = h("p", { class: "quiet readout", "aria-live": "off" }, summary(data));
  const chart = s("svg", { width, height, class: "throughput", role: "img", "aria-label": `Throughput over time. ${summary(data)}` },
    Array.from({ length: Math.round(highest / step) + 1 }, (_, index) => index * step).map((at) => [
      s("line", { x1: left, x2: left + room, y1: y(at * 1e6), y2: y(at * 1e6), class: "grid" }),
      s("text", { x: left - 6, y: y(at * 1e6) + 4, class: "tick end" }, at.toFixed(unit)),
    ]),
    ticks(data.start + span, Math.max(2, room / 90)).filter((at) => at >= data.start && at <= data.start + span * 0.97).map((at) =>
      s("text", { x: left + (room * (at - data.start)) / span, y: height - 6, class: "tick" }, clock(at))),
    LEGS.filter((leg) => data.rates[leg]?.some(Boolean)).map((leg) => {
      const outline = data.rates[leg].map((rate, index) => `L${x(index).toFixed(1)} ${y(rate).toFixed(1)}L${x(index + 1).toFixed(1)} ${y(rate).toFixed(1)}`).join("");
      return [
        s("path", { d: `M${left} ${y(0)}${outline}L${x(bins)} ${y(0)}Z`, class: `area leg-${leg}` }),
        s("path", { d: `M${left} ${y(0)}${outline}L${x(bins)} ${y(0)}`, class: `line leg-${leg}` }),
      ];
    }),
    pointer,
  );
  chart.addEventListener("pointermove", (event) => {
    const index = Math.floor(((event.offsetX - left) / room) * bins);
    if (index < 0 || index >= bins) return;
    pointer.setAttribute("x1", x(index + 0.5));
    pointer.setAttribute("x2", x(index + 0.5));
    pointer.setAttribute("visibility", "visible");
    const rates = LEGS.map((leg) => `${leg} ${((data.rates[leg]?.[index] ?? 0) / 1e6).toFixed(1)} MB/s`);
    said.textContent = `${clock(data.start + index * data.bin_seconds)}: ${rates.join(", ")}`;
  });
  chart.addEventListener("pointerleave", () => {
    pointer.setAttribute("visibility", "hidden");
    said.textContent = summary(data);
  });
  return h("div", {}, chart, said);
}

function scale(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough) * power;
  return [Math.max(0, -Math.floor(Math.log10(step))), step];
}

function summary(data) {
  const parts = LEGS.filter((leg) => data.rates[leg]?.some(Boolean)).map((leg) => {
    const busy = data.rates[leg].filter(Boolean);
    const mean = busy.reduce((sum, rate) => sum + rate, 0) / busy.length;
    return `${leg} ${(mean / 1e6).toFixed(1)} MB/s on average, ${(Math.max(...busy) / 1e6).toFixed(1)} at best`;
  });
  return parts.length ? `${parts.join("; ")}.` : "Nothing has been moved yet.";
}
