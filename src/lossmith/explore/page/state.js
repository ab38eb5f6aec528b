// The matrix as the user typed it, with undo, and its text form in the address.

import { distribution, float, reciprocal } from "./fraction.js";

export const EMPTY = {
  name: "costs",
  labels: ["no", "yes"],
  decisions: ["leave", "act"],
  costs: [["0", "1"], ["5", "1"]],
  gains: false,
};

export function encoded(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The state in a fragment, or in an address that ends in one; null where there is none. */
export function decoded(text) {
  try {
    const base64 = text.trim().split("#").at(-1).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return tidy(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

const texts = (list) => Array.isArray(list) && list.length > 0 && list.every((x) => typeof x === "string");

/** A state of the right shape, or null: a fragment is somebody else's text. */
export function tidy(given) {
  if (!given || !texts(given.labels) || !texts(given.decisions) || !Array.isArray(given.costs)) return null;
  const { labels, decisions, costs } = given;
  const square = costs.length === labels.length && costs.every((row) => texts(row) && row.length === decisions.length);
  if (!square) return null;
  const state = { name: String(given.name ?? ""), labels, decisions, costs, gains: Boolean(given.gains) };
  state.p = texts(given.p) && given.p.length === labels.length ? given.p : middle(labels.length);
  const cut = Array.isArray(given.cut) ? given.cut.filter((k) => Number.isInteger(k) && k >= 0 && k < labels.length) : [];
  if (cut.length >= 2 && cut.length <= 4 && new Set(cut).size === cut.length) state.cut = cut;
  if (typeof given.overlay === "string" && given.overlay) state.overlay = given.overlay;
  return state;
}

export const middle = (count) => Array(count).fill(reciprocal(count));

/** What the server needs of a state: without the page's own keys, so that equal questions are equal texts. */
export function question({ name, labels, decisions, costs, gains }) {
  return { name, labels, decisions, costs, gains };
}

export class Store extends EventTarget {
  constructor(state) {
    super();
    this.state = state;
    this.past = [];
    this.future = [];
    this.merging = null;
  }

  /** Change the state. Changes in a row with the same `merge` are one step to undo; `quiet` ones are none. */
  change(changes, { merge = null, quiet = false } = {}) {
    const before = this.state;
    this.state = tidy({ ...before, ...changes }) ?? before; // never a state that could not be shown
    if (quiet) return this.#announce(false);
    if (merge === null || merge !== this.merging) this.past.push(before);
    if (this.past.length > 500) this.past.shift();
    this.merging = merge;
    this.future = [];
    return this.#announce(true);
  }

  replace(state) {
    this.change({ cut: undefined, overlay: undefined, p: undefined, ...state });
  }

  /** The next change starts a step of its own. */
  seal() {
    this.merging = null;
  }

  undo() {
    this.#step(this.past, this.future);
  }

  redo() {
    this.#step(this.future, this.past);
  }

  #step(from, to) {
    if (!from.length) return;
    const { p, cut, overlay, labels } = this.state;
    to.push(this.state);
    this.state = from.pop();
    // The point and the view are not part of what is undone, unless the labels are others.
    if (this.state.labels.length === labels.length) this.state = tidy({ ...this.state, p, cut, overlay });
    this.seal();
    this.#announce(true);
  }

  #announce(matrix) {
    this.dispatchEvent(new CustomEvent("change", { detail: { matrix } }));
  }
}

const EVERY = 350; // browsers count replaceState; Safari refuses more than 100 in 30 seconds

/** Keep the address in step with the store, and load what somebody puts there. */
export function bindAddress(store, complain) {
  let waiting = null;
  let last = -Infinity;
  const save = () => {
    clearTimeout(waiting);
    waiting = null;
    last = performance.now();
    history.replaceState(null, "", encoded(store.state));
  };
  store.addEventListener("change", () => {
    const due = last + EVERY - performance.now();
    if (due <= 0) save();
    else waiting ??= setTimeout(save, due);
  });
  window.addEventListener("pagehide", () => waiting !== null && save());
  window.addEventListener("hashchange", () => {
    const state = decoded(location.hash);
    if (state) store.replace(state);
    else complain("The text after # in the address is not a state of this page.");
  });
  save();
}

// Changes of shape. Each returns what changes, so that the store can undo it.

function fresh(word, names) {
  let k = names.length + 1;
  while (names.includes(`${word} ${k}`)) k += 1;
  return `${word} ${k}`;
}

const without = (list, k) => list.filter((_, index) => index !== k);

export function addLabel({ labels, costs, decisions, p }) {
  return { labels: [...labels, fresh("label", labels)], costs: [...costs, decisions.map(() => "0")], p: [...p, "0"], cut: undefined };
}

export function addDecision({ decisions, costs }) {
  return { decisions: [...decisions, fresh("decision", decisions)], costs: costs.map((row) => [...row, "0"]) };
}

export function removeLabel({ labels, costs, p }, k) {
  const left = without(p, k).map(float);
  const even = left.every((x) => x === left[0]);
  return { labels: without(labels, k), costs: without(costs, k), p: even ? undefined : distribution(left), cut: undefined };
}

export function removeDecision({ decisions, costs }, k) {
  return { decisions: without(decisions, k), costs: costs.map((row) => without(row, k)) };
}

export function transposed({ labels, decisions, costs, p }) {
  const turned = decisions.map((_, j) => costs.map((row) => row[j]));
  return { labels: decisions, decisions: labels, costs: turned, p: labels.length === decisions.length ? p : undefined, cut: undefined };
}

export function withCost({ costs }, row, column, text) {
  return { costs: costs.map((line, i) => (i === row ? line.map((x, j) => (j === column ? text : x)) : line)) };
}

/** Write a block of numbers from a cell on; the table grows where the block reaches over its edge. */
export function withBlock(state, row, column, block) {
  let grown = state;
  while (grown.labels.length < row + block.length) grown = { ...grown, ...addLabel(grown) };
  while (grown.decisions.length < column + block[0].length) grown = { ...grown, ...addDecision(grown) };
  const costs = grown.costs.map((line) => [...line]);
  block.forEach((line, i) => line.forEach((text, j) => { costs[row + i][column + j] = text; }));
  const { labels, decisions, p, cut } = grown;
  return { labels, decisions, p, cut, costs };
}
