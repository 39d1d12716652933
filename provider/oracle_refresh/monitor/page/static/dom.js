// Elements from names, attributes and children. Text is always set as text: nothing is parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
export const s = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

// Puts other children into an element. Whoever stands in it with the keyboard, has scrolled or opened something
// finds it so again: elements with the same data-key, and regions with the same label, take it over.
export function replace(element, children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const opened = [...element.querySelectorAll("details[open] > summary")].map((one) => one.dataset.key);
  const scrolled = [...element.querySelectorAll(".scroll")].map((one) => [one.getAttribute("aria-label"), one.scrollLeft, one.scrollTop]);
  element.replaceChildren(...children);
  const find = (key) => element.querySelector(`[data-key="${CSS.escape(key)}"]`);
  for (const key of opened) find(key)?.parentElement.setAttribute("open", "");
  for (const [label, scrollLeft, scrollTop] of scrolled) {
    const region = element.querySelector(`.scroll[aria-label="${CSS.escape(label)}"]`);
    if (region) Object.assign(region, { scrollLeft, scrollTop });
  }
  if (focused) find(focused)?.focus({ preventScroll: true });
}

// While a button or a finger is down nothing is drawn: a click counts only where what it began on is still there.
const waiting = new Map();
let pressed = false;

function release() {
  if (!pressed) return;
  pressed = false;
  const draws = [...waiting.values()];
  waiting.clear();
  for (const draw of draws) draw();
}

document.addEventListener("pointerdown", () => { pressed = true; }, true);
// The click comes right after; only then may be drawn what waits.
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(release), true);
// Let go where nobody saw it.
document.addEventListener("pointermove", (event) => { if (!event.buttons) release(); }, true);

// A part of the page that is drawn again only when what it shows has changed.
export class Part {
  constructor(name, attributes = {}) {
    this.element = h(name, attributes);
    this.shown = undefined;
  }

  show(data, draw) {
    if (pressed) {
      waiting.set(this, () => this.show(data, draw));
      return;
    }
    const text = JSON.stringify(data);
    if (text === this.shown) return;
    this.shown = text;
    replace(this.element, [draw(data)].flat(Infinity).filter((child) => child || child === 0));
  }
}

export function table(caption, columns, rows) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: column.class }, column.title)))),
      h("tbody", {}, rows.map((row) => h("tr", { class: row.class },
        columns.map((column, index) => h(index ? "td" : "th", { scope: index ? null : "row", class: column.class }, column.cell(row))))))));
}
