// The source with what is known of each line beside it: how often the run came there, what was proved, where it fails.
import hljs from "highlight.js/lib/core";
import c from "highlight.js/lib/languages/c";
import { clear, count, el } from "./dom.js";

hljs.registerLanguage("c", c);
const CHUNK = 100;  // lines that the browser lays out together, when they come into sight

const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => signs[sign]);

// Lines of HTML from highlight.js, which escapes the text; elements that span lines are closed and opened again.
function highlighted(lines) {
  const html = hljs.highlight(lines.join("\n"), { language: "c", ignoreIllegals: true }).value;
  const open = [];
  return html.split("\n").map((line) => {
    const start = open.join("");
    for (const tag of line.match(/<\/?span[^>]*>/g) || []) {
      if (tag[1] === "/") open.pop();
      else open.push(tag);
    }
    return start + line + "</span>".repeat(open.length);
  });
}

const proofTitles = {
  loop: "Invariant of this loop", entry: "At the start of", exit: "At the end of", place: "Here", contract: "Summary of",
};

function facts(list, most) {
  const line = (f) => el("li", {}, el("code", {}, f));
  const items = [el("ul", { class: "facts" }, list.slice(0, most).map(line))];
  if (list.length > most)
    items.push(el("details", {}, el("summary", {}, count(list.length - most, "more fact")), el("ul", { class: "facts" }, list.slice(most).map(line))));
  return items;
}

function proofNote(p, hasPictures) {
  if (p.kind === "bound")
    return el("div", { class: "note proof" }, el("b", {}, "Proved: "), `at most ${count(p.iterations, "iteration")} in every run`);
  if (p.kind === "depth")
    return el("div", { class: "note proof" }, el("b", {}, "Proved: "), `${p.function} is active at most ${count(p.activations, "time")} at once`);
  const chain = p.chain && p.chain.length > 1 ? ` (called as ${p.chain.join(" > ")})` : "";
  const title = proofTitles[p.kind] + (p.kind === "entry" || p.kind === "exit" || p.kind === "contract" ? ` ${p.function}` : "") + chain;
  const hidden = p.hidden ? el("p", { class: "quiet" }, `${count(p.hidden, "fact")} about the model of memory ${p.hidden === 1 ? "is" : "are"} in certificate.txt`) : null;
  const heaps = p.heaps && p.kind === "loop" ? el("p", { class: "quiet" }, "the heap is one of ",
    hasPictures ? el("a", { href: "#heaps" }, count(p.heaps, "shape")) : count(p.heaps, "shape")) : null;
  if (p.kind === "contract")
    return el("div", { class: "note proof" }, el("b", {}, title),
      p.requires.length ? [el("p", {}, "requires"), facts(p.requires, 4)] : null,
      p.ensures.length ? [el("p", {}, "ensures"), facts(p.ensures, 4)] : null, hidden);
  const all = p.alternatives.filter((list) => list.length);
  if (!all.length && !heaps) return null;
  return el("div", { class: "note proof" }, el("b", {}, title),
    all.map((list, i) => [i ? el("p", { class: "or" }, "or") : null, facts(list, 5)]), heaps, hidden);
}

