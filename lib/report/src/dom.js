// Elements without markup: texts of the user reach the page as text nodes only.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child);
  }
  return node;
}

export const el = (name, attributes, ...children) =>
  fill(document.createElement(name), attributes, children);
export const svg = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

// Drawn here, so that the page needs no font and no file: paths on a grid of 16.
const shapes = {
  first: "M3 3v10M13 3 6 8l7 5z",
  back: "M11 3 4 8l7 5z",
  forward: "M5 3l7 5-7 5z",
  last: "M13 3v10M3 3l7 5-7 5z",
  over: "M2 11a6 6 0 0 1 11-2M13 4v5H8",
  out: "M8 13V4M4 8l4-4 4 4",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  print: "M4 6V2h8v4M4 12H2V6h12v6h-2M4 10h8v4H4z",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
};
export const icon = (name) =>
  svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, svg("path", { d: shapes[name] }));

export const button = (label, shape, action, more) =>
  el("button", { type: "button", "aria-label": shape ? label : undefined, title: shape ? label : undefined, onclick: action, ...more },
    shape ? icon(shape) : label);

export const clear = (node) => node.replaceChildren();

// "1 step", "2 steps"
export const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;

export function table(head, rows, attributes) {
  return el("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": attributes && attributes["aria-label"] },
    el("table", { class: attributes && attributes.class },
      el("thead", {}, el("tr", {}, head.map((h) => el("th", { scope: "col" }, h)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell)))))));
}
