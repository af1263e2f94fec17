// From automata to what is drawn: blocks of operations, folded loops, and the graph of calls.
import { ENTRY, ERROR, EXIT, HEAD, UNSUPPORTED } from "./model.js";

const MOST_LINES = 6, MOST_CHARACTERS = 44, CHARACTER = 6.7, LINE = 16;
const FOLD_FROM = 150;  // blocks of a function from which its loops are folded at first

const short = (t) => (t.length > MOST_CHARACTERS ? t.slice(0, MOST_CHARACTERS - 1) + "…" : t);
const condition = (t) => (t.startsWith("assume(") && t.endsWith(")") ? t.slice(7, -1) : "");

// Runs of locations with one way in and one way out become one block.
function blocksOf(a) {
  const n = a.nodes.length, out = Array.from({ length: n }, () => []), into = new Int32Array(n);
  a.edges.forEach((e) => {
    out[e[0]].push(e);
    into[e[1]]++;
  });
  const blockOf = new Int32Array(n).fill(-1), blocks = [];
  const isJoined = (v) => out[v].length === 1 && into[out[v][0][1]] === 1 && out[v][0][1] > v &&
    a.nodes[v][3] === a.nodes[out[v][0][1]][3] && !(a.nodes[out[v][0][1]][2] & (ERROR | EXIT)) && !condition(out[v][0][2]);
  for (let v = 0; v < n; v++) {
    if (blockOf[v] >= 0) continue;
    const b = { id: blocks.length, nodes: [], texts: [], line: 0, flags: 0, loop: a.nodes[v][3], visits: 0, callees: [] };
    for (let at = v; ; at = out[at][0][1]) {
      blockOf[at] = b.id;
      b.nodes.push(at);
      b.flags |= a.nodes[at][2];
      b.line = b.line || a.nodes[at][1];
      const plain = out[at].length === 1 && !condition(out[at][0][2]);
      if (plain && out[at][0][2] !== "skip") b.texts.push(out[at][0][2]);
      if (plain && out[at][0][5]) b.callees.push(out[at][0][5]);
      b.visits = Math.max(b.visits, ...out[at].map((e) => e[4]), 0);
      if (!isJoined(at)) break;
    }
    blocks.push(b);
  }
  const edges = [];
  a.edges.forEach((e) => {
    const from = blockOf[e[0]], to = blockOf[e[1]];
    if (blocks[to].nodes[0] !== e[1]) return;
    if (blocks[from].nodes[blocks[from].nodes.length - 1] !== e[0]) return;
    edges.push({ from, to, text: condition(e[2]), visits: e[4] });
    if (blocks[to].flags & (ERROR | EXIT)) blocks[to].visits = Math.max(blocks[to].visits, e[4]);
  });
  return { blocks, edges, blockOf };
}

const isInside = (a, loop, outer) => {
  for (let l = loop; l; l = a.loops[l - 1][0]) if (l === outer) return true;
  return false;
};

// The outermost folded loop that a block lies in, 0: none.
function foldedLoop(a, loop, folded) {
  let found = 0;
  for (let l = loop; l; l = a.loops[l - 1][0]) if (folded.has(l)) found = l;
  return found;
}

function describe(b) {
  const marks = [];
  if (b.flags & ENTRY) marks.push("start");
  if (b.flags & EXIT) marks.push("end");
  if (b.flags & ERROR) marks.push("error");
  if (b.flags & UNSUPPORTED) marks.push("not modelled");
  if (b.flags & HEAD) marks.push("loop head");
  return marks.join(", ");
}

function sized(node) {
  const widest = Math.max(6, ...node.lines.map((l) => l.length));
  node.width = Math.ceil(widest * CHARACTER) + 20;
  node.height = node.lines.length * LINE + 12;
  return node;
}

export class Automata {
  constructor(o) {
    this.o = o;
    this.list = o.automata;
    this.byId = new Map(this.list.map((a, i) => [a.id, i]));
    this.blocks = new Map();
    this.folded = new Map();
  }

  blocksOf(f) {
    if (!this.blocks.has(f)) this.blocks.set(f, blocksOf(this.list[f]));
    return this.blocks.get(f);
  }

  foldedOf(f) {
    if (!this.folded.has(f)) {
      const a = this.list[f], set = new Set();
      if (this.blocksOf(f).blocks.length > FOLD_FROM) a.loops.forEach((l, i) => l[1] === 1 && set.add(i + 1));
      this.folded.set(f, set);
    }
    return this.folded.get(f);
  }

  foldAll(f, isFolded) {
    const set = new Set();
    if (isFolded) this.list[f].loops.forEach((l, i) => l[1] === 1 && set.add(i + 1));
    this.folded.set(f, set);
  }

