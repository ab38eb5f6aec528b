// The cells of an answer as SVG: an interval, a triangle, or a tetrahedron.

import { plain, shortened, svg } from "./dom.js";
import { farToNear, hull, mean, shrunk } from "./geometry.js";
import { box, fill, label, named, textWidth } from "./paint.js";

const path = (points, open = false) => `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}${open ? "" : "Z"}`;

const titled = (made, text) => {
  made.append(svg("title", {}, text));
  return made;
};

/** Everything that shows the cells: {shapes, names, unnamed}, unnamed being the decisions that the legend must name; names keep off `taken`. */
export function cells(view, answer, taken) {
  const draw = { 2: intervalCells, 3: triangleCells, 4: tetrahedronCells }[view.labels];
  return draw(view, answer, answer.cut.map((k) => answer.labels[k]), taken);
}

/** Where a wall of an interval is; on both sides of it another decision is best. */
function walls(thresholds, drawn) {
  const found = thresholds
    ? thresholds.flatMap(({ low, high }) => [low, high])
    : drawn.flatMap(({ vertices }) => vertices.map((q) => ({ value: q[1], shown: String(Number(q[1].toPrecision(4))) })));
  const inner = found.filter(({ value }) => value > 1e-12 && value < 1 - 1e-12).sort((a, b) => a.value - b.value);
  return inner.filter(({ value }, k) => k === 0 || value - inner[k - 1].value > 1e-12);
}

function intervalCells(view, answer, labels) {
  const { top, thick } = view;
  const at = (x) => view.place([1 - x, x])[0];
  const unnamed = new Set();
  const rows = [];
  const names = [];
  const shapes = answer.cells.map(({ decision, vertices }) => {
    const [from, to] = vertices.map((q) => at(q[1])).sort((a, b) => a - b);
    const rect = svg("rect", { x: from, y: top, width: Math.max(1, to - from), height: thick, class: "cell", fill: fill(decision) });
    const name = shortened(answer.decisions[decision], 22);
    const middle = (from + to) / 2;
    const inside = textWidth(name) + 8 <= to - from;
    names.push(...(inside ? [label(middle, top + thick / 2, name)] : above(view, middle, name, rows, () => unnamed.add(decision))));
    return titled(rect, answer.decisions[decision]);
  });
  return { shapes: [...shapes, ...ticks(view, walls(answer.thresholds, answer.cells), at), ...ends(view, labels, at)], names, unnamed };
}

/** A name above a cell too narrow for it, on the lowest free row, with a leader; none left: the legend names it. */
function above({ width, top }, x, name, rows, failed) {
  const half = textWidth(name) / 2;
  const middle = Math.min(Math.max(x, half + 2), width - half - 2);
  for (let row = 0; row < 2; row += 1) {
    rows[row] ??= [];
    if (rows[row].some(([from, to]) => middle - half - 8 < to && from < middle + half + 8)) continue;
    rows[row].push([middle - half, middle + half]);
    const y = top - 16 - 20 * row;
    return [svg("line", { x1: x, y1: top + 6, x2: x, y2: y + 8, class: "leader" }), label(middle, y, name)];
  }
  failed();
  return [];
}

function ticks({ top, thick, width }, found, at) {
  const taken = [];
  return found.flatMap((wall) => {
    const x = at(wall.value);
    const shown = plain(wall);
    const half = textWidth(shown, 12) / 2 + 3;
    const middle = Math.min(Math.max(x, half), width - half);
    const row = [0, 1].find((k) => !taken.some((other) => other.row === k && middle - half < other.to && other.from < middle + half));
    const line = titled(svg("line", { x1: x, y1: top, x2: x, y2: top + thick + 6, class: "wall" }), wall.exact ?? shown);
    if (row === undefined) return [line];
    taken.push({ row, from: middle - half, to: middle + half });
    return [line, label(middle, top + thick + 16 + 15 * row, shown, { class: "tick" })];
  });
}

function ends({ top, thick, width }, labels, at) {
  const y = top + thick + 52;
  const end = (x, text, anchor) => label(x, y, text, { class: "corner", "text-anchor": anchor });
  const room = Math.max(6, Math.floor(width / 28));
  return [
    svg("rect", { x: at(0), y: top, width: at(1) - at(0), height: thick, class: "frame" }),
    end(4, shortened(labels[0], room), "start"),
    end(width - 4, shortened(labels[1], room), "end"),
    label(width / 2, y, `P(${shortened(labels[1], room)}) →`, { class: "tick" }),
  ];
}

function triangleCells(view, answer, labels, taken) {
  const polygons = answer.cells.map(({ decision, vertices, faces }) => {
    const order = faces[0] ?? vertices.map((_, k) => k);
    return { decision, polygon: order.map((k) => view.place(vertices[k])) };
  });
  const { corners, boxes } = cornerNames(view, labels);
  const { texts, unnamed } = named(polygons, answer.decisions, [...taken, ...boxes]);
  const bodies = polygons.map(({ decision, polygon }) =>
    titled(svg("path", { d: path(polygon), class: "cell", fill: fill(decision) }), answer.decisions[decision]));
  const frame = svg("path", { d: path(view.corners), class: "frame" });
  return { shapes: [...bodies, frame], names: [...texts, ...corners], unnamed };
}

