// A picture of a graph that is drawn only where it can be seen: pan, zoom, keys.
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { clear, el, svg } from "./dom.js";
import { ERROR } from "./model.js";
import { layout } from "./layout.js";

const TEXT_FROM = 0.38;  // scale from which texts can be read

export class Graph {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.edgesLayer = svg("g", { class: "edges" });
    this.nodesLayer = svg("g", { class: "nodes" });
    this.view = svg("g", {}, this.edgesLayer, this.nodesLayer);
    this.picture = svg("svg", { class: "graph", role: "group", tabindex: "0", "aria-label": "Control flow: arrow keys move between blocks" },
      svg("defs", {}, ["arrow", "arrow-run"].map((id) => svg("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0l8 4-8 4z", class: id })))),
      this.view);
    this.element = el("div", { class: "graph-box" }, this.picture);
    this.zoom = zoom().scaleExtent([0.01, 4]).on("zoom", (event) => this.moved(event.transform));
    this.canvas = select(this.picture);
    this.canvas.call(this.zoom).on("dblclick.zoom", null);
    this.transform = zoomIdentity;
    this.shownNodes = new Map();
    this.shownEdges = new Map();
    this.chosen = -1;
    this.marked = -1;
    this.picture.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resized()).observe(this.element);
  }

  show(graph, at) {
    this.graph = graph;
    this.box = layout(graph.nodes, graph.edges);
    this.successors = graph.nodes.map(() => []);
    this.predecessors = graph.nodes.map(() => []);
    graph.edges.forEach((e) => {
      this.successors[e.from].push(e.to);
      this.predecessors[e.to].push(e.from);
    });
    clear(this.edgesLayer);
    clear(this.nodesLayer);
    this.shownNodes.clear();
    this.shownEdges.clear();
    this.marked = -1;
    this.chosen = at >= 0 ? at : 0;
    this.isFresh = true;
    this.resized();
  }

  resized() {
    const { width, height } = this.element.getBoundingClientRect();
    if (!width || !height || !this.graph) return;
    this.width = width;
    this.height = height;
    if (this.isFresh) {
      this.isFresh = false;
      this.start();
    } else this.draw();
  }

  // All of a small graph; of a larger one what is around the chosen node.
  start() {
    const scale = Math.min(1, this.width / (this.box.right - this.box.left), this.height / (this.box.bottom - this.box.top));
    if (scale > 0.55) this.fit();
    else this.center(this.chosen, 0.8);
    this.draw();
  }

  fit() {
    const scale = Math.min(1.2, this.width / (this.box.right - this.box.left), this.height / (this.box.bottom - this.box.top));
    const x = this.width / 2 - (scale * (this.box.left + this.box.right)) / 2, y = 16 - scale * this.box.top;
    this.canvas.call(this.zoom.transform, zoomIdentity.translate(x, y).scale(scale));
  }

  by(factor) {
    this.canvas.call(this.zoom.scaleBy, factor);
  }

  center(i, scale) {
    const node = this.graph.nodes[i], k = scale || Math.max(this.transform.k, 0.6);
    if (!node || !this.width) return;
    this.canvas.call(this.zoom.transform, zoomIdentity.translate(this.width / 2 - k * node.x, this.height / 2 - k * node.y).scale(k));
  }

  isVisible(i) {
    const n = this.graph.nodes[i], [x, y] = this.transform.apply([n.x, n.y]);
    return x > 30 && y > 20 && x < this.width - 30 && y < this.height - 20;
  }

  moved(transform) {
    this.transform = transform;
    this.view.setAttribute("transform", String(transform));
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.draw();
    });
  }

  draw() {
    if (!this.graph) return;
    const [left, top] = this.transform.invert([-60, -60]), [right, bottom] = this.transform.invert([this.width + 60, this.height + 60]);
    this.picture.classList.toggle("far", this.transform.k < TEXT_FROM);
    const inside = (a, b, c, d) => a < right && c > left && b < bottom && d > top;
    this.sync(this.shownNodes, this.nodesLayer, this.graph.nodes, (n) => inside(n.x - n.width / 2, n.y - n.height / 2, n.x + n.width / 2, n.y + n.height / 2), (n, i) => this.nodeElement(n, i));
    this.sync(this.shownEdges, this.edgesLayer, this.graph.edges, (e) => inside(...e.box), (e) => this.edgeElement(e));
  }

  sync(shown, layer, list, isIn, make) {
    list.forEach((item, i) => {
      const old = shown.get(i), wanted = isIn(item);
      if (wanted && !old) {
        const node = make(item, i);
        shown.set(i, node);
        layer.append(node);
      } else if (!wanted && old && !old.contains(document.activeElement)) {
        old.remove();
        shown.delete(i);
      }
    });
  }

  nodeElement(n, i) {
    const title = [n.marks, n.line ? `line ${n.line}` : "", ...n.lines].filter(Boolean).join("; ");
    const classes = ["node", n.kind, n.flags & ERROR ? "error" : "", n.visits ? "visited" : "", i === this.marked ? "marked" : ""].filter(Boolean).join(" ");
    return svg("g", { class: classes, transform: `translate(${n.x - n.width / 2} ${n.y - n.height / 2})`, role: "button", tabindex: "-1", "aria-label": title, "data-node": i,
      onclick: () => this.choose(i, true), onfocus: () => { this.chosen = i; } },
    svg("rect", { width: n.width, height: n.height, rx: n.kind === "block" ? 4 : 10 }),
    n.kind === "loop" ? svg("rect", { x: 3, y: 3, width: n.width - 6, height: n.height - 6, rx: 7, class: "inner" }) : null,
    n.lines.map((text, k) => svg("text", { x: 10, y: 17 + k * 16 }, text)),
    n.marks && n.kind === "block" && n.lines[0] !== n.marks ? svg("text", { x: 2, y: -5, class: "mark" }, n.marks) : null);
  }

  edgeElement(e) {
    const run = e.visits > 0;
    return svg("g", { class: `edge${run ? " visited" : ""}${e.isBack ? " back" : ""}`, "aria-hidden": "true" },
      svg("path", { d: e.path, "marker-end": `url(#${run ? "arrow-run" : "arrow"})` }),
      e.text ? svg("text", { x: e.label[0], y: e.label[1], "text-anchor": "middle" }, e.text) : null);
  }

  choose(i, isByUser) {
    this.chosen = i;
    if (!this.isVisible(i)) this.center(i);
    this.draw();
    const node = this.shownNodes.get(i);
    if (node) node.focus({ preventScroll: true });
    if (isByUser) this.onChoose(this.graph.nodes[i], i);
  }

  mark(i) {
    const old = this.shownNodes.get(this.marked);
    if (old) old.classList.remove("marked");
    this.marked = i;
    if (i < 0 || !this.width) return;
    if (!this.isVisible(i)) this.center(i);
    this.draw();
    const node = this.shownNodes.get(i);
    if (node) node.classList.add("marked");
  }

  neighbour(i, side) {
    const all = this.graph.nodes, here = all[i];
    let best = -1;
    all.forEach((n, k) => {
      if (Math.abs(n.y - here.y) > 40 || k === i || (n.x - here.x) * side <= 0) return;
      if (best < 0 || Math.abs(n.x - here.x) < Math.abs(all[best].x - here.x)) best = k;
    });
    return best;
  }

  key(event) {
    if (!this.graph || event.ctrlKey || event.metaKey || event.altKey) return;
    const i = this.chosen, to = {
      ArrowDown: () => this.successors[i].find((x) => x > i),
      ArrowUp: () => this.predecessors[i].find((x) => x < i),
      ArrowLeft: () => this.neighbour(i, -1),
      ArrowRight: () => this.neighbour(i, 1),
    }[event.key];
    const actions = { "+": () => this.by(1.3), "-": () => this.by(1 / 1.3), 0: () => this.fit(), Enter: () => this.choose(i, true), " ": () => this.choose(i, true) };
    if (to) {
      const next = event.target === this.picture ? i : to();
      if (next >= 0) this.choose(next, false);
    } else if (actions[event.key]) actions[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