  // Nodes and edges to draw of one function.
  graphOf(f) {
    const a = this.list[f], { blocks, edges, blockOf } = this.blocksOf(f), folded = this.foldedOf(f);
    const nodes = [], nodeOf = new Int32Array(blocks.length), ofLoop = new Map();
    blocks.forEach((b) => {
      const loop = foldedLoop(a, b.loop, folded);
      if (loop && ofLoop.has(loop)) {
        const node = nodes[ofLoop.get(loop)];
        node.size += b.nodes.length;
        node.visits = Math.max(node.visits, b.visits);
        node.flags |= b.flags & ERROR;
        nodeOf[b.id] = ofLoop.get(loop);
        return;
      }
      nodeOf[b.id] = nodes.length;
      if (loop) {
        ofLoop.set(loop, nodes.length);
        nodes.push({ kind: "loop", loop, line: a.loops[loop - 1][2], size: b.nodes.length, visits: b.visits, flags: b.flags & ERROR, marks: "folded loop", lines: [] });
        return;
      }
      const texts = b.texts.slice(0, MOST_LINES).map(short);
      if (b.texts.length > MOST_LINES) texts.push(`… ${b.texts.length - MOST_LINES} more`);
      const marks = describe(b);
      if (!texts.length) texts.push(marks || (b.line ? `line ${b.line}` : "·"));
      nodes.push({ kind: "block", line: b.line, visits: b.visits, flags: b.flags, marks, lines: texts, callees: b.callees, size: b.nodes.length });
    });
    nodes.forEach((node) => {
      if (node.kind === "loop") node.lines = [`loop at line ${node.line}`, `${node.size} locations`];
      sized(node);
    });
    const drawn = [], seen = new Map();
    edges.forEach((e) => {
      const from = nodeOf[e.from], to = nodeOf[e.to], key = from * nodes.length + to;
      if (from === to && nodes[from].kind === "loop") return;
      if (seen.has(key) && !e.text) {
        seen.get(key).visits += e.visits;
        return;
      }
      const edge = { from, to, text: short(e.text), visits: e.visits };
      seen.set(key, edge);
      drawn.push(edge);
    });
    return { nodes, edges: drawn, nodeOfLocation: (i) => nodeOf[blockOf[i]] };
  }

  // Functions, and who calls whom, from main on.
  calls() {
    const order = [], seen = new Set(), n = this.list.length;
    const callees = this.list.map((a) => [...new Set(a.edges.filter((e) => e[5]).map((e) => this.byId.get(e[5])).filter((x) => x !== undefined))]);
    const start = Math.max(0, this.list.findIndex((a) => a.name === "main"));
    for (const root of [start, ...Array.from({ length: n }, (_, i) => i)]) {
      const stack = [[root, 0]];
      if (seen.has(root)) continue;
      seen.add(root);
      const part = [];
      while (stack.length) {
        const top = stack[stack.length - 1];
        if (top[1] < callees[top[0]].length) {
          const next = callees[top[0]][top[1]++];
          if (!seen.has(next)) {
            seen.add(next);
            stack.push([next, 0]);
          }
        } else {
          part.push(top[0]);
          stack.pop();
        }
      }
      order.push(...part.reverse());
    }
    const at = new Map(order.map((f, i) => [f, i]));
    const nodes = order.map((f) => {
      const a = this.list[f], visits = Math.max(0, ...a.edges.map((e) => e[4]));
      return sized({ kind: "function", func: f, line: a.place ? a.place[1] : 0, visits, flags: a.nodes.some((x) => x[2] & ERROR) ? ERROR : 0, marks: "function", lines: [short(a.name), `${a.nodes.length} locations`] });
    });
    const edges = [];
    order.forEach((f) => callees[f].forEach((g) => edges.push({ from: at.get(f), to: at.get(g), text: "", visits: 0 })));
    return { nodes, edges, nodeOfFunction: (f) => at.get(f) };
  }

  // Functions, operations and lines with this text.
  search(text) {
    const found = [], wanted = text.trim().toLowerCase();
    if (!wanted) return found;
    this.list.forEach((a, f) => {
      if (a.name.toLowerCase().includes(wanted)) found.push({ func: f, location: 0, text: `${a.name}()`, line: a.place ? a.place[1] : 0 });
    });
    const line = /^(line )?(\d+)$/.exec(wanted);
    this.list.forEach((a, f) => {
      a.edges.forEach((e) => {
        if (found.length < 200 && ((line && e[3] === Number(line[2])) || (!line && e[2].toLowerCase().includes(wanted))))
          found.push({ func: f, location: e[0], text: e[2], line: e[3] });
      });
    });
    return found;
  }
}
export { isInside };
