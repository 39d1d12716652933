// Small pieces that several parts of the page use.

import { h, s } from "./dom.js";

// A word beside each colour: nobody has to tell colours apart.
const STATES = {
  success: ["done", "good"],
  running: ["running", "busy"],
  queued: ["queued", "idle"],
  scheduled: ["scheduled", "idle"],
  deferred: ["waiting", "busy"],
  awaiting_input: ["asks a person", "busy"],
  up_for_retry: ["tries again", "warn"],
  restarting: ["restarting", "warn"],
  failed: ["failed", "bad"],
  upstream_failed: ["not reached", "warn"],
  skipped: ["skipped", "idle"],
  removed: ["removed", "idle"],
  waiting: ["to do", "idle"],
};

export const stateName = (state) => (STATES[state] ?? [state])[0];
export const stateKind = (state) => (STATES[state] ?? [state, "idle"])[1];

export const badge = (state, text = stateName(state)) => h("span", { class: `badge ${stateKind(state)}` }, text);

export const mark = (kind, text) => h("span", { class: `badge ${kind}` }, text);

export const section = (id, title, hint, ...children) =>
  h("section", { id, "aria-labelledby": `${id}-title` },
    h("div", { class: "title" }, h("h2", { id: `${id}-title` }, title), hint ? h("p", { class: "quiet" }, hint) : null),
    ...children);

export function meter(fraction, label) {
  const width = Math.max(0, Math.min(1, fraction)) * 100;
  return h("div", { class: "meter", role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(width) },
    h("div", { class: "fill", style: `width:${width.toFixed(2)}%` }));
}

export const tile = (label, value, note, kind = "") =>
  h("div", { class: `tile ${kind}` }, h("dt", {}, label), h("dd", { class: "value" }, value), note ? h("dd", { class: "quiet" }, note) : null);

export const legend = (entries) =>
  h("ul", { class: "legend" }, entries.map(([name, className]) =>
    h("li", {}, s("svg", { width: 12, height: 12, "aria-hidden": "true" }, s("rect", { width: 12, height: 12, rx: 2, class: className })), name)));
