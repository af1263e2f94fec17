// Memory at a step of the run as boxes and arrows: objects that pointers lead to, with the cells that were written.
import { el, svg } from "./dom.js";

const MOST_OBJECTS = 24, MOST_CELLS = 8, ROW = 20, WIDTH = 170, GAP_X = 70, GAP_Y = 18;

const short = (text, n) => (text.length > n ? text.slice(0, n - 1) + "…" : text);

function collect(run, state) {
  const boxes = new Map(), roots = [];
  const box = (object) => {
    if (!boxes.has(object)) boxes.set(object, { object, cells: [], rank: -1 });
    return boxes.get(object);
  };
  for (const e of state.cells.values()) if (e.cell && e.cell[0]) box(e.cell[0]).cells.push(e);
  const variables = [...state.globals.entries()];
  for (const f of state.frames) for (const [name, e] of f.variables) variables.push([name, e]);
  for (const [name, e] of variables) {
    if (!e.pointee) continue;
    box(e.pointee[0]);
    roots.push({ name, e });
  }
  for (const b of [...boxes.values()]) for (const c of b.cells) if (c.pointee) box(c.pointee[0]);
  return { boxes, roots };
}

// Columns by distance from the variables.
function place(boxes, roots) {
  let front = roots.map((r) => boxes.get(r.e.pointee[0]));
  for (let rank = 1; front.length; rank++) {
    const next = [];
    for (const b of front) {
      if (b.rank >= 0) continue;
      b.rank = rank;
      for (const c of b.cells) if (c.pointee) next.push(boxes.get(c.pointee[0]));
    }
    front = next;
  }
  for (const b of boxes.values()) if (b.rank < 0) b.rank = 1;
  const heights = [];
  const list = [...boxes.values()].sort((a, b) => a.rank - b.rank || a.object - b.object).slice(0, MOST_OBJECTS);
  for (const b of list) {
    b.cells.sort((x, y) => x.cell[1] - y.cell[1]);
    b.shown = b.cells.slice(0, MOST_CELLS);
    b.x = (b.rank - 1) * (WIDTH + GAP_X) + 150;
    b.y = heights[b.rank] || 10;
    b.h = ROW * (1 + Math.max(1, b.shown.length));
    heights[b.rank] = b.y + b.h + GAP_Y;
  }
  return list;
}

function titleOf(run, object) {
  const known = run.objects.get(object);
  const name = known && known.name ? known.name : "object";
  return known && known.made ? `${name}, line ${known.made[1]}` : name;
}

const field = (e) => {
  const at = e.name.lastIndexOf("->"), dot = e.name.lastIndexOf(".");
  const from = Math.max(at >= 0 ? at + 2 : -1, dot >= 0 ? dot + 1 : -1);
  return from > 0 ? e.name.slice(from) : e.name;
};

export function heapPicture(run, state) {
  const { boxes, roots } = collect(run, state);
  if (!roots.length) return null;
  const list = place(boxes, roots), shown = new Set(list.map((b) => b.object));
  const parts = [];
  const arrow = (x1, y1, b) => {
    const x2 = b.x, y2 = b.y + 10, bend = x2 > x1 ? Math.max(30, (x2 - x1) / 2) : 90;
    parts.push(svg("path", { class: "arrow", "marker-end": "url(#heap-arrow)", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }));
  };
  roots.slice(0, 20).forEach((r, i) => {
    const y = 20 + i * (ROW + 6);
    parts.push(svg("text", { x: 100, y: y + 4, "text-anchor": "end", class: r.e.isNew ? "new" : "" }, short(r.name, 14)));
    const b = boxes.get(r.e.pointee[0]);
    if (shown.has(b.object)) arrow(106, y, b);
  });
  let bottom = 20 + Math.min(20, roots.length) * (ROW + 6), right = 300;
  for (const b of list) {
    const g = svg("g", { class: "object", transform: `translate(${b.x} ${b.y})` },
      svg("rect", { width: WIDTH, height: b.h, rx: 4 }), svg("text", { x: 8, y: 14, class: "title" }, short(titleOf(run, b.object), 24)),
      svg("line", { x1: 0, x2: WIDTH, y1: ROW, y2: ROW }));
    if (!b.shown.length) g.append(svg("text", { x: 8, y: ROW + 14, class: "quiet" }, "not written"));
    b.shown.forEach((e, i) => {
      g.append(svg("text", { x: 8, y: ROW * (i + 1) + 14, class: e.isNew ? "new" : "" }, short(`${field(e)} = ${e.value}`, 24)));
    });
    parts.push(g);
    b.shown.forEach((e, i) => {
      if (e.pointee && shown.has(e.pointee[0])) arrow(b.x + WIDTH, b.y + ROW * (i + 1) + 10, boxes.get(e.pointee[0]));
    });
    bottom = Math.max(bottom, b.y + b.h);
    right = Math.max(right, b.x + WIDTH);
  }
  const left = boxes.size - list.length;
  return el("div", {},
    el("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Picture of the heap at this step" },
      svg("svg", { class: "heap", width: right + 20, height: bottom + 10, viewBox: `0 0 ${right + 20} ${bottom + 10}`, role: "img", "aria-label": `${list.length} objects; the values stand in the lists above` },
        svg("defs", {}, svg("marker", { id: "heap-arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0l8 4-8 4z", class: "tip" }))),
        parts)),
    left > 0 ? el("p", { class: "quiet" }, `${left} more objects`) : null);
}
