// Buttons and menus above the table: examples, files, undo, transpose, gains, and the state as text.

import { byId, copy, element, tell } from "./dom.js";
import { pasted } from "./paste.js";
import { ask } from "./server.js";
import { decoded, encoded, transposed } from "./state.js";

export class Toolbar {
  constructor(store, examples) {
    this.store = store;
    this.#examples(examples);
    this.#history();
    this.#shape();
    this.#files();
    this.#sharing();
  }

  show() {
    const { store } = this;
    byId("undo").disabled = !store.past.length;
    byId("redo").disabled = !store.future.length;
    byId("gains").value = store.state.gains ? "gains" : "costs";
    if (byId("name").value !== store.state.name) byId("name").value = store.state.name;
    byId("state-text").value = encoded(store.state);
    document.title = store.state.name ? `${store.state.name} · lossmith explore` : "lossmith explore";
  }

  #examples(examples) {
    const select = byId("examples");
    select.append(...examples.map(({ title }, k) => element("option", { value: k }, title)));
    select.addEventListener("change", () => {
      const chosen = examples[Number(select.value)];
      if (select.value !== "" && chosen) this.store.replace(chosen.state);
      select.value = "";
    });
  }

  #history() {
    byId("undo").addEventListener("click", () => this.store.undo());
    byId("redo").addEventListener("click", () => this.store.redo());
    document.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      // Fields that are not part of the matrix keep the undo of the browser.
      if (event.target.matches("input[type=text]") && !event.target.closest("#matrix")) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) this.store.redo();
      else this.store.undo();
    });
  }

  #shape() {
    byId("transpose").addEventListener("click", () => this.store.change(transposed(this.store.state)));
    byId("gains").addEventListener("change", ({ target }) => this.store.change({ gains: target.value === "gains" }));
    byId("name").addEventListener("input", ({ target }) => this.store.change({ name: target.value }, { merge: "name" }));
  }

  #files() {
    const field = byId("file");
    byId("open").addEventListener("click", () => field.click());
    field.addEventListener("change", () => {
      if (field.files[0]) this.#file(field.files[0]);
      field.value = ""; // the same file can be opened again
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.#file(event.dataTransfer.files[0]);
    });
    document.addEventListener("paste", (event) => this.#pasted(event));
  }

  async #file(file) {
    await this.matrix(await file.text(), file.name.replace(/\.[^.]*$/, ""));
  }

  #pasted(event) {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim().startsWith("#")) this.take(text);
    else if (pasted(text).kind !== "value") this.matrix(text);
  }

  /** A text that holds a whole matrix: only the server reads these, so that page and command line agree. */
  async matrix(text, name = null) {
    try {
      const { state } = await ask("read", { text });
      this.store.replace(name ? { ...state, name } : state);
      tell(`Read ${state.labels.length} labels and ${state.decisions.length} decisions.`);
    } catch (error) {
      tell(error.message);
    }
  }

  #sharing() {
    byId("copy-state").addEventListener("click", () => this.#copy());
    byId("state-text").addEventListener("focus", ({ target }) => target.select());
    byId("state-take").addEventListener("input", ({ target }) => {
      if (target.value.trim() && this.take(target.value)) target.value = "";
    });
  }

  async #copy() {
    if (await copy(encoded(this.store.state))) return tell("The state is on the clipboard; paste it here or after the address on another screen.");
    byId("share").open = true;
    byId("state-text").focus();
    return tell("The browser does not allow copying; the state is selected: press Ctrl+C.");
  }

  take(text) {
    const state = decoded(text);
    if (state) this.store.replace(state);
    else tell("That is not a state of this page: it begins with # and is copied whole.");
    return state !== null;
  }
}