export class Source {
  constructor(o, coverage) {
    this.o = o;
    this.coverage = coverage;
    this.chunks = o.files.map(() => null);
    this.html = o.files.map(() => null);
    this.onLine = () => {};
    this.file = -1;
    this.views = o.files.map(() => null);
    this.body = el("div", { class: "code", tabindex: "0", role: "region", "aria-label": "Source" });
    this.select = el("select", { "aria-label": "File", onchange: () => this.show(Number(this.select.value)) },
      o.files.map((f, i) => el("option", { value: i }, f.path)));
    this.hasRun = !!o.run;
    this.hasProof = o.proof.some((p) => p.place);
    this.element = el("div", { class: "pane source-pane" },
      el("div", { class: "pane-head" },
        o.files.length > 1 ? this.select : el("span", { class: "path" }, o.files[0] ? o.files[0].path : "no source"),
        this.hasRun ? this.toggle("Coverage", "show-coverage", true) : null,
        this.hasProof ? this.toggle("Proof", "show-proof", true) : null),
      this.body);
    this.marked = null;
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest(".line");
      if (row) this.onLine(this.file, Number(row.dataset.line));
    });
    window.addEventListener("beforeprint", () => this.colourAll());
  }

  toggle(label, name, isOn) {
    const box = el("input", { type: "checkbox", checked: isOn, onchange: () => this.body.classList.toggle(name, box.checked) });
    this.body.classList.toggle(name, isOn);
    return el("label", { class: "toggle" }, box, label);
  }

  // Where invariants stand: those of loops, contracts and bounds by line, each text once.
  notesOf(file) {
    const notes = new Map();
    const seen = new Set();
    for (const p of this.o.proof) {
      if (!p.place || p.place[0] !== file || p.kind === "place") continue;
      const note = proofNote(p, this.o.pictures.length > 0);
      if (!note || seen.has(p.place[1] + note.textContent)) continue;
      seen.add(p.place[1] + note.textContent);
      notes.set(p.place[1], [...(notes.get(p.place[1]) || []), note]);
    }
    return notes;
  }

  gutter(file, line) {
    const n = this.coverage[file].get(line);
    if (!this.hasRun) return "";
    if (n === undefined) return '<span class="hits"></span>';
    return n ? `<span class="hits is-hit" title="the run came here ${count(n, "time")}">${n > 999 ? "999+" : n}\u00d7</span>`
      : '<span class="hits is-missed" title="the run did not come here">\u2013</span>';
  }

  // As text of HTML: thousands of lines are made at once. The line is escaped; the rest are numbers.
  row(file, line) {
    const classes = ["line", this.coverage[file].get(line) === 0 ? "missed" : "", this.isError(file, line) ? "fails" : ""].filter(Boolean).join(" ");
    return `<div class="${classes}" data-line="${line}"><span class="number">${line}</span>${this.gutter(file, line)}<code>${escaped(this.o.files[file].lines[line - 1])}</code><span class="values"></span></div>`;
  }

  isError(file, line) {
    return this.o.error !== null && this.o.error[0] === file && this.o.error[1] === line;
  }

  // Lines are plain at first; colours come when a part is seen, so that long files open quickly.
  build(file) {
    const f = this.o.files[file], notes = this.notesOf(file), chunks = [];
    const view = el("div", { class: "file" });
    const seen = new IntersectionObserver((entries) => entries.forEach((e) => {
      if (e.isIntersecting) this.colour(file, Number(e.target.dataset.chunk));
    }), { root: this.body, rootMargin: "400px" });
    for (let from = 0; from < f.lines.length; from += CHUNK) {
      const to = Math.min(from + CHUNK, f.lines.length), html = [];
      const chunk = el("div", { class: "chunk", "data-chunk": chunks.length, style: `contain-intrinsic-size: auto ${(to - from) * 20}px` });
      for (let line = from + 1; line <= to; line++) html.push(this.row(file, line));
      chunk.innerHTML = html.join("");
      chunks.push(chunk);
      view.append(chunk);
      seen.observe(chunk);
    }
    this.chunks[file] = chunks;
    for (const [line, list] of notes) {
      const row = this.rowOf(file, line);
      if (row) row.before(...list);
    }
    const error = this.o.error !== null && this.o.error[0] === file ? this.rowOf(file, this.o.error[1]) : null;
    if (error) error.after(el("div", { class: "note error" }, el("b", {}, "Fails here: "), (this.o.run && this.o.run.message) || this.o.answer.message || ""));
    if (f.cut) view.append(el("p", { class: "quiet" }, "The rest of the file is left out: the page would be too large."));
    return view;
  }

  colour(file, k) {
    const chunk = this.chunks[file][k];
    if (chunk.dataset.colour) return;
    chunk.dataset.colour = "yes";
    if (!this.html[file]) this.html[file] = highlighted(this.o.files[file].lines);
    for (const row of chunk.querySelectorAll(".line"))
      row.querySelector("code").innerHTML = this.html[file][Number(row.dataset.line) - 1] || "";
  }

  colourAll() {
    this.chunks.forEach((chunks, file) => chunks && chunks.forEach((chunk, k) => this.colour(file, k)));
  }

  rowOf(file, line) {
    const chunk = this.chunks[file] && this.chunks[file][Math.floor((line - 1) / CHUNK)];
    return chunk ? chunk.querySelector(`[data-line="${line}"]`) : null;
  }

  show(file) {
    if (file === this.file || !this.o.files[file]) return;
    this.file = file;
    if (!this.views[file]) this.views[file] = this.build(file);
    clear(this.body);
    this.body.append(this.views[file]);
    this.body.setAttribute("aria-label", `Source of ${this.o.files[file].path}`);
    this.select.value = String(file);
  }

  // The line of the step, with what changed there beside it.
  mark(file, line, texts, isError) {
    if (this.marked) {
      this.marked.classList.remove("current", "current-error");
      this.marked.removeAttribute("aria-current");
      this.marked.querySelector(".values").textContent = "";
    }
    this.show(file);
    const row = this.rowOf(file, line);
    this.marked = row;
    if (!row) return;
    row.classList.add(isError ? "current-error" : "current");
    row.setAttribute("aria-current", "step");
    row.querySelector(".values").textContent = (texts || []).join("   ");
    this.reveal(row);
  }

  reveal(row) {
    const box = this.body.getBoundingClientRect(), r = row.getBoundingClientRect();
    if (r.top < box.top + 40 || r.bottom > box.bottom - 40)
      this.body.scrollTop += r.top - box.top - this.body.clientHeight / 2;
    // Chunks above may have been laid out only now.
    const again = row.getBoundingClientRect();
    if (again.top < box.top || again.bottom > box.bottom) this.body.scrollTop += again.top - box.top - this.body.clientHeight / 2;
  }
}
