// Long computations: they start once typing has settled, show how far they are, and can be stopped.

import { element, set, write } from "./dom.js";
import { aborted } from "./server.js";

const SETTLED = 600;

/** One long computation with its line of progress. `work(signal, progress)` gives what `show` then draws. */
export class Job {
  constructor(place, { doing, work, show, again = "Compute", kind = "" }) {
    Object.assign(this, { place, doing, work, show, controller: null });
    this.text = element("span", { class: "job-text" });
    this.bar = element("progress", { "aria-label": doing });
    this.stopper = element("button", { type: "button", class: "stop", onclick: () => this.stop(), "aria-label": `Stop: ${doing}` }, "Stop");
    this.starter = element("button", { type: "button", class: "start", onclick: () => this.start(), "aria-label": `${again}: ${doing}` }, again);
    this.line = element("div", { class: `job idle ${kind}` }, this.text, this.bar, this.stopper, this.starter);
    const slot = document.querySelector(`[data-job=${place.id}]`); // beside the heading, so that nothing jumps
    if (slot) slot.append(this.line);
    else place.before(this.line);
  }

  async start() {
    this.abort();
    const controller = (this.controller = new AbortController());
    this.#say(`${this.doing}…`, { running: true });
    try {
      const answer = await this.work(controller.signal, (done, total) => this.#progress(controller, done, total));
      if (this.controller !== controller) return;
      this.show(answer);
      this.#say("");
      set(this.place, "data-stale", null);
    } catch (error) {
      if (this.controller !== controller) return;
      this.#say(aborted(error) ? `Stopped: ${this.doing.toLowerCase()}.` : error.message, { startable: true });
    } finally {
      if (this.controller === controller) this.controller = null;
    }
  }

  stop() {
    const focused = this.stopper === document.activeElement;
    this.controller?.abort();
    // The button is about to vanish; keyboard users should not lose their place.
    if (focused) requestAnimationFrame(() => this.starter.focus());
  }

  /** An edit makes the running computation pointless; its last answer stays, marked as old. */
  abort() {
    this.controller?.abort();
    this.controller = null;
    set(this.place, "data-stale", true);
    this.#say("");
  }

  #progress(controller, done, total) {
    if (this.controller !== controller) return;
    if (total) {
      set(this.bar, "max", total);
      set(this.bar, "value", done);
    } else {
      set(this.bar, "value", null);
    }
    write(this.text, total ? `${this.doing}: ${done} of ${total}` : done ? `${this.doing}: ${done}` : `${this.doing}…`);
  }

  #say(text, { running = false, startable = false } = {}) {
    write(this.text, text);
    set(this.bar, "value", null);
    this.line.classList.toggle("idle", !text);
    this.bar.hidden = this.stopper.hidden = !running;
    this.starter.hidden = !startable;
    set(this.place, "aria-busy", running ? "true" : null);
  }
}

/** Abort all at every edit; start all once there was none for a while. */
export class Jobs {
  constructor(jobs) {
    this.jobs = jobs;
    this.timer = null;
  }

  edited() {
    clearTimeout(this.timer);
    this.jobs.forEach((job) => job.abort());
  }

  /** Called with every good picture: before one there is nothing to compute with. */
  settle() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.jobs.forEach((job) => job.start()), SETTLED);
  }
}
