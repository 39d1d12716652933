// What a run has proven: copies, masking, expectations, tuning, and how it compares with former runs.

import { fileUrl, logUrl } from "./api.js";
import { h, s, table } from "./dom.js";
import { bytes, count, moment, plural, seconds } from "./format.js";
import { badge, mark, section } from "./widgets.js";

export function drawResults(run, found, urlOf) {
  return [
    tables(run, found.tables, found.table_counts),
    coverage(found.coverage),
    expectations(found.expectations, found.proof, found.inventory),
    tuning(found.tuning),
    former(run, found.former, urlOf),
  ].filter(Boolean);
}

const verdict = (part, ...good) =>
  !part ? "–" : part.verdict ? mark(good.includes(part.verdict) ? "good" : "bad", part.verdict) : badge(part.state ?? "waiting");

// What was said of the masking, so that nobody takes a table without sensitive columns for one that leaks.
function masked({ ruled, proven, plain }) {
  return [
    ruled ? `${proven === ruled ? "all" : `${count(proven)} of`} ${plural(ruled, "table")} with masked columns proven masked` : null,
    plain ? `${plural(plain, "table")} without a column to mask` : null,
    "counts and checksums of rows and LOBs are those of both ends",
  ].filter(Boolean).join("; ");
}

function tables(run, found, counts) {
  if (!found.length) return null;
  return section("tables", "Tables", masked(counts),
    found.length < counts.all
      ? h("p", { class: "quiet" }, `${count(found.length)} of ${plural(counts.all, "table")}: those that are wrong (${count(counts.wrong)}), then the largest. All of them are in the report's report.json.`)
      : null,
    table("Tables of the run", [
      { title: "Table", cell: (one) => h("a", { href: logUrl(run, (one.masked ?? one.mask ?? one.copy).task, (one.masked ?? one.mask ?? one.copy).map_index), "data-key": `table/${one.table}` }, one.table) },
      { title: "Rows at the SCN", class: "number", cell: (one) => count(one.copy?.rows_source) },
      { title: "at the target", class: "number", cell: (one) => count(one.copy?.rows_target) },
      { title: "LOBs", class: "number", cell: lobs },
      { title: "Copy", cell: (one) => verdict(one.copy, "equal") },
      { title: "Masked columns", cell: columns },
      { title: "Rows masked", class: "number", cell: (one) => count(one.mask?.rows) },
      { title: "Rows/s", class: "number", cell: (one) => (one.mask?.seconds && one.mask.rows ? count(one.mask.rows / one.mask.seconds) : "–") },
      { title: "Proof", cell: (one) => verdict(one.masked, one.mask?.columns?.length ? "masked" : "equal") },
    ], found));
}

function columns(one) {
  if (!one.mask?.columns) return "–";
  if (!one.mask.columns.length) return h("span", { class: "quiet" }, "none has a rule");
  return h("span", { title: one.mask.strategy }, one.mask.columns.join(", "));
}

function lobs(one) {
  if (!one.copy?.lobs?.length) return "–";
  return one.copy.lobs.map((lob) => h("div", { title: `checksum ${lob.checksum}` }, `${lob.column} ${count(lob.count)} `, mark(lob.equal ? "good" : "bad", lob.equal ? "equal" : "different")));
}

const TREATED = [["rule", "good", "masked by a rule"], ["exempt", "warn", "exempt, signed"], ["uncovered", "bad", "sensitive, not covered"], ["not sensitive", "idle", "not sensitive"]];

