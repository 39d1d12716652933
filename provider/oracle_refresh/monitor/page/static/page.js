// Where Airflow's user interface meets the page: a component that gives an element to fill, and empties it.
// Everything else is plain JavaScript, so nothing has to be built.

import { listedRun } from "./api.js";
import { showListedRun, showRun } from "./run.js";
import { showRuns } from "./runs.js";

const STYLE = new URL("./style.css", import.meta.url).href;

function ensureStyle() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = STYLE;
  document.head.append(link);
}

function OracleRefresh({ dagId, runId }) {
  const { createElement, useEffect, useRef } = globalThis.React;
  const { hash } = globalThis.ReactRouterDOM.useLocation();
  const place = useRef(null);
  const isTab = Boolean(dagId && runId);
  const chosen = isTab ? "" : hash;
  useEffect(() => {
    ensureStyle();
    place.current.scrollTop = 0;
    if (isTab) return showRun(place.current, { dag_id: dagId, run_id: runId });
    const run = listedRun(chosen);
    return run ? showListedRun(place.current, run) : showRuns(place.current);
  }, [dagId, runId, chosen]);
  return createElement("div", { className: "oracle-refresh", ref: place });
}

// Airflow looks for a component under the name of each plugin entry; a module runs only once for all of them.
globalThis.Refresh = OracleRefresh;
globalThis["Oracle refreshes"] = OracleRefresh;
globalThis.AirflowPlugin = OracleRefresh;
