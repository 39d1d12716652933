// One run, as a tab of Airflow or below the list of runs: live while it goes on, with its results as they come.

import { answerUrl, fetchJson, fileUrl, listedRunUrl, listUrl, logUrl, poll, Refused, runUrl } from "./api.js";
import { responsive, stageColours, throughput, timeline } from "./charts.js";
import { h, Part } from "./dom.js";
import { bytes, count, moment, percent, plural, seconds } from "./format.js";
import { drawResults } from "./results.js";
import { drawTroubles } from "./troubles.js";
import { badge, legend, mark, meter, section, stateKind, stateName, tile } from "./widgets.js";

const LIVE = 2000;
// Somebody may clear tasks of a run that is over, and it goes on.
const OVER = 8000;
const MANY = 60;

// On a phone Airflow's own panels take the screen, and the tab lies beside it: a link that stays in sight leads to
// where the run has it for itself.
export const showRun = (place, run) =>
  show(place, run, h("a", { class: "button primary widen", href: listedRunUrl(run) }, "Show at full width"), runUrl);

export const showListedRun = (place, run) =>
  show(place, run, h("nav", { class: "trail", "aria-label": "Ways from this run" },
    h("a", { href: listUrl() }, "All refreshes"), h("a", { href: runUrl(run) }, "This run in Airflow")), listedRunUrl);

// `trail` leads away from the run; `urlOf` tells where another run is shown.
function show(place, run, trail, urlOf) {
  const status = h("p", { role: "status", class: "quiet" }, "Looking …");
  const parts = Object.fromEntries(
    ["head", "asked", "troubles", "report", "working", "throughput", "timeline", "stages", "path", "results"].map((name) => [name, new Part("div", { class: `part part-${name}` })]));
  const choice = { rows: undefined };
  place.replaceChildren(h("main", {}, trail, status, Object.values(parts).map((part) => part.element)));
  let known;

  const draw = (data) => {
    const id = data.run;
    parts.head.show([data.run, data.progress, data.pauses, data.quarantine, data.trouble_count, data.open_trouble_count, data.files], () => head(data));
    parts.asked.show(data.working.filter((one) => one.state === "awaiting_input"), (found) => asked(id, found));
    parts.troubles.show([data.troubles, data.trouble_count, data.open_trouble_count], () => drawTroubles(id, data));
    parts.report.show([id.is_refresh, data.files], () => ownReport(id, data.files));
    parts.stages.show(data.stages, () => stages(id, data.stages));
    parts.working.show(data.working, () => working(id, data));
    parts.timeline.show([id.seconds, data.pauses, data.rows, data.stages, choice.rows], () => rowsOf(data, choice, () => draw(data)));
    parts.throughput.show(data.throughput, () => speed(data.throughput));
    parts.path.show(data.critical_path, () => path(id, data));
  };

  return poll(async () => {
    try {
      const data = await fetchJson("runs", run.dag_id, run.run_id);
      const said = `${data.run.refresh ?? data.run.dag_id} ${stateName(data.run.state)}`;
      status.className = "unseen";
      if (status.textContent !== said) status.textContent = said;
      draw(data);
      const state = `${data.run.state} ${data.progress.done}`;
      if (state !== known) {
        const found = await fetchJson("runs", run.dag_id, run.run_id, "results");
        parts.results.show(found, () => drawResults(data.run, found, urlOf));
        known = state;
      }
      return data.run.over ? OVER : LIVE;
    } catch (error) {
      status.className = "notice";
      status.textContent = error.message;
      return error instanceof Refused ? null : LIVE;
    }
  });
}

const HELD = {
  "not yet": ["not locked yet", "idle", "before the lock, nothing is changed"],
  untouched: ["not locked", "idle", "the run ended before it locked an account"],
  "in doubt": ["in doubt", "bad", "locking or opening was stopped half way: look at the application accounts"],
  locking: ["locking …", "warn", "application accounts are being locked"],
  locked: ["locked", "warn", "application accounts stay out until everything is proven"],
  open: ["open", "good", "released after everything was proven"],
  "put back": ["open", "warn", "the new tables are not proven: the former ones are back, and open again"],
};

