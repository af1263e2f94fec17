// The page: reads its object, builds its parts, lets them follow each other.
import { button, el } from "./dom.js";
import { coverageOf, read } from "./model.js";
import { summary } from "./summary.js";
import { Source } from "./source.js";
import { Run } from "./run.js";
import { Flow } from "./flow.js";
import { adequacy } from "./adequacy.js";
import { contracts } from "./spec.js";
import { configuration, pictures, statistics } from "./details.js";
import { themeButton } from "./theme.js";

// Tabs as the ARIA Authoring Practices describe them.
function tabs(list, label) {
  const panels = list.map(([id, , content]) => el("div", { id: `panel-${id}`, role: "tabpanel", "aria-labelledby": `tab-${id}`, class: "panel", hidden: true }, content));
  const buttons = list.map(([id, title], i) => el("button", { type: "button", id: `tab-${id}`, role: "tab", "aria-controls": `panel-${id}`, onclick: () => choose(i), onkeydown: (event) => key(event, i) }, title));
  function choose(i) {
    buttons.forEach((b, k) => {
      b.setAttribute("aria-selected", String(k === i));
      b.tabIndex = k === i ? 0 : -1;
      panels[k].hidden = k !== i;
    });
    if (list[i][3]) list[i][3]();
  }
  function key(event, i) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (i + step + list.length) % list.length;
    choose(next);
    buttons[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }
  choose(0);
  return { head: el("div", { role: "tablist", "aria-label": label, class: "tabs" }, buttons), panels, choose };
}

function proofList(o, source) {
  const places = o.proof.filter((p) => p.place);
  if (!places.length) return null;
  const text = (p) => {
    if (p.kind === "bound") return `at most ${p.iterations} iterations`;
    if (p.kind === "depth") return `active at most ${p.activations} times at once`;
    const list = p.kind === "contract" ? p.ensures : (p.alternatives || []).flat();
    return list.slice(0, 3).join("   ") + (list.length > 3 ? "   …" : "");
  };
  const title = { loop: "loop", entry: "start of", exit: "end of", place: "place in", contract: "summary of", bound: "loop", depth: "calls of" };
  const order = places.filter((p) => text(p)).sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1]);
  if (!order.length) return null;
  return el("ol", { class: "steps proofs" }, order.slice(0, 500).map((p) => el("li", { class: "step" },
    el("button", { type: "button", onclick: () => source.mark(p.place[0], p.place[1], [], false) },
      el("span", { class: "number" }, p.place[1]), el("span", { class: "step-text" }, `${title[p.kind]} ${p.kind === "loop" || p.kind === "bound" ? `in ${p.function}` : p.function}`),
      el("span", { class: "step-values" }, text(p))))));
}

function workbench(o) {
  const source = new Source(o, coverageOf(o));
  const run = o.run && o.run.steps.length ? new Run(o, source) : null;
  const flow = o.automata.length ? new Flow(o, source) : null;
  const proofs = proofList(o, source);
  let isFlowOpen = false;
  const main = Math.max(0, o.automata.findIndex((a) => a.name === "main"));
  const openFlow = () => {
    isFlowOpen = true;
    if (run && run.now >= 0) flow.goTo(run.run.steps[run.now].location, true);
    else if (flow.func === -2) flow.show(main);
  };
  const close = () => { isFlowOpen = false; };
  const list = [];
  if (run) list.push(["steps", "Steps", run.list, close]);
  if (proofs) list.push(["proof", "Proved", proofs, close]);
  if (flow) list.push(["flow", "Control flow", flow.element, openFlow]);
  if (run && run.hasHeap) list.push(["heap", "Memory", run.heap, close]);
  const t = list.length ? tabs(list, "Beside the source") : null;
  const side = t ? el("div", { class: `pane side-pane${run ? " has-run" : ""}` },
    run ? el("div", { class: "pane-head" }, run.controls) : null, t.head, t.panels,
    run ? el("div", { class: "state-box", tabindex: "0", role: "region", "aria-label": "Values" }, run.state) : null, run ? run.live : null) : null;
  if (run && flow) run.onStep = (s) => isFlowOpen && flow.goTo(s.location, true);
  if (run) source.onLine = (file, line) => run.goToLine(file, line);
  const isCandidate = run && o.answer.verdict === "unknown";
  const element = el("section", { id: "source", "aria-labelledby": "source-title" },
    el("h2", { id: "source-title" }, run ? "Source and failing run" : "Source"),
    isCandidate ? el("p", { class: "warning" }, "This run was not confirmed: the answer does not rest on it.") : null,
    run ? el("p", { class: "quiet keys" }, "Left and Right step through the run, Shift+Right over calls, Shift+Up out of the function; a click on a line goes to its next execution.") : null,
    el("div", { class: side ? "workbench" : "workbench alone" }, source.element, side));
  const start = () => {
    const wanted = o.proof.find((p) => p.place && p.kind === "loop");
    if (run) run.go(0);
    else if (o.error) source.mark(o.error[0], o.error[1], [], true);
    else if (o.where) source.mark(o.where[0], o.where[1], [], false);
    else if (wanted) source.show(wanted.place[0]);
    if (source.file < 0 && o.files.length) source.show(0);
    if (!run && flow && !proofs) openFlow();
  };
  return { element, run, source, start };
}

function build() {
  const o = read(document.getElementById("object").textContent);
  const bench = o.files.length ? workbench(o) : null;
  const sections = [
    ["verdict", "Verdict", summary(o)], ["tests", "Tests", adequacy(o)], ["contracts", "Contracts", contracts(o, bench && bench.source)],
    ["source", "Source", bench && bench.element],
    ["heaps", "Heaps", pictures(o)], ["statistics", "Statistics", statistics(o)], ["configuration", "Configuration", configuration(o)],
  ].filter((s) => s[2]);
  const page = document.getElementById("page");
  document.body.prepend(el("header", { class: "top" }, el("a", { class: "brand", href: "#page" }, "Twoproof"),
    el("nav", { "aria-label": "Parts of the report" }, sections.map(([id, title]) => el("a", { href: `#${id}` }, title))),
    el("span", { class: "buttons" }, themeButton(), button("Print", "print", () => window.print(), { class: "plain" }))));
  page.replaceChildren(...sections.map((s) => s[2]));
  if (bench) bench.start();
  document.addEventListener("keydown", (event) => {
    if (!bench || !bench.run || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (bench.run.key(event)) event.preventDefault();
  });
  document.documentElement.dataset.ready = "yes";
}

build();
