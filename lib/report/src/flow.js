// The pane of control flow: which function, search, zoom, folding.
import { button, clear, count, el } from "./dom.js";
import { Automata } from "./automaton.js";
import { Graph } from "./graph.js";
import { locationIndex } from "./model.js";

export class Flow {
  constructor(o, source) {
    this.o = o;
    this.source = source;
    this.automata = new Automata(o);
    this.index = locationIndex(o.automata);
    this.func = -2;  // -1: calls
    this.graph = new Graph((node) => this.chosen(node));
    this.select = el("select", { "aria-label": "Function", onchange: () => this.show(Number(this.select.value)) },
      el("option", { value: -1 }, `all functions (${o.automata.length})`), o.automata.map((a, i) => el("option", { value: i }, `${a.name} (${a.nodes.length})`)));
    this.found = el("ul", { class: "found", hidden: true });
    this.input = el("input", { type: "search", placeholder: "find function, operation, line", "aria-label": "Find in the control flow", oninput: () => this.search(), onkeydown: (event) => this.searchKey(event) });
    this.fold = button("Fold loops", null, () => this.toggleFold(), { "aria-pressed": "false" });
    this.element = el("div", { class: "flow" },
      el("div", { class: "flow-head" }, this.select, this.input,
        el("span", { class: "buttons" }, this.fold,
          button("Zoom in (+)", "plus", () => this.graph.by(1.4)), button("Zoom out (-)", "minus", () => this.graph.by(1 / 1.4)), button("Show all (0)", "fit", () => this.graph.fit()))),
      this.found, this.graph.element,
      el("details", { class: "legend" }, el("summary", {}, "How to read and use the picture"),
        el("p", { class: "quiet" }, "A block is a run of operations; conditions stand at arrows, dashed arrows lead back; where a check fails is red, and so are functions with checks. ", o.run ? "Dark and thick: the run went there. " : "",
          "A click or Enter on a block shows its source, on a folded loop or a function what is in it. Arrow keys move between blocks; +, - and 0 zoom; dragging moves the picture.")));
  }

  show(func, node) {
    if (func === this.func && node === undefined) return;
    this.func = func;
    this.select.value = String(func);
    const isOne = func >= 0, folded = isOne && this.automata.foldedOf(func).size > 0;
    this.current = isOne ? this.automata.graphOf(func) : this.automata.calls();
    this.fold.disabled = !isOne || !this.o.automata[func].loops.length;
    this.fold.textContent = folded ? "Unfold loops" : "Fold loops";
    this.fold.setAttribute("aria-pressed", String(folded));
    this.graph.show(this.current, node === undefined ? -1 : node);
  }

  toggleFold() {
    if (this.func < 0) return;
    this.automata.foldAll(this.func, this.automata.foldedOf(this.func).size === 0);
    const func = this.func;
    this.func = -2;
    this.show(func);
  }

  chosen(node) {
    if (node.kind === "function") return this.show(node.func);
    if (node.kind === "loop") {
      this.automata.foldedOf(this.func).delete(node.loop);
      this.o.automata[this.func].loops.forEach((l, i) => l[0] === node.loop && this.automata.blocksOf(this.func).blocks.length > 600 && this.automata.foldedOf(this.func).add(i + 1));
      const func = this.func;
      this.func = -2;
      this.show(func);
      const at = this.current.nodes.findIndex((n) => n.line === node.line);
      if (at >= 0) this.graph.choose(at, false);
      return undefined;
    }
    const place = this.o.automata[this.func].place;
    if (place && node.line) this.source.mark(place[0], node.line, [], false);
    return undefined;
  }

  // The block of a location; its function is shown if it is not.
  goTo(location, isQuiet) {
    const at = this.index.get(location);
    if (!at) return;
    if (this.func !== at[0]) this.show(at[0]);
    const node = this.current.nodeOfLocation(at[1]);
    if (isQuiet) this.graph.mark(node);
    else this.graph.choose(node, true);
  }

  search() {
    const results = this.automata.search(this.input.value);
    clear(this.found);
    this.found.hidden = this.input.value.trim() === "";
    if (this.found.hidden) return;
    if (!results.length) this.found.append(el("li", { class: "quiet" }, "nothing found"));
    for (const r of results.slice(0, 50)) {
      const name = this.o.automata[r.func].name;
      this.found.append(el("li", {}, el("button", { type: "button", onclick: () => this.take(r) },
        el("code", {}, r.text), el("span", { class: "quiet" }, ` ${name}${r.line ? `, line ${r.line}` : ""}`))));
    }
    if (results.length > 50) this.found.append(el("li", { class: "quiet" }, `${count(results.length - 50, "more place")}`));
  }

  take(result) {
    this.found.hidden = true;
    this.show(result.func);
    this.graph.choose(this.current.nodeOfLocation(result.location), true);
  }

  searchKey(event) {
    const first = this.found.querySelector("button");
    if (event.key === "Enter" && first) first.click();
    if (event.key === "Escape") {
      this.input.value = "";
      this.search();
    }
    if (event.key === "ArrowDown" && first) {
      first.focus();
      event.preventDefault();
    }
  }
}
