// Pictures of heaps, statistics, configuration.
import { count, el, table } from "./dom.js";

const section = (id, title, ...content) => el("section", { id, class: "card", "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), content);

export function pictures(o) {
  if (!o.pictures.length) return null;
  const places = new Map();
  for (const p of o.pictures) places.set(p.place, [...(places.get(p.place) || []), p]);
  const one = (p) => el("figure", {},
    p.svg ? el("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(p.svg)}`, alt: `${p.caption}, ${p.place}`, loading: "lazy" }) : null,
    el("figcaption", {}, p.caption));
  return section("heaps", "Heaps that were reached",
    el("p", { class: "quiet" }, "An ellipse is one cell of the heap; with a double border it is one or more. Solid arrows lead there, dotted ones may. Each place has all graphs that the heap can be there."),
    [...places.entries()].map(([place, list]) => el("details", { open: places.size < 6 }, el("summary", {}, place, el("span", { class: "quiet" }, ` ${count(list.length, "picture")}`)), el("div", { class: "figures-row" }, list.map(one)))));
}

function bar(name, seconds, most) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `width: ${most > 0 ? Math.max(0.5, (100 * seconds) / most) : 0}%` })), el("span", { class: "seconds" }, `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`)));
}

export function statistics(o) {
  const t = o.times, names = { cpu_s: "CPU, all processes", wall_s: "on the clock", solver_s: "in solvers", certificate_s: "checking certificates" };
  const shown = Object.keys(names).filter((k) => t[k] !== undefined), most = Math.max(...shown.map((k) => t[k]));
  return section("statistics", "Statistics",
    el("dl", { class: "bars" }, shown.map((k) => bar(names[k], t[k], most))),
    t.peak_mb !== undefined ? el("p", {}, `Peak memory ${Math.round(t.peak_mb)} MB. `, o.answer.features ? `The program: ${o.answer.features}.` : "") : null,
    o.counters.length ? table(["number", "of", "meaning"], o.counters.map(([, value, unit, meaning]) => [el("span", { class: "right" }, value.toLocaleString("en")), unit, meaning]), { "aria-label": "Counters", class: "counters" }) : null);
}

export function configuration(o) {
  const rows = (list, label) => table(["option", "value"], list.map(([name, value]) => [el("code", {}, /^[a-z-]+$/.test(name) ? `--${name}` : name), value === "" ? el("span", { class: "quiet" }, "not given") : el("code", {}, value)]), { "aria-label": label });
  const given = o.options.filter((x) => x[2]), others = o.options.filter((x) => !x[2]);
  return section("configuration", "Configuration",
    el("p", {}, `twoproof ${o.version}, command ${o.command}.`),
    given.length ? rows(given, "Options that were given") : el("p", {}, "All options have their defaults."),
    others.length ? el("details", {}, el("summary", {}, `${count(others.length, "option")} with default values`), rows(others, "Options with default values")) : null);
}
