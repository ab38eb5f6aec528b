// From probabilities to pixels and back. A view has place(q), and after(q, from, to) for a drag; q sums to 1.

const add = (a, b) => a.map((x, k) => x + b[k]);
const scale = (a, s) => a.map((x) => x * s);
export const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
export const mean = (points) => scale(points.reduce(add), 1 / points.length);
const mix = (weights, points) => points.map((point, k) => scale(point, weights[k])).reduce(add);

/** The nearest distribution: how a pointer outside the simplex is meant. */
export function clipped(q) {
  const sorted = [...q].sort((a, b) => b - a);
  let sum = 0;
  let shift = 0;
  sorted.forEach((x, k) => {
    sum += x;
    if (x > (sum - 1) / (k + 1)) shift = (sum - 1) / (k + 1);
  });
  return q.map((x) => Math.max(0, x - shift));
}

export function interval(width, { side = 26, top = 52, thick = 84 } = {}) {
  const inner = width - 2 * side;
  return {
    labels: 2, width, height: top + thick + 74, top, thick,
    place: (q) => [side + q[1] * inner, top + thick / 2],
    after: (_, __, [x]) => clipped([1 - (x - side) / inner, (x - side) / inner]),
    step: (q, dx, dy) => clipped([q[0] - dx - dy, q[1] + dx + dy]),
  };
}

export function triangle(width, { side = 34, top = 30, bottom = 34 } = {}) {
  const long = width - 2 * side;
  const high = (long * Math.sqrt(3)) / 2;
  const corners = [[side, top + high], [side + long, top + high], [width / 2, top]];
  const read = ([x, y]) => {
    const third = (top + high - y) / high;
    const second = (x - side) / long - third / 2;
    return [1 - second - third, second, third];
  };
  return {
    labels: 3, width, height: high + top + bottom, corners,
    place: (q) => mix(q, corners),
    after: (_, __, to) => clipped(read(to)),
    step: (q, dx, dy) => clipped(add(q, [-dx - dy / 2, dx - dy / 2, dy])),
  };
}

// Corners at distance 1 from the middle, the last on top, as in the pictures of the library.
const r = Math.sqrt;
const CORNERS = [[r(8) / 3, -1 / 3, 0], [-r(2) / 3, -1 / 3, r(6) / 3], [-r(2) / 3, -1 / 3, -r(6) / 3], [0, 1, 0]];

function around(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return axis === "y" ? [[c, 0, s], [0, 1, 0], [-s, 0, c]] : [[1, 0, 0], [0, c, -s], [0, s, c]];
}

const times = (a, b) => a.map((row) => b[0].map((_, j) => dot(row, b.map((line) => line[j]))));
const apply = (matrix, vector) => matrix.map((row) => dot(row, vector));

export const START = times(around("x", 0.32), around("y", -1.3));

/** Turn what is seen by a drag of so many pixels. */
export function turned(turn, dx, dy, size = 300) {
  return times(times(around("x", dy / size * 2), around("y", dx / size * 2)), turn);
}

const WIDEST = 1.65; // no shadow of the tetrahedron is longer than its edge

export function tetrahedron(width, turn, { side = 30, top = 30 } = {}) {
  const size = (width - 2 * side) / WIDEST;
  const height = WIDEST * size + 2 * top;
  const corners = CORNERS.map((corner) => apply(turn, corner));
  const middle = [0, 1].map((k) => (Math.min(...corners.map((c) => c[k])) + Math.max(...corners.map((c) => c[k]))) / 2);
  const space = (q) => mix(q, corners);
  const flat = ([x, y]) => [width / 2 + (x - middle[0]) * size, height / 2 - (y - middle[1]) * size];
  const along = (q, dx, dy) => clipped(q.map((x, k) => x + 0.75 * (corners[k][0] * dx + corners[k][1] * dy)));
  return {
    labels: 4, width, height, corners, space, flat,
    place: (q) => flat(space(q)),
    after: (q, from, to) => along(q, (to[0] - from[0]) / size, (from[1] - to[1]) / size),
    step: (q, dx, dy) => along(q, dx * 2, dy * 2),
  };
}

const SHRUNK = 0.82; // each cell towards its own middle, so that inner ones can be seen

export const shrunk = (points) => {
  const middle = mean(points);
  return points.map((point) => add(middle, scale(add(point, scale(middle, -1)), SHRUNK)));
};

/** Painter's order. Along a line of sight the least cost is concave, so cells are met in the order of falling slopes. */
export function farToNear(cells, costs, cut, corners) {
  const slope = (cell) => dot(cut.map((label) => costs[label][cell.decision].value), corners.map((corner) => -corner[2]));
  return [...cells].sort((a, b) => slope(a) - slope(b));
}

/** Twice the signed area; its sign tells whether a face looks at us. */
export const area = (polygon) => polygon.reduce((sum, [x, y], k) => {
  const [u, v] = polygon[(k + 1) % polygon.length];
  return sum + x * v - u * y;
}, 0);

export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => list.reduce((chain, point) => {
    while (chain.length > 1 && area([chain.at(-2), chain.at(-1), point]) <= 0) chain.pop();
    return [...chain, point];
  }, []);
  return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

/** The part of a horizontal line within a convex polygon, or null. */
function across(polygon, y) {
  const hits = polygon.flatMap(([x, v], k) => {
    const [a, b] = polygon[(k + 1) % polygon.length];
    if ((v - y) * (b - y) > 0 || v === b) return [];
    return [x + ((y - v) / (b - v)) * (a - x)];
  });
  return hits.length < 2 ? null : [Math.min(...hits), Math.max(...hits)];
}

/** Where a text of this size fits into a convex polygon: the middles of bands, those near its middle first. */
export function spots(polygon, width, height) {
  const ys = polygon.map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const found = [];
  for (let k = 1; k < 24; k += 1) {
    const y = low + ((high - low) * k) / 24;
    const [upper, lower] = [across(polygon, y - height / 2), across(polygon, y + height / 2)];
    if (!upper || !lower) continue;
    const [from, to] = [Math.max(upper[0], lower[0]) + width / 2, Math.min(upper[1], lower[1]) - width / 2];
    if (from <= to) found.push([(from + to) / 2, y], [from, y], [to, y]);
  }
  const middle = mean(polygon);
  const far = ([x, y]) => Math.hypot(x - middle[0], y - middle[1]);
  return found.sort((a, b) => far(a) - far(b));
}
