// The rule in words, the dimension and its design, code to copy, and files to keep.

import { byId, copy, element, tell, write } from "./dom.js";
import { Job } from "./jobs.js";
import { ask } from "./server.js";
import { question } from "./state.js";

export function showRule({ rule, acting, claim }) {
  write(byId("rule-heading"), rule.heading);
  const list = byId("rule-sentences");
  if (JSON.stringify([...list.children].map((li) => li.textContent)) !== JSON.stringify(rule.sentences)) {
    list.replaceChildren(...rule.sentences.map((text) => element("li", {}, text)));
  }
  // Numbers only where the order decides.
  list.classList.toggle("unnumbered", !rule.heading.startsWith("The first"));
  write(byId("acting"), acting?.text ?? "");
  write(byId("claim"), claim ?? "");
}

export class Dimension {
  constructor(store, code) {
    Object.assign(this, { store, code });
  }

  work(signal, progress) {
    return ask("dimension", { state: question(this.store.state) }, { signal, progress });
  }

  show({ claim, bounds, design, code }) {
    const rows = bounds.map(({ side, value, theorem, why }) => element("tr", {},
      element("td", {}, side), element("td", { class: "number" }, String(value)), element("td", {}, theorem), element("td", {}, why)));
    const heads = ["side", "value", "by", "why"].map((text) => element("th", { scope: "col" }, text));
    const table = element("div", { class: "scroll" }, element("table", { class: "bounds" },
      element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows)));
    const fold = byId("dimension").querySelector("details");
    byId("dimension").replaceChildren(
      element("p", { class: "claim" }, claim),
      ...(design ? designed(design) : []),
      element("details", { open: fold?.open }, element("summary", {}, "Theory: where the bounds come from"), table));
    this.code.show({ sklearn: code?.sklearn, torch: code?.torch });
  }
}

function designed({ dim, text }) {
  const words = `A surrogate that learns ${dim === 1 ? "one real-valued function" : `${dim} real-valued functions`} is designed for these costs.`;
  return [element("p", {}, words), element("details", {}, element("summary", {}, "The design"), element("pre", { tabindex: 0 }, text))];
}

const SNIPPETS = [
  ["decide", "Decide with the model you have"],
  ["sklearn", "Train with scikit-learn"],
  ["torch", "Train with PyTorch"],
];

export class Code {
  constructor() {
    this.texts = {};
    byId("code").append(...SNIPPETS.map(([key, title]) => this.#snippet(key, title)));
  }

  #snippet(key, title) {
    const button = element("button", { type: "button", "aria-label": `Copy: ${title}`, onclick: () => this.#copy(key) }, "Copy");
    // Code is scrolled sideways, so it must be reachable by keyboard.
    const pre = element("pre", { tabindex: 0, "data-code": key, "aria-label": title });
    return element("div", { class: "snippet", hidden: true }, element("div", { class: "snippet-head" }, element("h3", {}, title), button), pre);
  }

  show(texts) {
    for (const [key, text] of Object.entries(texts)) {
      if (text === undefined || text === null) continue;
      const pre = byId("code").querySelector(`[data-code=${key}]`);
      write(pre, text);
      pre.parentElement.hidden = !text;
      this.texts[key] = text;
    }
  }

  async #copy(key) {
    if (await copy(this.texts[key])) return tell("Copied.");
    const pre = byId("code").querySelector(`[data-code=${key}]`);
    getSelection().selectAllChildren(pre);
    return tell("The browser does not allow copying; the text is selected: press Ctrl+C.");
  }
}

const KINDS = { certificate: "Proving the answers", report: "Writing the report", csv: "Writing the CSV file", json: "Writing the JSON file" };

/** The buttons that fetch a file; reports and certificates may take long, so each is a job that can be stopped. */
export class Downloads {
  constructor(store) {
    this.jobs = Object.entries(KINDS).map(([kind, doing]) => {
      const place = document.querySelector(`[data-file=${kind}]`);
      const job = new Job(byId("download-end"), {
        doing, again: "Try again", kind: "file", show: save,
        work: (signal, progress) => ask("file", { state: question(store.state), kind }, { signal, progress }),
      });
      place.addEventListener("click", () => job.start());
      return job;
    });
  }

  edited() {
    this.jobs.forEach((job) => job.abort());
  }
}

function save({ name, type, text }) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still be reading it
  tell(`${name} is ready.`);
}
