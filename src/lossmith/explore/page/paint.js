// Colours and hatches of decisions, and names that do not overlap.

import { shortened, svg } from "./dom.js";
import { mean, spots } from "./geometry.js";

// Okabe and Ito's: told apart also by the colour-blind. From the ninth decision on they come back, hatched.
const COLOURS = ["#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#999999", "#0072B2", "#D55E00"];
const HATCHES = ["M0 4H8", "M4 0V8", "M0 8L8 0M-2 2L2 -2M6 10L10 6", "M0 0L8 8M6 -2L10 2M-2 6L2 10", "M0 4H8M4 0V8", "M4 4h.1"];

export const colour = (decision) => COLOURS[decision % COLOURS.length];
const hatch = (decision) => HATCHES[(Math.floor(decision / COLOURS.length) - 1) % HATCHES.length];

export const fill = (decision) => (decision < COLOURS.length ? colour(decision) : `url(#hatch-${decision})`);

/** The patterns for the decisions from the ninth on; shared by the picture and its legend. */
export function hatches(count) {
  const beyond = Array.from({ length: Math.max(0, count - COLOURS.length) }, (_, k) => k + COLOURS.length);
  return beyond.map((k) => svg("pattern", { id: `hatch-${k}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    svg("rect", { width: 8, height: 8, fill: colour(k), opacity: 0.55 }),
    svg("path", { d: hatch(k), class: "hatch" })));
}

/** Stripes tell a band from every colour below it. */
export function bandHatch() {
  return svg("pattern", { id: "band-hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 6, height: 6, class: "veil" }), svg("path", { d: "M0 3H6", class: "stripe" }));
}

export function swatch(decision) {
  return svg("svg", { class: "swatch", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("rect", { x: 1, y: 1, width: 14, height: 14, rx: 2, class: "cell", fill: fill(decision) }));
}

const SIZE = 13;
let ruler = null;

export function textWidth(text, size = SIZE) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `600 ${size}px system-ui, sans-serif`;
  return ruler.measureText(text).width;
}

export const box = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Name polygons inside where there is room, else by the number that the legend gives; `taken` keeps texts apart. */
export function named(polygons, names, taken) {
  const unnamed = new Set();
  const centre = mean(polygons.flatMap(({ polygon }) => polygon));
  const texts = polygons.map(({ decision, polygon }) => {
    const name = inside(polygon, shortened(names[decision], 22), 12, 5, taken);
    if (name) return name;
    unnamed.add(decision);
    const number = String(decision + 1);
    return inside(polygon, number, 2, 1, taken) ?? beside(mean(polygon), number, centre, taken);
  });
  return { texts: texts.filter(Boolean), unnamed };
}

function inside(polygon, text, wider, higher, taken) {
  const [width, height] = [textWidth(text) + wider, SIZE + higher];
  const found = spots(polygon, width, height).find(([x, y]) => free(taken, box(x, y, width, height)));
  return found ? label(...found, text) : null;
}

function free(taken, wanted) {
  if (taken.some((other) => overlap(other, wanted))) return false;
  taken.push(wanted);
  return true;
}

const ANGLES = [0, 1, -1, 2, -2, 3, -3, 4].map((k) => (k * Math.PI) / 4);

/** A number next to a cell too small for it, with a leader; away from the middle first, where there is room. */
function beside([x, y], number, [cx, cy], taken) {
  const outwards = Math.atan2(y - cy, x - cx);
  for (const far of [24, 34, 46]) {
    for (const angle of ANGLES) {
      const [u, v] = [x + far * Math.cos(outwards + angle), y + far * Math.sin(outwards + angle)];
      if (!free(taken, box(u, v, textWidth(number) + 2, SIZE))) continue;
      return svg("g", {}, svg("line", { x1: x, y1: y, x2: u, y2: v, class: "leader" }), label(u, v, number));
    }
  }
  return null;
}

export function label(x, y, text, more = {}) {
  return svg("text", { x, y, class: "named", "text-anchor": "middle", "dominant-baseline": "central", ...more }, text);
}
