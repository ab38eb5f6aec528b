// The cost that is pointed at, or has the focus, is varied a little: the thresholds that move are drawn as bands.

import { byId, element, plain, write } from "./dom.js";
import { sample } from "./shapes.js";
import { aborted, ask, Newest } from "./server.js";
import { question } from "./state.js";

const SOON = 40; // who only passes over a cost asks nothing
const LATER = 90; // from one cost to the next there is a gap, in which nothing should vanish
const TYPED = 300; // and nothing is drawn between two letters

export class Varied {
  /** `given()` is the range that the user gave, if any: in its own cell that is drawn. */
  constructor(store, picture, given) {
    Object.assign(this, { store, picture, given, hovered: null, focused: null, timer: null, known: new Map(), drawnNow: false });
    this.asking = new Newest((asked, signal) => this.#ask(asked, signal), { patience: 0 });
  }

  lookAt(cell, focused) {
    if (focused) this.focused = cell;
    if (!focused || cell) this.hovered = focused ? null : cell;
    this.#soon(this.#cell() ? SOON : LATER);
  }

  /** The matrix has changed: what was drawn is no longer true, and no question may be in the way of the next picture. */
  edited() {
    this.drawnNow = false;
    clearTimeout(this.timer);
    this.#clear();
  }

  /** The picture shows the costs as they are. */
  drawn() {
    this.asking.cancel();
    this.drawnNow = true;
    this.known = new Map(); // of these costs, and the labels that are drawn
    this.#soon(TYPED);
  }

  #cell() {
    const [row, column] = this.hovered ?? this.focused ?? [];
    const { labels, decisions } = this.store.state;
    const range = this.given();
    if (range && range.row === row && range.column === column) return null;
    return row < labels.length && column < decisions.length ? { row, column } : null;
  }

  #soon(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#look(), delay);
  }

  #look() {
    const cell = this.#cell();
    if (!cell || !this.drawnNow) return this.#clear();
    const known = this.known.get(`${cell.row} ${cell.column}`);
    if (!known) return this.asking.request({ cell, state: this.store.state, known: this.known });
    this.asking.cancel();
    return this.#show(cell, known);
  }

  async #ask({ cell, state, known }, signal) {
    const { row, column } = cell;
    try {
      const answer = await ask("varied", { state: question(state), row, column, cut: state.cut }, { signal });
      if (signal.aborted) return;
      known.set(`${row} ${column}`, answer);
      this.#show(cell, answer);
    } catch (error) {
      if (!aborted(error)) this.#clear();
    }
  }

  #show({ row, column }, answer) {
    this.picture.set("varied", answer);
    const { labels, decisions } = this.store.state;
    const ends = answer.bands.length ? ["low", "high"].map((end) => element("span", { class: "end" }, " ", sample(end), ` at ${plain(answer[end])}`)) : [];
    const cost = element("strong", {}, `${decisions[column]} when the truth is ${labels[row]}`);
    byId("varied-text").replaceChildren(cost, `, ${answer.text.replaceAll(" %", "\u00a0%")}`, ...ends);
    byId("varied-hint").hidden = true;
  }

  #clear() {
    this.asking.cancel();
    this.picture.set("varied", null);
    write(byId("varied-text"), "");
    byId("varied-hint").hidden = false;
  }
}
