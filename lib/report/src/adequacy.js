// Are the tests enough: which abstract states tests were in, and which none was in.
import { count, el, table } from "./dom.js";

const reach = {
  never: "no run comes there; only the proof needs it",
  unknown: "neither a run that comes there nor a proof that none does was found",
};

function howReached(s) {
  if (!s.missed) return s.by.split("/").pop();
  if (s.reach === "real") return s.inputs.length ? ["a run comes there, with inputs ", el("code", {}, s.inputs.join(" "))] : "a run comes there without inputs";
  return reach[s.reach] || s.by;
}

function cutpoint(c) {
  const missed = c.states.filter((s) => s.missed).length;
  const at = c.place ? `line ${c.place[1]}` : "";
  const rows = c.states.map((s) => [s.missed ? el("b", {}, "missed") : "reached", el("code", {}, s.text || "always"), howReached(s)]);
  return el("details", { open: missed > 0 },
    el("summary", {}, `${c.function}, ${at}`, el("span", { class: "quiet" }, ` ${count(c.states.length, "abstract state")}${missed ? `, ${missed} missed` : ""}`)),
    c.invariant ? el("p", {}, "Invariant: ", el("code", {}, c.invariant)) : null,
    table(["by tests", "abstract state", "first reached by"], rows, { "aria-label": `Abstract states of ${c.function}, ${at}`, class: "states" }));
}

export function adequacy(o) {
  const s = o.section;
  if (!s || !s.cutpoints) return null;
  const states = s.cutpoints.flatMap((c) => c.states), missed = states.filter((x) => x.missed);
  const firsts = s.tests.map((name) => [el("code", {}, name.split("/").pop()), el("span", { class: "right" }, String(states.filter((x) => !x.missed && x.by === name).length))]);
  const verdict = s.adequate ? "The tests are adequate: they were in every abstract state that the proof needs."
    : missed.length ? `The tests are not adequate: they missed ${missed.length} of ${count(states.length, "abstract state")}.`
      : "The tests are not adequate: the abstract states that they reach are not closed.";
  const order = [...s.cutpoints].sort((a, b) => b.states.filter((x) => x.missed).length - a.states.filter((x) => x.missed).length);
  return el("section", { id: "tests", class: "card", "aria-labelledby": "tests-title" },
    el("h2", { id: "tests-title" }, "Tests"), el("p", {}, verdict),
    s.potential.length ? [el("h3", {}, "Potential errors"), el("ul", {}, s.potential.slice(0, 50).map((p) => el("li", {}, `${p.place ? p.place.join(":") : "?"}: ${p.open ? "not modelled: " : ""}${p.message}`)))] : null,
    el("h3", {}, "Abstract states"), order.slice(0, 300).map(cutpoint),
    firsts.length ? [el("h3", {}, "What each test added"), table(["test", "states that no test before it was in"], firsts, { "aria-label": "Tests", class: "added" })] : null);
}
