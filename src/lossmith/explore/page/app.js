// Everything together: an edit asks for the picture at once, and for what takes longer once typing has settled.

import { Cut } from "./cut.js";
import { byId, tell } from "./dom.js";
import { Job, Jobs } from "./jobs.js";
import { Code, Dimension, Downloads, showRule } from "./panels.js";
import { Picture } from "./picture.js";
import { Point } from "./point.js";
import { Overlay, Practices } from "./practices.js";
import { Sensitivity } from "./sensitivity.js";
import { aborted, ask, Newest, start } from "./server.js";
import { bindAddress, decoded, EMPTY, question, Store, tidy } from "./state.js";
import { Table } from "./table.js";
import { Toolbar } from "./toolbar.js";
import { Varied } from "./varied.js";

class App {
  constructor(store, { examples, limits }) {
    this.store = store;
    this.edits = []; // the times of edits whose picture is not there yet
    this.version = 0;
    this.picture = new Picture((p) => this.point.move(p));
    this.point = new Point(store, this.picture);
    this.cut = new Cut(store);
    this.sensitivity = new Sensitivity(store, this.picture);
    this.varied = new Varied(store, this.picture, () => this.sensitivity.range);
    this.practices = new Practices(store, this.picture);
    this.overlay = new Overlay(store, this.picture);
    this.code = new Code();
    this.dimension = new Dimension(store, this.code);
    this.downloads = new Downloads(store);
    this.toolbar = new Toolbar(store, examples);
    this.table = new Table(store, {
      matrix: (text) => this.toolbar.matrix(text),
      cell: (cell, focused) => [this.sensitivity, this.varied].forEach((each) => each.lookAt(cell, focused)),
      complain: tell,
    });
    this.table.limits = limits;
    this.jobs = new Jobs([
      job("practices", "Checking practices", this.practices),
      job("dimension", "Bounding the dimension", this.dimension),
      job("sensitivity-result", "Varying each cost", this.sensitivity),
    ]);
    this.pictures = new Newest((asked, signal) => this.#ask(asked, signal), { delay: 10 });
    store.addEventListener("change", ({ detail }) => (detail.matrix ? this.edited() : this.moved()));
  }

  /** The matrix has changed. */
  edited() {
    this.version += 1;
    this.edits.push({ version: this.version, at: performance.now() });
    this.toolbar.show();
    this.table.show();
    this.point.show();
    this.jobs.edited();
    this.downloads.edited();
    this.sensitivity.edited();
    this.varied.edited();
    this.#request();
  }

  /** Only the point or the view has changed. */
  moved() {
    const { state } = this.store;
    this.toolbar.show();
    this.point.show();
    if (state.p !== this.asked?.p) this.point.refresh();
    if (state.cut !== this.asked?.cut) this.#request();
    else if (state.overlay !== this.asked?.overlay && this.answer) this.overlay.show(this.answer);
    this.asked = state;
  }

  #request() {
    this.asked = this.store.state;
    this.pictures.request({ state: this.store.state, version: this.version });
  }

  async #ask({ state, version }, signal) {
    try {
      const { cut } = state;
      const answer = await ask("picture", { state: question(state), ...(cut && { cut }) }, { signal });
      this.#show(answer, version);
    } catch (error) {
      if (aborted(error)) return;
      if (error.status !== 200) tell(error.message);
      // The last good picture stays; a newer edit may already have mended the cell.
      else if (version === this.version) this.table.mark(error.cell, error.message);
    }
  }

  #show(answer, version) {
    this.answer = answer;
    this.picture.show(answer);
    showRule(answer);
    this.cut.show(answer);
    this.#measure(version);
    if (version !== this.version) return; // a newer picture is on its way, with all the rest
    this.table.mark(null);
    this.table.grey(answer.redundant);
    this.overlay.show(answer);
    this.sensitivity.drawn();
    this.varied.drawn();
    this.point.refresh();
    if (this.settled === version) return; // only the cut has changed
    this.settled = version;
    this.code.show({ decide: answer.code.decide, sklearn: answer.code.train, torch: answer.code.torch });
    this.jobs.settle();
  }

  #measure(version) {
    const shown = this.edits.filter((edit) => edit.version <= version);
    this.edits = this.edits.filter((edit) => edit.version > version);
    document.body.dataset.ready = Number(document.body.dataset.ready ?? 0) + 1;
    const measure = () => shown.forEach(({ at }) => performance.measure("edit-to-picture", { start: at, end: performance.now() }));
    requestAnimationFrame(measure); // when it is about to be painted
  }
}

function job(id, doing, panel) {
  return new Job(byId(id), { doing, work: (...asked) => panel.work(...asked), show: (answer) => panel.show(answer) });
}

async function begin() {
  let known = { examples: [], limits: { labels: 60, decisions: 60, letters: 200 } };
  try {
    known = await start();
  } catch (error) {
    tell(error.message);
  }
  const given = decoded(location.hash);
  if (!given && location.hash.length > 1) tell("The text after # in the address is not a state of this page.");
  const store = new Store(given ?? tidy(known.examples[0]?.state ?? EMPTY));
  const app = new App(store, known);
  bindAddress(store, tell);
  app.edited();
}

begin();