function tetrahedronCells(view, answer, labels, taken) {
  const order = farToNear(answer.cells, answer.costs, answer.cut, view.corners);
  const bodies = order.map((cell) => {
    const places = shrunk(cell.vertices.map(view.space)).map(view.flat);
    return { decision: cell.decision, polygon: hull(places), faces: cell.faces.map((face) => face.map((k) => places[k])) };
  });
  // The nearest are named first: where two names would meet, that of the cell in front is seen.
  const { corners, boxes } = cornerNames(view, labels);
  const { texts, unnamed } = named([...bodies].reverse(), answer.decisions, [...taken, ...boxes]);
  const shapes = bodies.map(({ decision, faces }) => titled(svg("g", { class: "body", fill: fill(decision) },
    faces.map((face) => svg("path", { d: path(face), class: "face" }))), answer.decisions[decision]));
  return { shapes: [...edges(view, true), ...shapes, ...edges(view, false)], names: [...texts, ...corners], unnamed };
}

/** The edges of the tetrahedron; those behind it are dotted. An edge lies on two faces, each opposite to a corner. */
function edges({ corners, flat }, hidden) {
  const pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
  const behind = (pair) => [0, 1, 2, 3].every((k) => pair.includes(k) || corners[k][2] > 0);
  return pairs.filter((pair) => behind(pair) === hidden)
    .map((pair) => svg("path", { d: path(pair.map((k) => flat(corners[k])), true), class: hidden ? "frame hidden-edge" : "frame" }));
}

/** The names of the labels beside their corners, and the boxes that they take. */
function cornerNames(view, labels) {
  const unit = labels.map((_, k) => view.place(labels.map((__, j) => (j === k ? 1 : 0))));
  const [cx, cy] = mean(unit);
  const room = Math.max(8, Math.floor(view.width / 26));
  const found = unit.map(([x, y], k) => {
    const [dx, dy] = [x - cx, y - cy];
    const text = shortened(labels[k], room);
    const half = textWidth(text) / 2 + 2;
    const at = [Math.min(Math.max(x + (10 * dx) / (Math.hypot(dx, dy) || 1), half), view.width - half), y + Math.sign(dy || 1) * 17];
    return { text: titled(label(...at, text, { class: "corner" }), labels[k]), box: box(...at, 2 * half, 16) };
  });
  return { corners: found.map(({ text }) => text), boxes: found.map((each) => each.box) };
}

/** Walls in dashes: of a surrogate, or of the matrix with one cost at the end of its range. */
export function dashes(view, segments, kind) {
  return segments.map((segment) => {
    if (view.labels !== 2) return svg("path", { d: path(segment.map(view.place), segment.length < 3), class: `dashes ${kind}` });
    const x = view.place(segment[0])[0];
    return svg("line", { x1: x, y1: view.top - 8, x2: x, y2: view.top + view.thick + 8, class: `dashes ${kind}` });
  });
}

/** What the thresholds sweep over while a cost runs from low to high: shaded, dotted where it begins and dashed where it ends. */
export function swept(view, { bands, decision }, decisions) {
  const shape = view.labels === 2 ? slice : ({ vertices }) => path(hull(vertices.map(view.place)));
  const shaded = bands.map((band) => titled(svg("path", { class: "band", d: shape(band, view) }),
    `${decisions[decision]} or ${decisions[band.decision]}${band.ends ? `: from ${band.ends[0].exact} to ${band.ends[1].exact}` : ", depending on this cost"}`));
  const walls = ["low", "high"].flatMap((end) => dashes(view, bands.map((band) => band[end]).filter((wall) => wall.length), end));
  return [...shaded, ...walls];
}

function slice({ vertices }, view) {
  const [from, to] = vertices.map((q) => view.place(q)[0]).sort((a, b) => a - b);
  const [above, below] = [view.top - 8, view.top + view.thick + 8];
  return path([[from, above], [to, above], [to, below], [from, below]]);
}

/** A piece of a dashed line, for a key. */
export function sample(kind) {
  return svg("svg", { class: "sample", viewBox: "0 0 30 8", "aria-hidden": "true" }, svg("line", { x1: 0, y1: 4, x2: 30, y2: 4, class: `dashes ${kind}` }));
}

/** A cross where a surrogate goes wrong, a diamond for a counterexample; the key below the picture explains them. */
export function mark(view, q, kind, text) {
  const [x, y] = view.place(q);
  const shape = kind === "bad" ? "M-6 -6L6 6M-6 6L6 -6" : "M0 -7L7 0L0 7L-7 0Z";
  const drawn = ["around", "drawn"].map((layer) => svg("path", { d: shape, class: layer }));
  return titled(svg("g", { class: `mark ${kind}`, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` }, drawn), text);
}