function coverage(found) {
  if (!found) return null;
  const all = Object.values(found.counts).reduce((sum, number) => sum + number, 0);
  let left = 0;
  return section("coverage", "Masking coverage", `${plural(all, "column")} were profiled`,
    s("svg", { class: "stack", viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img", "aria-label": TREATED.map(([status, , name]) => `${found.counts[status] ?? 0} ${name}`).join(", ") },
      TREATED.map(([status, kind, name]) => {
        const width = (100 * (found.counts[status] ?? 0)) / all;
        const part = s("rect", { x: left, y: 0, width, height: 6, class: `share ${kind}` }, s("title", {}, `${found.counts[status] ?? 0} ${name}`));
        left += width;
        return part;
      })),
    h("ul", { class: "legend" }, TREATED.map(([status, kind, name]) => h("li", {}, mark(kind, count(found.counts[status] ?? 0)), ` ${name}`))),
    found.columns.length
      ? h("details", {}, h("summary", { "data-key": "columns" }, found.columns.length < found.listed ? `${count(found.columns.length)} of ${plural(found.listed, "column")}, uncovered ones first; all are in details.json` : `Which ${plural(found.columns.length, "column")}`),
        table("Columns and how they are covered", [
          { title: "Column", cell: (one) => one.column },
          { title: "Treated", cell: (one) => mark(TREATED.find(([status]) => status === one.status)?.[1] ?? "idle", one.status) },
          { title: "Looks like", cell: (one) => one.kind ?? "–" },
          { title: "Confidence", class: "number", cell: (one) => one.confidence.toFixed(2) },
          { title: "Note", cell: (one) => one.note ?? "" },
        ], found.columns))
      : null);
}

function expectations(found, proof, inventory) {
  if (!found && !proof && !inventory) return null;
  return section("expectations", "Proof of the target",
    [proof ? `${proof.proven} statements proven of the target as a whole` : null, inventory ? `${count(inventory.compared)} objects compared, ${inventory.accepted} differences accepted` : null, found ? `${found.successful} of ${found.evaluated} expectations met` : null].filter(Boolean).join("; "),
    found?.failures?.length ? h("ul", { class: "cards" }, found.failures.map((text) => h("li", { class: "stands" }, typeof text === "string" ? text : JSON.stringify(text)))) : null,
    found?.tables?.length
      ? h("details", {}, h("summary", { "data-key": "expected" }, `Expectations of ${plural(found.tables.length, "table")}`),
        table("Expectations by table", [
          { title: "Table", cell: (one) => one.table },
          { title: "Evaluated", class: "number", cell: (one) => count(one.evaluated) },
          { title: "of them made of rules", class: "number", cell: (one) => count(one.generated) },
          { title: "Met", class: "number", cell: (one) => mark(one.successful === one.evaluated ? "good" : "bad", count(one.successful)) },
        ], found.tables))
      : null);
}

const TUNED = { open: "warn", restored: "good", drifted: "bad" };

function tuning(found) {
  if (!found?.items?.length && !found?.runbook?.length) return null;
  return section("tuning", "Tuning of the target", `${found.profile ? `profile ${found.profile}` : "no profile"}: what was changed for the work, and whether it is as before`,
    table("Changes", [
      { title: "Setting", cell: (one) => one.item },
      { title: "Change", cell: (one) => one.change },
      { title: "State", cell: (one) => mark(TUNED[one.state] ?? "idle", one.state) },
      { title: "Note", cell: (one) => one.note ?? "" },
    ], found.items),
    found.runbook.length ? h("p", { class: "quiet" }, `${plural(found.runbook.length, "step")} for a person in the report's runbook.`) : null);
}

function former(run, found, urlOf) {
  const runs = found.filter((one) => one.seconds !== null);
  if (runs.length < 2) return null;
  const most = Math.max(...runs.map((one) => one.seconds));
  const rate = (one, task) => {
    const stage = Object.entries(one.stages).find(([name]) => name.split(".").pop() === task)?.[1];
    return one.summary?.bytes && stage?.busy ? `${(one.summary.bytes / stage.busy / 1e6).toFixed(1)}` : "–";
  };
  return section("former", "Former runs", "by the same definition, this one first; rates are MB/s of one worker",
    table("Comparison with former runs", [
      { title: "Run", cell: (one) => (one.run_id === run.run_id ? h("strong", {}, "this run") : h("a", { href: urlOf({ dag_id: run.dag_id, run_id: one.run_id }), "data-key": `former/${one.run_id}` }, one.run_id)) },
      { title: "State", cell: (one) => badge(one.state) },
      { title: "Started", class: "whole", cell: (one) => moment(one.started) },
      { title: "Time", class: "number", cell: (one) => seconds(one.seconds) },
      { title: h("span", { class: "unseen" }, "Time as a bar"), cell: (one) => s("svg", { width: 90, height: 10, "aria-hidden": "true" }, s("rect", { width: Math.max(1, (90 * one.seconds) / most), height: 10, rx: 2, class: "bar" })) },
      { title: "Moved", class: "number", cell: (one) => (one.summary ? bytes(one.summary.bytes) : "–") },
      { title: "Rows", class: "number", cell: (one) => count(one.summary?.rows) },
      { title: "Export", class: "number", cell: (one) => rate(one, "export") },
      { title: "Stage", class: "number", cell: (one) => rate(one, "stage") },
      { title: "Load", class: "number", cell: (one) => rate(one, "load") },
      { title: "Report", cell: (one) => (one.summary ? h("a", { href: fileUrl({ dag_id: run.dag_id, run_id: one.run_id }, "report.html"), target: "_blank", "aria-label": `Report of ${one.run_id}`, "data-key": `report/${one.run_id}` }, "open") : "–") },
    ], runs));
}