function head({ run, progress, pauses, quarantine, trouble_count: troubles, open_trouble_count: open, files }) {
  const [held, heldKind, heldNote] = HELD[quarantine.state] ?? [];
  const moved = progress.moved_bytes.load ?? 0;
  const idle = pauses.reduce((sum, [, long]) => sum + long, 0);
  const skipped = progress.skipped ? `, ${count(progress.skipped)} skipped` : "";
  const accounts = (["open", "put back"].includes(quarantine.state) ? quarantine.released : quarantine.locked).join(", ");
  const kept = quarantine.kept_locked.length ? `; were locked before and stay so: ${quarantine.kept_locked.join(", ")}` : "";
  return [
    h("header", { class: "head" },
      h("div", {},
        h("h1", {}, run.refresh ?? run.definition?.split("/").pop() ?? run.dag_id, " ", badge(run.state)),
        h("p", { class: "quiet" }, [run.source ? `${run.moves_rows ? "from" : "of"} ${run.source}` : null, run.scn ? `at SCN ${run.scn}` : null, run.started ? `since ${moment(run.started)}` : null, run.triggered_by ? `by ${run.triggered_by}` : null].filter(Boolean).join(" · ")),
        run.note ? h("p", {}, run.note) : null,
        run.is_refresh ? null : h("p", { class: "quiet" }, "This DAG run is no refresh of a database: shown are its tasks", files.length ? " and its report." : ".")),
      h("nav", { "aria-label": "Files of this run" },
        files.includes("plan.txt") ? h("a", { class: "button", href: fileUrl(run, "plan.txt"), target: "_blank", "data-key": "plan" }, "Plan") : null,
        files.includes("report.html") ? h("a", { class: "button primary", href: fileUrl(run, "report.html"), target: "_blank", "data-key": "report" }, "Report") : null)),
    meter(progress.fraction, "Progress of the refresh"),
    h("dl", { class: "tiles" },
      tile("Progress", percent(progress.fraction), `${count(progress.done)} of ${plural(progress.tasks, "task")}${skipped}`),
      run.over
        ? tile("Took", seconds(run.seconds), idle ? `at work; before it was cleared or answered it stood for ${seconds(idle)}` : run.state === "success" ? "from start to end" : "until it ended", stateKind(run.state))
        : tile("Left, about", progress.eta_seconds === null ? "unknown" : seconds(progress.eta_seconds), `${seconds(run.seconds)} so far; ${progress.basis}`),
      run.moves_rows ? tile("Moved", bytes(moved), `${bytes(progress.moved_bytes.export ?? 0)} exported, ${bytes(progress.moved_bytes.stage ?? 0)} staged`) : null,
      held ? tile("Target", held, `${heldNote}${accounts ? `: ${accounts}` : ""}${kept}`, heldKind) : null,
      tile("Failed tries", count(troubles), open ? "see below" : troubles ? "all mended since" : "none", open ? "bad" : "")),
  ];
}

// A task that asks is at rest until somebody answers: that comes before all else.
function asked(run, found) {
  return found.map((one) => h("p", { class: "notice" }, mark("warn", "asks a person"), " ",
    h("strong", {}, one.task.replaceAll("_", " ")), ` waits for an answer since ${seconds(one.seconds)}. `,
    h("a", { href: answerUrl(run, one.task), "data-key": `answer/${one.task}` }, "Answer")));
}

// Calibrations, benchmarks and the like are read in their report: it has all they found.
function ownReport(run, files) {
  if (run.is_refresh || !files.includes("report.html")) return [];
  return h("iframe", { class: "report", src: fileUrl(run, "report.html"), title: "Report of this run", sandbox: "allow-same-origin allow-popups" });
}

function stages(run, found) {
  const groups = [];
  for (const stage of found) {
    if (groups.at(-1)?.name !== stage.group) groups.push({ name: stage.group, stages: [] });
    groups.at(-1).stages.push(stage);
  }
  return section("stages", "Stages", "in the order of the work; shards, and units of one or more tables, go through theirs independently of each other",
    h("div", { class: "flow" }, groups.map((group) => h("div", { class: group.name ? "group named" : "group" },
      group.name ? h("h3", {}, `each ${group.name}`) : null,
      h("ol", {}, group.stages.map((stage) => {
        const done = stage.states.success ?? 0;
        const worst = ["failed", "upstream_failed", "up_for_retry", "running", "awaiting_input", "deferred", "queued", "scheduled"].find((state) => stage.states[state]);
        const state = worst ?? (done === stage.total && done ? "success" : stage.states.skipped ? "skipped" : "waiting");
        const told = Object.entries(stage.states).map(([name, number]) => `${number} ${stateName(name)}`).join(", ");
        const took = stage.over && stage.begun ? seconds(stage.seconds) : null;
        const said = stage.mapped && stage.total ? `${count(done)} of ${count(stage.total)}` : stateName(state);
        return h("li", { class: `stage ${stateKind(state)}${stage.mapped ? "" : " step"}`, title: took && stage.mapped ? `${told}; at least one was at work for ${took}, all together ${seconds(stage.busy)}` : told },
          h("a", { href: logUrl(run, stage.task, -1), "data-key": `stage/${stage.task}` }, stage.name.replaceAll("_", " ")),
          !stage.mapped && state === "success"
            ? h("span", { class: "quiet" }, h("span", { class: "unseen" }, said), h("span", { "aria-hidden": "true" }, "✓"), ` ${took}`)
            : h("span", { class: "quiet" }, said, took ? ` · ${took}` : ""),
          stage.mapped ? meter(stage.total ? done / stage.total : 0, `${stage.name}: ${told}`) : null);
      }))))));
}

