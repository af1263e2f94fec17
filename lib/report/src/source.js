// The source with what is known of each line beside it: how often the run came there, what was proved, where it fails.
import hljs from "highlight.js/lib/core";
import c from "highlight.js/lib/languages/c";
import { clear, count, el } from "./dom.js";

hljs.registerLanguage("c", c);
const CHUNK = 100;  // lines that the browser lays out together, when they come into sight

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

function proofNote(p) {
  if (p.kind === "bound")
    return el("div", { class: "note proof" }, el("b", {}, "Proved: "), `at most ${count(p.iterations, "iteration")} in every run`);
  if (p.kind === "depth")
    return el("div", { class: "note proof" }, el("b", {}, "Proved: "), `${p.function} is active at most ${count(p.activations, "time")} at once`);
  const chain = p.chain && p.chain.length > 1 ? ` (called as ${p.chain.join(" > ")})` : "";
  const title = proofTitles[p.kind] + (p.kind === "entry" || p.kind === "exit" || p.kind === "contract" ? ` ${p.function}` : "") + chain;
  const hidden = p.hidden ? el("p", { class: "quiet" }, `${count(p.hidden, "fact")} about the model of memory ${p.hidden === 1 ? "is" : "are"} in certificate.txt`) : null;
  const heaps = p.heaps ? el("p", { class: "quiet" }, "and the heap is as in the pictures below") : null;
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
    this.rows = o.files.map(() => []);
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
      const note = proofNote(p);
      if (!note || seen.has(p.place[1] + note.textContent)) continue;
      seen.add(p.place[1] + note.textContent);
      notes.set(p.place[1], [...(notes.get(p.place[1]) || []), note]);
    }
    return notes;
  }

  gutter(file, line) {
    const n = this.coverage[file].get(line);
    if (!this.hasRun) return null;
    if (n === undefined) return el("span", { class: "hits" });
    const text = n > 999 ? "999+" : String(n);
    return el("span", { class: n ? "hits is-hit" : "hits is-missed", title: n ? `the run came here ${count(n, "time")}` : "the run did not come here" }, n ? `${text}×` : "–");
  }

  row(file, line, html) {
    const text = el("code", {});
    text.innerHTML = html;  // of highlight.js, which escapes
    const row = el("div", { class: "line", "data-line": line },
      el("span", { class: "number" }, line), this.gutter(file, line), text, el("span", { class: "values" }));
    const n = this.coverage[file].get(line);
    if (n === 0) row.classList.add("missed");
    row.addEventListener("click", () => this.onLine(file, line));
    this.rows[file][line] = row;
    return row;
  }

  build(file) {
    const f = this.o.files[file], notes = this.notesOf(file), html = highlighted(f.lines);
    const error = this.o.error && this.o.error[0] === file ? this.o.error[1] : 0;
    const view = el("div", { class: "file" });
    for (let from = 0; from < f.lines.length; from += CHUNK) {
      const to = Math.min(from + CHUNK, f.lines.length);
      const chunk = el("div", { class: "chunk", style: `contain-intrinsic-size: auto ${(to - from) * 20}px` });
      for (let i = from; i < to; i++) {
        for (const note of notes.get(i + 1) || []) chunk.append(note);
        chunk.append(this.row(file, i + 1, html[i] || ""));
        if (i + 1 === error) {
          this.rows[file][error].classList.add("fails");
          chunk.append(el("div", { class: "note error" }, el("b", {}, "Fails here: "), (this.o.run && this.o.run.message) || this.o.answer.message || ""));
        }
      }
      view.append(chunk);
    }
    if (f.cut) view.append(el("p", { class: "quiet" }, "The rest of the file is left out: the page would be too large."));
    return view;
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
    const row = this.rows[file] && this.rows[file][line];
    this.marked = row || null;
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
