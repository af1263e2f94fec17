// Memory at a step of the run as boxes and arrows: objects that pointers lead to, with the cells that were written.
import { el, svg } from "./dom.js";

const MOST_OBJECTS = 24, MOST_CELLS = 8, ROW = 20, WIDTH = 156, GAP_X = 44, GAP_Y = 18;

const short = (text, n) => (text.length > n ? text.slice(0, n - 1) + "…" : text);

// Objects by number, each with the cells that were written and the variables that point to it.
function collect(run, state) {
  const boxes = new Map(), order = [];
  const box = (object) => {
    if (!boxes.has(object)) boxes.set(object, { object, cells: [], names: [], rank: -1 });
    return boxes.get(object);
  };
  for (const e of state.cells.values()) if (e.cell && e.cell[0]) box(e.cell[0]).cells.push(e);
  const point = (e, name) => {
    if (!e.pointee) return;
    const known = run.objects.get(e.pointee[0]);
    if (!boxes.has(e.pointee[0]) && known && known.name === "string literal") return;
    const b = box(e.pointee[0]);
    b.names.push({ name, isNew: e.isNew });
    order.push(b);
  };
  for (const [name, e] of state.globals) point(e, name);
  state.frames.forEach((f, i) => {
    for (const [name, e] of f.variables) point(e, i === state.frames.length - 1 ? name : `${name} (${f.func})`);
  });
  for (const b of [...boxes.values()]) for (const c of b.cells) if (c.pointee) box(c.pointee[0]);
  return { boxes, order };
}

// Columns by distance from the variables, those of outer frames first, so that lists stand in rows.
function place(boxes, order) {
  for (const root of order) {
    let front = [root];
    for (let rank = 1; front.length; rank++) {
      const next = [];
      for (const b of front) {
        if (b.rank >= 0) continue;
        b.rank = rank;
        for (const c of b.cells) if (c.pointee) next.push(boxes.get(c.pointee[0]));
      }
      front = next;
    }
  }
  for (const b of boxes.values()) if (b.rank < 0) b.rank = 1;
  const bottoms = [];
  const list = [...boxes.values()].sort((a, b) => a.rank - b.rank || b.names.length - a.names.length || a.object - b.object).slice(0, MOST_OBJECTS);
  for (const b of list) {
    b.cells.sort((x, y) => x.cell[1] - y.cell[1]);
    b.shown = b.cells.slice(0, MOST_CELLS);
    b.x = (b.rank - 1) * (WIDTH + GAP_X) + 10;
    b.y = (bottoms[b.rank] || 0) + 24;
    b.h = ROW * (1 + Math.max(1, b.shown.length));
    bottoms[b.rank] = b.y + b.h + GAP_Y;
  }
  return list;
}

function titleOf(run, object) {
  const known = run.objects.get(object);
  const name = known && known.name ? known.name : "object";
  const text = known && known.made ? `${name}, line ${known.made[1]}` : name;
  return text;
}

const field = (e) => {
  const at = e.name.lastIndexOf("->"), dot = e.name.lastIndexOf(".");
  const from = Math.max(at >= 0 ? at + 2 : -1, dot >= 0 ? dot + 1 : -1);
  return from > 0 ? e.name.slice(from) : e.name;
};

export function heapPicture(run, state) {
  const { boxes, order } = collect(run, state);
  if (!boxes.size) return null;
  const list = place(boxes, order), shown = new Set(list.map((b) => b.object));
  const parts = [];
  let bottom = 60, right = 300;
  for (const b of list) {
    const g = svg("g", { class: "object", transform: `translate(${b.x} ${b.y})` },
      svg("text", { x: 2, y: -6, class: b.names.some((n) => n.isNew) ? "new" : "pointer" }, short(b.names.map((n) => n.name).join(", "), 22)),
      svg("rect", { width: WIDTH, height: b.h, rx: 4 }), svg("text", { x: 8, y: 14, class: "title" }, short(titleOf(run, b.object), 22)),
      svg("line", { x1: 0, x2: WIDTH, y1: ROW, y2: ROW }));
    if (!b.shown.length) g.append(svg("text", { x: 8, y: ROW + 14, class: "quiet" }, "nothing written"));
    b.shown.forEach((e, i) => {
      g.append(svg("text", { x: 8, y: ROW * (i + 1) + 14, class: e.isNew ? "new" : "" }, short(`${field(e)} = ${e.value}`, 22)));
    });
    parts.push(g);
    b.shown.forEach((e, i) => {
      if (!e.pointee || !shown.has(e.pointee[0])) return;
      const to = boxes.get(e.pointee[0]), x1 = b.x + WIDTH, y1 = b.y + ROW * (i + 1) + 10, y2 = to.y + 10;
      const bend = to.x > x1 ? (to.x - x1) / 2 : 60;
      parts.push(svg("path", { class: "arrow", "marker-end": "url(#heap-arrow)", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}` }));
    });
    bottom = Math.max(bottom, b.y + b.h);
    right = Math.max(right, b.x + WIDTH);
  }
  const left = boxes.size - list.length;
  return el("div", {},
    el("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Picture of memory at this step" },
      svg("svg", { class: "heap", width: right + 70, height: bottom + 10, viewBox: `0 0 ${right + 70} ${bottom + 10}`, role: "img", "aria-label": `${list.length} objects; the values stand in the lists below` },
        svg("defs", {}, svg("marker", { id: "heap-arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0l8 4-8 4z", class: "tip" }))),
        parts)),
    left > 0 ? el("p", { class: "quiet" }, `${left} more objects`) : null);
}
