// The page in the navigation: the latest runs of all refreshes.

import { fetchJson, fileUrl, listedRunUrl, poll, Refused } from "./api.js";
import { h, Part, s, table } from "./dom.js";
import { bytes, count, moment, percent, seconds } from "./format.js";
import { badge } from "./widgets.js";

const LIVE = 5000;

export function showRuns(place) {
  const status = h("p", { role: "status", class: "quiet" }, "Looking …");
  const list = new Part("div");
  place.replaceChildren(
    h("main", {}, h("header", { class: "head" }, h("h1", {}, "Oracle refreshes")), status, list.element),
  );
  return poll(async () => {
    try {
      const { runs } = await fetchJson("runs");
      status.textContent = runs.length ? "" : "No refresh has run yet. Trigger the DAG test_data_refresh, or that of a definition, to begin.";
      list.show(runs, draw);
      return LIVE;
    } catch (error) {
      status.textContent = error.message;
      return error instanceof Refused ? null : LIVE;
    }
  });
}

function draw(runs) {
  if (!runs.length) return [];
  const published = runs.filter((run) => run.summary?.status === "published" && run.seconds && !run.resumed);
  return [
    published.length > 1 ? history(published.slice(0, 40).reverse()) : null,
    table("Latest runs", [
      { title: "Run", cell: (run) => h("a", { href: listedRunUrl(run), "data-key": `${run.dag_id}/${run.run_id}` }, run.run_id) },
      { title: "DAG", cell: (run) => run.dag_id },
      { title: "State", cell: (run) => badge(run.state) },
      { title: "Tasks done", class: "number", cell: done },
      { title: "Started", class: "whole", cell: (run) => moment(run.started) },
      { title: "Time", class: "number", cell: (run) => [seconds(run.seconds), run.resumed ? h("div", { class: "quiet" }, "since cleared") : null] },
      { title: "Tables", class: "number", cell: (run) => count(run.summary?.tables) },
      { title: "Rows", class: "number", cell: (run) => count(run.summary?.rows) },
      { title: "Moved", class: "number", cell: (run) => (run.summary ? bytes(run.summary.bytes) : "–") },
      { title: "Definition", cell: (run) => shortened(run.definition) },
      { title: "By", cell: (run) => run.triggered_by ?? "–" },
      { title: "Report", cell: (run) => (run.summary ? h("a", { href: fileUrl(run, "report.html"), target: "_blank", "aria-label": `Report of ${run.run_id}`, "data-key": `report/${run.dag_id}/${run.run_id}` }, "open") : "–") },
    ], runs),
  ];
}

const done = (run) => (run.tasks ? percent(run.done / run.tasks) : "–");

const shortened = (definition) => h("span", { title: definition }, (definition ?? "–").split("/").pop());

function history(runs) {
  const most = Math.max(...runs.map((run) => run.seconds));
  const width = 100 / Math.max(runs.length, 24);
  return h("figure", {},
    h("figcaption", {}, `Time of the last ${runs.length} refreshes that were published in one go, the longest ${seconds(most)}`),
    s("svg", { class: "history", viewBox: "0 0 100 30", preserveAspectRatio: "none", role: "group", "aria-label": "Seconds of former runs" },
      runs.map((run, index) => s("a", { href: listedRunUrl(run), "data-key": `bar/${run.dag_id}/${run.run_id}`, "aria-label": `${run.run_id}: ${seconds(run.seconds)}` },
        s("rect", { x: index * width + width * 0.1, y: 30 - (30 * run.seconds) / most, width: width * 0.8, height: (30 * run.seconds) / most, class: "bar" },
          s("title", {}, `${run.run_id}: ${seconds(run.seconds)}`))))));
}
