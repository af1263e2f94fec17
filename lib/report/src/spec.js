// Contracts: which functions keep them; of one that does not, the heap before and after with what differs.
import { count, el } from "./dom.js";

const words = { holds: "holds", fails: "fails", unknown: "not known" };

// "item0: next = item2, prev = item2" as its object and its fields; of a line about a variable the object is "".
function read(text) {
  return text.replace(/\n$/, "").split("\n").map((line) => {
    const [, object, rest] = /^([^:=]+):\s(.*)$/.exec(line.trim()) || [null, "", line.trim()];
    return { object, fields: object ? rest.split(", ") : [rest] };
  });
}

// Fields that the other heap does not have alike are marked, and objects that it does not have.
function heap(title, text, other, sign) {
  const known = new Map();
  for (const line of read(other || "")) if (line.object) known.set(line.object, new Set(line.fields));
  const mark = (field) => el("mark", {}, el("span", { class: "for-readers" }, "differs: "), `${sign} `, field);
  const lines = read(text).map(({ object, fields }) => {
    const same = known.get(object), compares = other && object;
    const parts = fields.map((field, i) => [i ? ", " : "", compares && same && !same.has(field) ? mark(field) : field]);
    return el("div", {}, object ? [compares && !same ? mark(object) : object, ": "] : null, parts);
  });
  return el("div", { class: "heap-text" }, el("h3", {}, title), el("pre", { tabindex: "0", role: "region", "aria-label": title }, lines));
}

function contract(c, source) {
  const place = c.failure || c.place;
  const head = el("h3", {}, el("code", {}, `${c.name}()`), " ", el("span", { class: `chip answer-${c.answer}` }, words[c.answer]), el("span", { class: "quiet" }, ` ${c.bounds}`));
  return el("div", { class: "contract" }, head,
    el("ul", { class: "said" }, (c.said || "").trim().split("\n").filter(Boolean).map((line) => el("li", {}, line))),
    place && source ? el("p", {}, el("button", { type: "button", onclick: () => {
      source.mark(place[0], place[1], [], c.answer === "fails");
      source.element.scrollIntoView();
    } }, c.failure ? `Show where it fails, line ${place[1]}` : `Show line ${place[1]}`)) : null,
    c.svg ? el("figure", {}, el("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(c.svg)}`, alt: `The heap of ${c.name}() before and after; the same as text below` }),
      el("figcaption", {}, "Before and after the call. Marked: \u2260 holds something else, + a new object, \u00d7 an object whose life has ended.")) : null,
    c.before ? el("div", { class: "heaps-text" }, heap(`${c.name}(): the heap before`, c.before, c.after, "\u2260"),
      c.after ? heap(`${c.name}(): the heap after`, c.after, c.before, "\u2260") : null) : null,
    c.steps ? el("details", {}, el("summary", {}, "What is executed"), el("pre", { tabindex: "0", role: "region", "aria-label": `What ${c.name}() executes` }, c.steps)) : null);
}

export function contracts(o, source) {
  if (!o.section || !o.section.contracts) return null;
  const list = o.section.contracts, order = { fails: 0, unknown: 1, holds: 2 };
  return el("section", { id: "contracts", class: "card", "aria-labelledby": "contracts-title" },
    el("h2", { id: "contracts-title" }, "Contracts"),
    list.length ? el("p", { class: "quiet" }, `${count(list.length, "question")}; integers and heaps are as large as the bounds say, nothing beyond was looked at.`) : el("p", {}, "No function was checked."),
    [...list].sort((a, b) => order[a.answer] - order[b.answer]).map((c) => contract(c, source)));
}
