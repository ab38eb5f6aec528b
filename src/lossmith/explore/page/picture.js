// The picture of the simplex: what is drawn on it, the point that can be dragged, and turning the tetrahedron.

import { byId, element, set, svg, write } from "./dom.js";
import * as geometry from "./geometry.js";
import { bandHatch, box, hatches, swatch } from "./paint.js";
import { cells, dashes, mark, sample, swept } from "./shapes.js";

const LARGEST = 600;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Picture {
  /** `moved(p)` is told the floats of a dragged point, one for each label. */
  constructor(moved) {
    Object.assign(this, { moved, where: byId("picture"), answer: null, p: null, next: null, turn: geometry.START });
    Object.assign(this, { overlay: null, range: null, varied: null, example: null, drag: null, frame: null });
    this.layers = Object.fromEntries(["cells", "bands", "names", "over", "marks"].map((name) => [name, svg("g", { class: name })]));
    this.defs = svg("defs");
    this.handle = svg("g", { class: "handle", tabindex: 0, role: "slider", "aria-label": "the probabilities, as a point", "aria-valuemin": 0, "aria-valuemax": 100 },
      svg("circle", { r: 20, class: "grip" }), svg("circle", { r: 7, class: "dot" }));
    this.where.append(this.defs, ...Object.values(this.layers), this.handle);
    this.#listen();
    new ResizeObserver(() => this.#soon()).observe(this.where.parentElement);
  }

  show(answer) {
    this.answer = answer;
    this.draw();
  }

  /** Where the point is, and where the decision would change next. */
  point(p, next) {
    Object.assign(this, { p, next });
    if (this.answer) this.#drawPoint();
  }

  set(what, value) {
    const same = this[what] === value;
    this[what] = value;
    if (this.answer && !same) this.#drawOver();
  }

  #view() {
    const width = Math.max(240, Math.min(LARGEST, this.where.parentElement.clientWidth));
    const { cut } = this.answer;
    if (cut.length === 2) return geometry.interval(width);
    return cut.length === 3 ? geometry.triangle(width) : geometry.tetrahedron(Math.min(width, 500), this.turn);
  }

  #soon() {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    if (!this.answer) return;
    const view = (this.view = this.#view());
    set(this.where, "viewBox", `0 0 ${view.width} ${view.height.toFixed(1)}`);
    set(this.where, "width", view.width);
    set(this.where, "height", view.height.toFixed(1));
    this.where.classList.toggle("turns", view.labels === 4);
    set(this.where, "tabindex", view.labels === 4 ? 0 : null);
    set(this.where, "aria-label", this.#described());
    byId("turn-hint").hidden = view.labels !== 4;
    this.defs.replaceChildren(bandHatch(), ...hatches(this.answer.decisions.length));
    const { shapes, names, unnamed } = cells(view, this.answer, this.#taken());
    this.layers.cells.replaceChildren(...shapes);
    this.layers.names.replaceChildren(...names);
    this.#legend(unnamed);
    this.#drawOver();
    this.#drawPoint();
  }

  /** Where the point is: names keep off it, at least until it is moved. */
  #taken() {
    if (this.p?.length !== this.answer.labels.length) return [];
    return [box(...this.view.place(this.#onCut(this.p).q), 18, 18)];
  }

  #described() {
    const { answer } = this;
    const drawn = [...new Set(answer.cells.map(({ decision }) => answer.decisions[decision]))];
    const shape = { 2: "interval", 3: "triangle", 4: "tetrahedron, arrow keys turn it" }[answer.cut.length];
    return `Where each decision is best: ${drawn.join(", ")}; labels ${answer.cut.map((k) => answer.labels[k]).join(", ")} (${shape})`;
  }

  #legend(unnamed) {
    const drawn = [...new Set(this.answer.cells.map(({ decision }) => decision))].sort((a, b) => a - b);
    const key = JSON.stringify([drawn, [...unnamed], this.answer.decisions]);
    if (key === this.legendKey) return; // turning must not rebuild it sixty times a second
    this.legendKey = key;
    byId("legend").replaceChildren(...drawn.map((k) => element("li", {}, swatch(k),
      unnamed.has(k) ? element("b", {}, `${k + 1} `) : null, element("span", {}, this.answer.decisions[k]))));
  }

  #drawOver() {
    const { view, overlay, varied, range, example } = this;
    const drawn = [varied, range].find((each) => each && String(each.cut) === String(this.answer.cut));
    const shapes = [];
    const key = [];
    if (overlay?.edges.length) {
      shapes.push(...dashes(view, overlay.edges, "surrogate"));
      key.push([sample("surrogate"), `walls of ${overlay.surrogate}`]);
    }
    this.layers.bands.replaceChildren(...(drawn ? swept(view, drawn, this.answer.decisions) : []));
    if (drawn && drawn === range) key.push([sample("low"), "thresholds at the low end of the range"], [sample("high"), "at its high end"]);
    this.#mark(overlay?.bad, "bad", "✗", `${overlay?.surrogate} goes wrong here`, shapes, key);
    this.#mark(example?.p, "example", "◆", `counterexample to ${example?.of}`, shapes, key);
    this.layers.over.replaceChildren(...shapes);
    byId("key").replaceChildren(...key.map(([symbol, text]) => element("li", {}, element("b", { "aria-hidden": "true" }, symbol), text)));
  }

  #mark(p, kind, symbol, text, shapes, key) {
    if (p?.length !== this.answer.labels.length) return;
    const { q, outside } = this.#onCut(p);
    shapes.push(mark(this.view, q, kind, text));
    key.push([symbol, outside > 1e-6 ? `${text} (its shadow: some of it is on labels that are not drawn)` : text]);
  }

  /** The shadow of a distribution on the labels that are drawn, and how much lies on the others. */
  #onCut(p) {
    const inside = this.answer.cut.map((k) => p[k]);
    const sum = inside.reduce((a, b) => a + b, 0);
    return { q: sum > 1e-9 ? inside.map((x) => x / sum) : inside.map(() => 1 / inside.length), outside: 1 - sum };
  }

  #drawPoint() {
    const { view, answer, p, next } = this;
    const fits = p?.length === answer.labels.length;
    this.handle.classList.toggle("away", !fits);
    if (!fits) return;
    const { q, outside } = this.#onCut(p);
    this.q = q;
    const [x, y] = view.place(q);
    set(this.handle, "transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    this.handle.classList.toggle("shadow", outside > 1e-6);
    set(this.handle, "aria-valuenow", Math.round(100 * p[answer.cut[0]]));
    set(this.handle, "aria-valuetext", answer.labels.map((name, k) => `${name} ${Number(p[k].toFixed(3))}`).join(", "));
    write(byId("off-cut"), outside > 1e-6 ? `${Math.round(outside * 100)} % of the probability is on labels that are not drawn: the ring shows only the shadow of the point.` : "");
    this.layers.marks.replaceChildren(...this.#way(next, [x, y]));
  }

  #way(next, [x, y]) {
    if (!next || next.p.length !== this.answer.labels.length) return [];
    const { q, outside } = this.#onCut(next.p.map(({ value }) => value));
    if (outside > 1e-6) return [];
    const [u, v] = this.view.place(q);
    return [svg("line", { x1: x, y1: y, x2: u, y2: v, class: "way" }), svg("circle", { cx: u, cy: v, r: 4, class: "change" })];
  }

  #listen() {
    const { where } = this;
    where.addEventListener("pointerdown", (event) => this.#grab(event));
    where.addEventListener("pointermove", (event) => this.drag && this.#pull(event));
    for (const end of ["pointerup", "pointercancel"]) where.addEventListener(end, () => this.#release());
    where.addEventListener("keydown", (event) => this.#key(event));
  }

  #position(event) {
    const seen = this.where.getBoundingClientRect();
    return [((event.clientX - seen.left) * this.view.width) / seen.width, ((event.clientY - seen.top) * this.view.height) / seen.height];
  }

  #grab(event) {
    if (!this.answer || event.button !== 0) return;
    const onPoint = this.handle.contains(event.target);
    // A finger beside the point scrolls the page, and only a mouse may put the point anywhere.
    const turns = !onPoint && this.view.labels === 4;
    if (!onPoint && !turns && event.pointerType === "touch") return;
    event.preventDefault();
    (turns ? this.where : this.handle).focus({ preventScroll: true });
    this.where.setPointerCapture(event.pointerId);
    this.where.classList.add("dragging");
    this.drag = { turns, from: this.#position(event), q: this.q };
    if (!turns && !onPoint) this.#pull(event);
  }

  #pull(event) {
    const to = this.#position(event);
    const { turns, from, q } = this.drag;
    if (turns) {
      this.turn = geometry.turned(this.turn, to[0] - from[0], to[1] - from[1]);
      this.drag.from = to;
      this.#soon();
    } else {
      this.#move(this.view.after(q, from, to));
    }
  }

  #release() {
    this.drag = null;
    this.where.classList.remove("dragging");
  }

  #move(q) {
    const p = this.answer.labels.map(() => 0);
    this.answer.cut.forEach((label, k) => { p[label] = q[k]; });
    this.moved(p);
  }

  #key(event) {
    const arrow = ARROWS[event.key];
    if (!arrow || !this.answer || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [dx, dy] = arrow;
    if (this.handle.contains(event.target)) {
      const step = event.shiftKey ? 0.1 : 0.01;
      this.#move(this.view.step(this.q, dx * step, dy * step));
    } else if (this.view.labels === 4) {
      const step = event.shiftKey ? 60 : 15;
      this.turn = geometry.turned(this.turn, dx * step, -dy * step);
      this.#soon();
    }
  }
}
