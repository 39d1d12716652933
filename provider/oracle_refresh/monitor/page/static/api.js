// The only way to data: JSON of this plugin's own routes, with the cookie of whoever is logged in.

const ROOT = new URL("../", import.meta.url);
const AIRFLOW = () => new URL(document.baseURI);

export class Refused extends Error {}

export async function fetchJson(...path) {
  const answer = await fetch(new URL(["api", ...path.map(encodeURIComponent)].join("/"), ROOT), {
    credentials: "same-origin",
    headers: { Accept: "application/json" },
  });
  if (answer.status === 401) throw new Refused("You are logged out. Load the page again to log in.");
  if (answer.status === 403) throw new Refused("You may not read the tasks of this DAG.");
  if (answer.status === 404) throw new Refused("This run is not there any more.");
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return answer.json();
}

const encode = (run) => `dags/${encodeURIComponent(run.dag_id)}/runs/${encodeURIComponent(run.run_id)}`;

export const fileUrl = (run, name) =>
  new URL(["runs", run.dag_id, run.run_id].map(encodeURIComponent).join("/") + "/" + name, ROOT).href;

export const runUrl = (run) => new URL(`${encode(run)}/plugin/oracle-refresh`, AIRFLOW()).href;

// The page in the navigation shows one run too, named by what follows the #: so neither Airflow nor the
// browser loads anything anew on the way from the list to a run and back.
export const listUrl = () => new URL("plugin/oracle-refreshes#", AIRFLOW()).href;

export const listedRunUrl = (run) => listUrl() + [run.dag_id, run.run_id].map(encodeURIComponent).join("/");

export function listedRun(hash) {
  const parts = hash.slice(1).split("/");
  if (parts.length !== 2) return null;
  try {
    const [dag_id, run_id] = parts.map(decodeURIComponent);
    return { dag_id, run_id };
  } catch {
    return null;
  }
}

// Where a person answers what a task asks.
export const answerUrl = (run, task) =>
  new URL(`${encode(run)}/tasks/${encodeURIComponent(task)}/required_actions`, AIRFLOW()).href;

// The page of a task instance in Airflow, which opens with its log.
export function logUrl(run, task, mapIndex, tryNumber) {
  const mapped = mapIndex >= 0 ? `/mapped/${mapIndex}` : "";
  const wanted = tryNumber ? `?try_number=${tryNumber}` : "";
  return new URL(`${encode(run)}/tasks/${encodeURIComponent(task)}${mapped}${wanted}`, AIRFLOW()).href;
}

const HIDDEN = 5000;

// Calls `look` now and then again, when it says so and never faster than the server answers; not while nobody
// looks at the page, and never twice at the same time. `look` returns after how many milliseconds to look again,
// or null for never.
export function poll(look) {
  let stopped = false;
  let looking = false;
  let timer;
  const again = async () => {
    if (stopped || looking) return;
    looking = true;
    const begun = performance.now();
    const wait = document.hidden ? HIDDEN : await look();
    looking = false;
    if (wait !== null && !stopped) timer = setTimeout(again, Math.max(wait, 4 * (performance.now() - begun)));
  };
  const seen = () => {
    if (document.hidden) return;
    clearTimeout(timer);
    again();
  };
  document.addEventListener("visibilitychange", seen);
  again();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}
