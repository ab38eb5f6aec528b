// What common estimators do with these costs: one fold for each way of training and deciding, and a surrogate drawn
// over the picture.

import { byId, element, paragraphs, write } from "./dom.js";
import { aborted, ask, Newest } from "./server.js";
import { question } from "./state.js";

const FEW = 3; // estimators named before the fold is opened

const STATUS = {
  calibrated: ["✓", "right", "good"],
  "not calibrated": ["✗", "wrong", "wrong"],
  "no verdict": ["?", "no verdict", "open"],
};
const KEPT = { true: ["✓", "can be kept", "good"], false: ["✗", "cannot serve", "wrong"], null: ["?", "not decided", "open"] };

export class Practices {
  constructor(store, picture) {
    Object.assign(this, { store, picture, where: byId("practices") });
  }

  work(signal, progress) {
    return ask("practices", { state: question(this.store.state) }, { signal, progress });
  }

  show({ note, practices }) {
    const open = new Set([...this.where.querySelectorAll("details[open]")].map(({ dataset }) => dataset.key));
    this.picture.set("example", null);
    write(byId("practices-note"), note ?? "");
    this.where.replaceChildren(...practices.map((practice) => this.#row(practice, open)));
  }

  #row(practice, open) {
    const [symbol, words, kind] = STATUS[practice.status] ?? KEPT[practice.keep]; // no status: what it says is no decision
    const price = practice.price_per_1000;
    const summary = element("summary", {},
      element("span", { class: `status ${kind}` }, element("span", { "aria-hidden": "true" }, `${symbol} `), words, element("span", { class: "unseen" }, " for these costs")),
      element("span", { class: "way" }, `${practice.trains}, then ${practice.pred}`),
      element("span", { class: "price" }, price ? `${shown(price)} lost per 1000 in the example` : price === 0 ? "nothing lost" : ""),
      practice.advice ? element("span", { class: "advice" }, brief(practice.advice)) : null,
      element("span", { class: "estimators" }, few(practice.estimators)));
    const key = `${practice.trains}|${practice.pred}`;
    const fold = element("details", { "data-key": key, open: open.has(key) }, summary, element("div", { class: "inside" }, this.#inside(practice)));
    fold.addEventListener("toggle", () => this.#opened(fold, practice));
    return fold;
  }

  #inside(practice) {
    const said = practice.said ? paragraphs(practice.said) : [];
    const estimators = element("p", { class: "hint" }, practice.estimators.join(", "));
    const more = practice.advice && brief(practice.advice) !== `→ ${practice.advice}`;
    const advice = more ? [...paragraphs(`Advice: ${practice.advice}`), estimators] : [estimators];
    if (!practice.at) return [...said, ...advice];
    const { labels } = this.store.state;
    const place = (practice.distribution ?? practice.at.map(String)).map((text, k) => [labels[k], text]).filter(([, text]) => text !== "0");
    const where = `It goes wrong at ${place.map(([name, text]) => `P(${name}) = ${text}`).join(", ")}`;
    return [element("p", { class: "where" }, `${where}${practice.said ? ":" : "."}`), ...said, ...advice];
  }

  #opened(fold, practice) {
    if (fold.open && practice.at) {
      this.shownBy = fold;
      this.picture.set("example", { p: practice.at, of: `${practice.trains}, then ${practice.pred}` });
    } else if (this.shownBy === fold) {
      this.shownBy = null;
      this.picture.set("example", null);
    }
  }
}

const few = (names) => names.slice(0, FEW).join(", ") + (names.length > FEW ? ` and ${names.length - FEW} more` : "");
const brief = (advice) => `→ ${advice.split(/[;\n]/)[0]}`;
const shown = (price) => price.toLocaleString("en", { maximumSignificantDigits: 4 });

export class Overlay {
  constructor(store, picture) {
    Object.assign(this, { store, picture, select: byId("overlay") });
    this.asking = new Newest((state, signal) => this.#ask(state, signal), { delay: 30 });
    this.select.addEventListener("change", () => store.change({ overlay: this.select.value || undefined }, { quiet: true }));
  }

  /** Called with every good picture, for the choice depends on the costs. */
  show({ surrogates }) {
    const known = [...this.select.options].slice(1).map(({ value }) => value);
    if (JSON.stringify(known) !== JSON.stringify(surrogates)) {
      this.select.replaceChildren(element("option", { value: "" }, "none"), ...surrogates.map((name) => element("option", { value: name }, name)));
    }
    const { overlay } = this.store.state;
    this.select.value = surrogates.includes(overlay) ? overlay : "";
    if (this.select.value) this.asking.request(this.store.state);
    else this.#clear();
  }

  #clear() {
    this.picture.set("overlay", null);
    write(byId("overlay-text"), "");
  }

  async #ask(state, signal) {
    const { overlay, cut } = state;
    try {
      const answer = await ask("overlay", { state: question(state), surrogate: overlay, ...(cut && { cut }) }, { signal });
      if (overlay !== this.store.state.overlay) return;
      this.picture.set("overlay", answer);
      write(byId("overlay-text"), answer.text);
    } catch (error) {
      if (aborted(error)) return;
      this.#clear();
      write(byId("overlay-text"), error.message);
    }
  }
}
