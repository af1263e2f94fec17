// The run, forwards and backwards: controls, steps, call stack, values.
import { button, clear, count, el } from "./dom.js";
import { gapBefore, stateAt, textOfChange } from "./model.js";
import { heapPicture } from "./heap.js";

const WINDOW = 120;  // steps on either side of the current one that the list has

export class Run {
  constructor(o, source) {
    this.o = o;
    this.run = o.run;
    this.source = source;
    this.onStep = () => {};
    this.now = -1;
    const n = this.run.steps.length;
    this.slider = el("input", { type: "range", min: 1, max: n, value: 1, "aria-label": "Step of the run", oninput: () => this.go(Number(this.slider.value) - 1) });
    this.position = el("span", { class: "position" });
    this.live = el("p", { class: "for-readers", "aria-live": "polite" });
    this.list = el("ol", { class: "steps", tabindex: "0", "aria-label": "Steps" });
    this.state = el("div", { class: "state" });
    this.heap = el("div", { class: "heap-box" });
    this.hasHeap = this.run.steps.some((s) => s.changes.some((c) => c.pointee));
    this.controls = el("div", { class: "controls", role: "toolbar", "aria-label": "Stepping" },
      button("First step (Home)", "first", () => this.go(0)),
      button("One step back (Left)", "back", () => this.go(this.now - 1)),
      button("One step forward (Right)", "forward", () => this.go(this.now + 1)),
      button("Over calls (Shift+Right)", "over", () => this.over()),
      button("Out of the function (Shift+Up)", "out", () => this.out()),
      button("Last step (End)", "last", () => this.go(n - 1)),
      this.slider, this.position);
    this.from = this.to = -1;
  }

  go(i) {
    const n = this.run.steps.length, to = Math.max(0, Math.min(n - 1, i));
    if (to === this.now) return;
    this.now = to;
    const s = this.run.steps[to], texts = s.changes.map(textOfChange);
    this.slider.value = String(to + 1);
    this.slider.setAttribute("aria-valuetext", `step ${to + 1} of ${n}`);
    this.position.textContent = `${to + 1} / ${n}`;
    if (s.fails) texts.push(this.run.message);
    if (s.line) this.source.mark(s.file, s.line, texts, s.fails);
    this.showList();
    this.showState();
    this.live.textContent = `Step ${to + 1} of ${n}: ${s.func}, line ${s.line}${s.enters ? ", the function is entered" : ""}. ${texts.join(", ")}`;
    this.onStep(s);
  }

  over() {
    const depth = this.run.steps[this.now].depth;
    let i = this.now + 1;
    while (i < this.run.steps.length - 1 && this.run.steps[i].depth > depth) i++;
    this.go(i);
  }

  out() {
    const depth = this.run.steps[this.now].depth;
    let i = this.now + 1;
    while (i < this.run.steps.length - 1 && this.run.steps[i].depth >= depth) i++;
    this.go(i);
  }

  // The first step at a line behind the current one; else the first of the run.
  goToLine(file, line) {
    const { steps } = this.run, n = steps.length;
    for (let k = 1; k <= n; k++) {
      const s = steps[(this.now + k) % n];
      if (s.file === file && s.line === line && !s.enters) return this.go((this.now + k) % n);
    }
    return undefined;
  }

  key(event) {
    const actions = {
      ArrowRight: () => (event.shiftKey ? this.over() : this.go(this.now + 1)),
      ArrowLeft: () => this.go(this.now - 1),
      Home: () => this.go(0),
      End: () => this.go(this.run.steps.length - 1),
    };
    if (event.shiftKey && event.key === "ArrowUp") this.out();
    else if (actions[event.key]) actions[event.key]();
    else return false;
    return true;
  }

  item(i) {
    const s = this.run.steps[i], file = this.o.files[s.file];
    const text = s.enters ? `${s.func}(${s.changes.map(textOfChange).join(", ")})` : file && s.line ? file.lines[s.line - 1] || "" : "";
    const gap = gapBefore(this.run, i);
    const values = s.enters ? [] : s.changes.map(textOfChange);
    if (s.fails) values.push(this.run.message);
    return el("li", { class: s.fails ? "step fails" : "step", "data-step": i },
      gap ? el("p", { class: "gap" }, `${gap.toLocaleString("en")} steps are not shown`) : null,
      el("button", { type: "button", tabindex: "-1", style: `padding-left: ${0.5 + Math.min(s.depth - 1, 12)}rem`, onclick: () => this.go(i) },
        el("span", { class: "number" }, s.enters ? "" : s.line || ""), el("span", { class: "step-text" }, el("code", {}, text.trim())),
        values.length ? el("span", { class: "step-values" }, values.join("   ")) : null));
  }

  showList() {
    if (this.now < this.from + 10 || this.now > this.to - 10 || this.from < 0) {
      this.from = Math.max(0, this.now - WINDOW);
      this.to = Math.min(this.run.steps.length - 1, this.now + WINDOW);
      clear(this.list);
      if (this.from > 0) this.list.append(el("li", { class: "gap" }, count(this.from, "earlier step")));
      for (let i = this.from; i <= this.to; i++) this.list.append(this.item(i));
      const behind = this.run.steps.length - 1 - this.to;
      if (behind > 0) this.list.append(el("li", { class: "gap" }, count(behind, "later step")));
    }
    const old = this.list.querySelector(".now");
    if (old) {
      old.classList.remove("now");
      old.removeAttribute("aria-current");
    }
    const row = this.list.querySelector(`[data-step="${this.now}"]`);
    row.classList.add("now");
    row.setAttribute("aria-current", "step");
    const top = row.offsetTop;  // in the list, which is positioned
    if (top < this.list.scrollTop || top + row.offsetHeight > this.list.scrollTop + this.list.clientHeight)
      this.list.scrollTop = top - this.list.clientHeight / 2;
  }

  values(title, entries, where) {
    return el("div", { class: "frame" },
      el("h3", {}, title, where ? el("span", { class: "quiet" }, ` line ${where}`) : null),
      entries.length === 0 ? el("p", { class: "quiet" }, "no values yet")
        : el("dl", { class: "values-list" }, entries.map(([name, e]) => el("div", { class: e.isNew ? "is-new" : "" },
          el("dt", {}, name), el("dd", {}, e.value, e.isInput ? el("span", { class: "chip" }, "input") : null, e.isNew ? el("span", { class: "for-readers" }, " changed") : null)))));
  }

  showState() {
    const s = stateAt(this.run, this.now);
    clear(this.state);
    if (s.isPartial) this.state.append(el("p", { class: "quiet" }, "Steps before this one are left out: values may be older."));
    const frames = s.frames.map((f, i) => [f, i]).filter(([f]) => f.func).reverse();
    for (const [f] of frames.slice(0, 12))
      this.state.append(this.values(f.func, [...f.variables.entries()], f.at && f.at[1]));
    if (frames.length > 12) this.state.append(el("p", { class: "quiet" }, `${count(frames.length - 12, "outer call")}`));
    if (s.globals.size) this.state.append(this.values("Globals", [...s.globals.entries()]));
    if (s.cells.size) {
      const cells = [...s.cells.values()].slice(-60).map((e) => [e.name, e]);
      this.state.append(this.values("Memory written", cells));
    }
    if (this.hasHeap) {
      clear(this.heap);
      this.heap.append(heapPicture(this.run, s) || el("p", { class: "quiet" }, "No variable points to an object yet."));
    }
  }
}
