// The probabilities: sliders and numbers, and what is best there. The decision always is the server's.

import { byId, element, plain, set, write } from "./dom.js";
import * as fraction from "./fraction.js";
import { swatch } from "./paint.js";
import { aborted, ask, Newest } from "./server.js";
import { middle, question } from "./state.js";

export class Point {
  constructor(store, picture) {
    Object.assign(this, { store, picture, where: byId("probabilities"), names: "", known: null });
    this.asking = new Newest((state, signal) => this.#ask(state, signal));
    this.where.addEventListener("input", (event) => this.#typed(event.target));
    this.where.addEventListener("focusout", () => this.show());
    byId("even").addEventListener("click", () => this.#change(middle(store.state.labels.length)));
  }

  /** A dragged point comes as floats. */
  move(floats) {
    this.#change(fraction.distribution(floats));
  }

  #change(p) {
    this.store.change({ p }, { quiet: true });
  }

  show() {
    const { labels, p } = this.store.state;
    if (JSON.stringify(labels) !== this.names) this.#build(labels);
    const floats = p.map(fraction.float);
    labels.forEach((name, k) => {
      const [slider, number] = this.where.children[k].querySelectorAll("input");
      if (slider !== document.activeElement || Math.abs(Number(slider.value) - floats[k]) > 0.0006) slider.value = floats[k].toFixed(3);
      set(slider, "aria-valuetext", `${Number((100 * floats[k]).toFixed(2))} percent ${name}`);
      if (number === document.activeElement) return;
      set(number, "aria-invalid", null);
      number.value = p[k].length <= 8 ? p[k] : String(Number(floats[k].toFixed(6)));
    });
    this.picture.point(floats, p === this.known?.p ? this.known.next : null);
  }

  /** Ask what is best here; also called when the costs have changed. */
  refresh() {
    this.asking.request(this.store.state);
  }

  #build(labels) {
    this.names = JSON.stringify(labels);
    this.where.replaceChildren(...labels.map((name, k) => element("div", { class: "probability" },
      element("span", { class: "label", title: name }, name),
      element("input", { type: "range", min: 0, max: 1, step: 0.001, "data-label": k, "aria-label": `probability of ${name}` }),
      element("input", { type: "text", inputmode: "decimal", autocomplete: "off", "data-probability": k, "aria-label": `probability of ${name}, as a number` }))));
  }

  #typed(input) {
    const index = Number(input.dataset.label ?? input.dataset.probability);
    const wanted = fraction.read(input.value);
    const good = wanted !== null && !fraction.less(fraction.ONE, wanted);
    set(input, "aria-invalid", good ? null : "true");
    write(byId("point-message"), good ? "" : "A probability is a number from 0 to 1, such as 0.25, 1/4 or 25 %.");
    if (good) this.#change(fraction.changed(this.store.state.p, index, wanted));
  }

  async #ask(state, signal) {
    try {
      const answer = await ask("at", { state: question(state), p: state.p }, { signal });
      // While a point is dragged the answer is a little old; the picture shows the way only from where it is.
      this.#tell(answer, state);
    } catch (error) {
      // A cell that cannot be read is already marked by the picture; the last good answer stays.
      if (!aborted(error) && !error.cell && error.status !== 200) write(byId("point-message"), error.message);
    }
  }

  #tell(answer, { decisions, gains, labels, p }) {
    const names = answer.best.map((k) => decisions[k]);
    write(byId("decision"), names.join(" or "));
    byId("decision-swatches").replaceChildren(...answer.best.map(swatch));
    write(byId("next"), names.length > 1 ? "A tie: each of these is best here, and the least move decides." : nextChange(answer.next, decisions, labels));
    this.#bars(answer, decisions, gains);
    this.known = { p, next: answer.next };
    if (p === this.store.state.p) this.picture.point(answer.p.map(({ value }) => value), answer.next);
  }

  #bars({ expected, best }, decisions, gains) {
    const values = expected.map(({ value }) => value);
    const low = Math.min(0, ...values);
    const span = Math.max(0, ...values) - low || 1;
    write(byId("expected-title"), gains ? "Expected gain that each decision misses" : "Expected cost of each decision");
    const list = byId("expected");
    if (list.children.length !== decisions.length) list.replaceChildren(...decisions.map(row));
    decisions.forEach((name, k) => {
      const [tick, who, track, number] = list.children[k].children;
      const chosen = best.includes(k);
      list.children[k].classList.toggle("best", chosen);
      write(tick, chosen ? "✓" : "");
      write(who, name);
      set(who, "title", name);
      track.firstChild.style.left = `${(100 * (Math.min(0, values[k]) - low)) / span}%`;
      track.firstChild.style.width = `${Math.max(0.4, (100 * Math.abs(values[k])) / span)}%`;
      write(number.firstChild, plain(expected[k]));
      set(number, "title", expected[k].exact);
      write(number.lastChild, chosen ? " (best)" : "");
    });
  }
}

/** A row is changed, not replaced, when the point moves: its bar can glide, and a reader keeps its place. */
function row() {
  return element("li", {}, element("span", { class: "tick-mark", "aria-hidden": "true" }), element("span", { class: "who" }),
    element("span", { class: "track", "aria-hidden": "true" }, element("span", { class: "bar" })),
    element("span", { class: "number" }, element("span"), element("span", { class: "unseen" })));
}

function nextChange(next, decisions, labels) {
  if (!next) return "No change of the probabilities alters this decision.";
  const where = next.p.length === labels.length ? next.p.map((x, k) => [x, labels[k]]).filter(([x]) => x.value > 0) : [];
  const place = where.slice(0, 4).map(([x, name]) => `${name} ${plain(x)}`).join(", ") + (where.length > 4 ? ", …" : "");
  return `Nearest change: to ${decisions[next.decision]}, once ${plain(next.moved)} of the probability has moved${place ? ` (at ${place})` : ""}.`;
}
