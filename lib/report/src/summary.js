// The verdict: what was found, why, what it rests on, what to do next.
import { count, el, table } from "./dom.js";

const words = { true: "True", false: "False", unknown: "Unknown", bounded: "Bounded" };
const signs = { true: "M3 8.5l3.5 3.5L13 4.5", false: "M4 4l8 8M12 4l-8 8", unknown: "M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M8 12.8v.2", bounded: "M2 4v8M14 4v8M4 8h8M10 6l2 2-2 2M6 6 4 8l2 2" };

import { svg } from "./dom.js";

function badge(verdict) {
  return el("p", { class: "badge" },
    svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, svg("path", { d: signs[verdict] })),
    words[verdict]);
}

// Long lists begin with a few lines.
export function shortList(items, most, attributes) {
  const list = (from) => el("ul", attributes || {}, from.map((x) => el("li", {}, x)));
  if (items.length <= most + 1) return list(items);
  return [list(items.slice(0, most)),
    el("details", {}, el("summary", {}, `${items.length - most} more`), list(items.slice(most)))];
}

const part = (title, ...content) => el("div", { class: "part" }, el("h2", {}, title), content);

function obligations(a) {
  const o = a.obligations;
  if (!o) return null;
  const all = o.reasoning + o.proof + o.word;
  const rows = [["own reasoning", o.reasoning], ["clause proofs that were checked", o.proof], ["the word of a solver alone", o.word]];
  return part("What was checked",
    el("p", {}, `The certificate is a text that code apart from the engines has read again; it had ${count(all, "obligation")}, met by`),
    el("dl", { class: "figures" }, rows.map(([name, n]) => el("div", {}, el("dt", {}, name), el("dd", {}, n.toLocaleString("en"))))));
}

export function commandLine(text) {
  return el("code", { class: "command" }, text);
}

function reproduce(o) {
  const rows = [];
  if (o.script) rows.push(["See it fail", commandLine(o.script)], ["In the debugger", commandLine(`${o.script} gdb`)]);
  if (o.replay) rows.push(["Replay it", commandLine(o.replay)]);
  if (!rows.length) return null;
  return part("Reproduce", el("dl", { class: "commands" }, rows.map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v)))));
}

function inputs(a) {
  if (!a.inputs) return null;
  if (!a.inputs.length) return part("Inputs", el("p", {}, "The failure needs no input."));
  const asked = a.inputs.filter((i) => i.kind !== "indeterminate"), left = a.inputs.length - asked.length;
  const files = new Set(asked.map((i) => i.position && i.position.file));
  const at = (p) => (files.size > 1 ? `${p.file}:${p.line}:${p.column}` : `line ${p.line}:${p.column}`);
  const rows = asked.slice(0, 200).map((i) => [el("code", {}, i.name || i.kind), el("code", {}, i.value), i.position ? at(i.position) : ""]);
  const more = [];
  if (asked.length > 200) more.push(`${count(asked.length - 200, "further input")} and `);
  if (left) more.push(`${count(left, "value")} of uninitialised memory `);
  return part("Inputs, in the order of asking",
    rows.length ? table(["asked by", "value", "at"], rows, { "aria-label": "Inputs" }) : el("p", {}, "The program asks for none."),
    more.length ? el("p", { class: "quiet" }, more, "stand in inputs.txt.") : null);
}

function explored(a) {
  if (!a.explored || !a.explored.length) return null;
  return el("div", { class: "part wide" }, el("h2", {}, "What was tried"),
    table(["engine", "ended because", "what it shows"], a.explored.map((f) => [
      el("code", {}, f.engine || ""), f.reason || "",
      [f.condition || "", f.cost ? el("div", { class: "quiet" }, `cost most in ${f.cost}`) : null]]), { "aria-label": "What was tried", class: "tried" }));
}

function reach(a) {
  const r = a.reach;
  if (!r) return null;
  const places = (list) => list.map((p) => `${p.file}:${p.line}:${p.column}`);
  return part("Within the bound",
    el("p", {}, `Runs come to ${r.reached} of ${count(r.checks, "check")}.`),
    r.missed.length ? [el("h3", {}, "Checks that no such run comes to"), shortList(places(r.missed), 8)] : null,
    r.cuts.length ? [el("h3", {}, "Where runs are cut off"), shortList(r.cuts.map((c) => `${c.kind} at ${c.position ? `${c.position.file}:${c.position.line}` : "?"}`), 8)] : null);
}

export function summary(o) {
  const a = o.answer, verdict = a.verdict;
  const by = a.engine ? `${verdict === "false" ? "Found" : "Proved"} by ${a.engine}; ${a.evidence}.` : "";
  return el("section", { id: "verdict", class: `verdict is-${verdict}`, "aria-labelledby": "headline" },
    el("div", { class: "verdict-head" }, badge(verdict),
      el("div", {},
        el("h1", { id: "headline" }, o.headline || a.result),
        el("p", { class: "files" }, o.files.length ? o.files.map((f) => f.path).slice(0, 6).join(", ") : "", " ", el("span", { class: "chip" }, a.property)),
        verdict !== "unknown" && a.evidence ? el("p", { class: "why" }, by) : null,
        verdict === "unknown" && a.where ? el("p", { class: "why" }, el("b", {}, "Where: "), el("code", {}, a.where)) : null,
        a.next ? el("p", { class: "next" }, el("b", {}, "Next: "), a.next) : null,
        a.verified_by ? el("p", { class: "next" }, el("b", {}, "Next: "), `--property=${a.verified_by} verifies the operations that the proof assumes to be valid`) : null)),
    el("div", { class: "parts" },
      a.assumptions && a.assumptions.length ? part(`Assumptions`, shortList(a.assumptions, 6)) : null,
      a.assumptions && !a.assumptions.length && verdict === "true" ? part("Assumptions", el("p", {}, "None beyond the model of C that the tool documents.")) : null,
      a.notes ? part("Where it began", el("pre", { class: "notes", tabindex: "0" }, a.notes.trimEnd())) : null,
      inputs(a), reproduce(o), obligations(a), reach(a), explored(a),
      o.notes.length ? part("Remarks on the program", shortList(o.notes, 5)) : null));
}
