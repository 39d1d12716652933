// What went wrong: the telling line of each error and what to do, everything else on demand.

import { logUrl } from "./api.js";
import { h } from "./dom.js";
import { plural } from "./format.js";
import { mark, section } from "./widgets.js";

export function drawTroubles(run, { troubles: found, trouble_count: all, open_trouble_count: standing }) {
  if (!found.length) return [];
  const open = found.filter((one) => !one.over);
  const causes = open.filter((one) => !one.follows);
  const mended = found.filter((one) => one.over);
  const list = (some) => h("ul", { class: "cards" }, some.map((one) => card(run, one)));
  // What is mended is told in one line each; where nothing else is, what followed from it is folded away.
  const shown = open.length ? causes : mended.filter((one) => !one.follows);
  return section("troubles", "What went wrong", `${plural(all, "failed try", "failed tries")}, ${standing ? `${standing} not yet mended` : "all of them mended since"}${all > found.length ? `; the first ${found.length} are listed` : ""}`,
    shown.length ? list(shown) : null,
    folded("followed", "failed because of that", found.filter((one) => one.follows && one.over === !open.length), list),
    open.length ? folded("mended", "mended since", mended, list) : null);
}

const folded = (key, what, some, list) =>
  some.length ? h("details", {}, h("summary", { "data-key": `troubles/${key}` }, `${plural(some.length, "try", "tries")} ${what}`), list(some)) : null;

function card(run, one) {
  const key = `${one.task}/${one.map_index}/${one.try}`;
  const told = one.telling ?? "";
  const named = one.codes.filter((code) => told.includes(code));
  const codes = named.length ? named : one.codes.slice(0, 1);
  const more = one.message && one.message.trim() !== told;
  return h("li", { class: one.over ? "over" : "stands" },
    h("p", {},
      one.over ? mark("good", "mended") : one.again ? mark("warn", "tries again") : mark("bad", "failed"), " ",
      h("strong", {}, [one.item, one.task.split(".").pop()].filter(Boolean).join(" ")), ` try ${one.try} `,
      codes.map((code) => [mark("code", code), " "]),
      h("a", { href: logUrl(run, one.task, one.map_index, one.try), "data-key": `log/${key}`, "aria-label": `Log of ${one.task} ${one.item ?? ""}, try ${one.try}` }, "Open its log")),
    told ? h("p", { class: "message" }, told) : null,
    one.remedy && !one.over ? h("p", { class: "remedy" }, h("strong", {}, "What to do: "), one.remedy) : null,
    more ? h("details", {}, h("summary", { "data-key": `stack/${key}` }, "The whole error"),
      h("p", { class: "message stack-of-errors" }, one.message),
      one.remedy && one.over ? h("p", { class: "remedy" }, h("strong", {}, "What to do: "), one.remedy) : null) : null);
}