function working(run, { working: found, run: { over } }) {
  if (over || !found.length) return [];
  return section("working", "At work now", plural(found.length, "task"),
    h("ul", { class: "now" }, found.slice(0, 16).map((one) => h("li", {},
      h("a", { href: logUrl(run, one.task, one.map_index, one.try), "data-key": `now/${one.task}/${one.map_index}` }, [one.item, one.task.split(".").pop().replaceAll("_", " ")].filter(Boolean).join(" · ")),
      one.progress?.percent ? meter(one.progress.percent / 100, `${one.task} ${one.item ?? ""}`) : h("span", { class: "quiet" }, stateName(one.state)),
      h("span", { class: "quiet number" }, one.progress?.tables ? `table ${count(one.progress.tables.number)} of ${count(one.progress.tables.count)}, ` : "", seconds(one.seconds), one.progress?.rate ? `, ${one.progress.unit === "bytes" ? `${bytes(one.progress.rate)}/s` : `${count(one.progress.rate)} ${one.progress.unit}/s`}` : "")))));
}

function rowsOf(data, choice, again) {
  const { run, pauses, stages, rows } = data;
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const failed = (row) => row.spans.some((span) => span[3] === "failed" || span[3] === "up_for_retry");
  const open = (row) => row.spans.some((span) => span[4] !== null && span[5] === null);
  const took = (row) => row.spans.reduce((sum, span) => sum + (span[4] === null ? 0 : (span[5] ?? run.seconds) - span[4]), 0);
  const begun = rows.filter((row) => row.spans.some((span) => span[4] !== null));
  const telling = begun.length <= MANY ? begun : begun.filter((row) => row.kind === "task" || failed(row) || open(row))
    .concat(begun.filter((row) => row.kind !== "task" && !failed(row) && !open(row)).sort((a, b) => took(b) - took(a)).slice(0, MANY));
  const choices = {
    telling: [begun.length <= MANY ? "All rows" : `What is at work, what failed, the ${MANY} slowest`, telling],
    failed: ["What failed", begun.filter(failed)],
    ...Object.fromEntries(kinds.map((kind) => [`kind-${kind}`, [kind === "task" ? "Steps" : `Each ${kind}`, begun.filter((row) => row.kind === kind)]])),
    all: [`All ${count(begun.length)} rows`, begun],
  };
  const chosen = choices[choice.rows] ? choice.rows : "telling";
  const wanted = new Set(choices[chosen][1]);
  const shown = rows.filter((row) => wanted.has(row));
  const colours = stageColours(stages);
  const select = h("select", { "data-key": "rows", onchange: (event) => { choice.rows = event.target.value; again(); } },
    Object.entries(choices).filter(([key]) => key !== "all" || begun.length > MANY).map(([key, [name]]) => h("option", { value: key, selected: key === chosen }, name)));
  const left = pauses.length ? `; left out at the dotted line: ${pauses.map(([, long]) => seconds(long)).join(", ")} in which nothing was at work` : "";
  return section("timeline", "Timeline", `each bar is one task; a click opens its log${left}`,
    h("div", { class: "bar-of-tools" }, h("label", {}, "Show ", select),
      legend([["step", "step"], ...stages.map((stage, index) => [stage.name.replaceAll("_", " "), colours[index]]).filter((_, index) => stages[index].mapped && stages[index].begun)])),
    shown.length ? h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Bars of the timeline" }, responsive("timeline", (width) => timeline(run, pauses, stages, shown, width))) : h("p", { class: "quiet" }, "Nothing to show here."));
}

function speed(data) {
  if (data.start === null) return [];
  return section("throughput", "Throughput", "MB/s of all jobs together",
    legend(["export", "stage", "load"].map((leg) => [leg, `leg-${leg} swatch`])),
    responsive("throughput", (width) => throughput(data, width)));
}

function path(run, { critical_path: links }) {
  if (!links.length) return [];
  const waited = links.reduce((sum, link) => sum + link.waited, 0);
  const all = links.at(-1).end - links[0].start;
  const longest = Math.max(...links.map((link) => link.waited + link.end - link.start));
  return section("path", "Critical path", `what the end waits for: ${seconds(all - waited)} at work, ${seconds(waited)} waiting for a free worker or slot`,
    h("ol", { class: "chain" }, links.map((link) => h("li", {},
      h("a", { href: logUrl(run, link.task, link.map_index), "data-key": `path/${link.task}/${link.map_index}` }, link.task.split(".").pop().replaceAll("_", " "), link.item ? h("span", { class: "quiet" }, ` ${link.item}`) : null),
      h("span", { class: "track", "aria-hidden": "true" },
        h("span", { class: "waited", style: `width:${(100 * link.waited) / longest}%` }),
        h("span", { class: "worked", style: `width:${(100 * (link.end - link.start)) / longest}%` })),
      h("span", { class: "number" }, seconds(link.end - link.start), link.waited >= 0.5 ? h("span", { class: "quiet" }, ` after ${seconds(link.waited)}`) : null)))));
}
