// What depends on one cost: the interval in which nothing changes, and a range that the user gives.

import { byId, element, set, write } from "./dom.js";
import { aborted, ask, Newest } from "./server.js";
import { question } from "./state.js";

export class Sensitivity {
  constructor(store, picture) {
    Object.assign(this, { store, picture, useful: new Map(), cell: null, hovered: null, fresh: false, range: null });
    this.asking = new Newest((asked, signal) => this.#askRange(asked, signal), { delay: 30 });
    byId("range").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#give();
    });
    byId("range-clear").addEventListener("click", () => this.#clear());
  }

  work(signal, progress) {
    return ask("sensitivity", { state: question(this.store.state) }, { signal, progress });
  }

  show({ text, costs, notes }) {
    this.useful = new Map(costs.map((cost) => [`${cost.label} ${cost.decision}`, cost.useful]));
    this.fresh = true;
    write(byId("sensitivity-text"), text);
    byId("sensitivity-notes").replaceChildren(...notes.map((note) => element("li", {}, note)));
    this.#tell();
  }

  edited() {
    this.fresh = false;
    this.#tell();
  }

  /** The costs have changed and are drawn: the range is drawn with them, if its cell is still there. */
  drawn() {
    if (!this.range) return;
    const { labels, decisions } = this.store.state;
    if (this.range.row < labels.length && this.range.column < decisions.length) this.asking.request(this.range);
    else this.#clear();
  }

  lookAt(cell, focused) {
    if (focused && cell) this.cell = cell; // the form keeps it when the focus moves on
    if (!focused || cell) this.hovered = focused ? null : cell;
    this.#tell();
  }

  #tell() {
    const { labels, decisions, gains } = this.store.state;
    const [row, column] = this.hovered ?? this.cell ?? [];
    const known = row < labels.length && column < decisions.length;
    byId("range").hidden = !(this.cell && this.cell[0] < labels.length && this.cell[1] < decisions.length);
    this.#nameForm(labels, decisions);
    if (!known) {
      write(byId("cost-title"), "");
      write(byId("cost-note"), `Point at a ${gains ? "gain" : "cost"}, or move to it, to see how far it can change before other decisions become useful.`);
      return;
    }
    write(byId("cost-title"), `${decisions[column]} when the truth is ${labels[row]}`);
    const text = this.useful.get(`${row} ${column}`);
    write(byId("cost-note"), this.fresh ? sentence(text) : "How far it can change is computed once the costs have settled.");
  }

  #nameForm(labels, decisions) {
    if (!this.cell) return;
    const [row, column] = this.cell;
    write(byId("range-title"), `If ${decisions[column] ?? ""} when ${labels[row] ?? ""} were anything`);
  }

  #give() {
    if (!this.cell) return;
    const [row, column] = this.cell;
    this.range = { row, column, low: byId("range-low").value, high: byId("range-high").value };
    this.asking.request(this.range);
  }

  #clear() {
    this.range = null;
    this.picture.set("range", null);
    write(byId("range-text"), "");
    byId("range-clear").hidden = true;
  }

  async #askRange(range, signal) {
    const { state } = this.store;
    const invalid = (bad) => [byId("range-low"), byId("range-high")].forEach((input) => set(input, "aria-invalid", bad));
    try {
      const answer = await ask("range", { state: question(state), ...range, cut: state.cut }, { signal });
      if (range !== this.range) return;
      invalid(null);
      this.picture.set("range", answer);
      const where = `${state.decisions[range.column]} when ${state.labels[range.row]}, ${range.low} to ${range.high}`;
      write(byId("range-text"), `${where}: ${answer.text}`);
      byId("range-clear").hidden = false;
    } catch (error) {
      if (aborted(error)) return;
      if (error.status === 200) invalid("true");
      write(byId("range-text"), error.message);
    }
  }
}

function sentence(useful) {
  if (!useful) return "Nothing was computed for this one.";
  return `The same decisions stay useful for ${useful}.`;
}
