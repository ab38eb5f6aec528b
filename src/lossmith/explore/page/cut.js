// Which labels are drawn, where there are more than a picture can hold.

import { byId, element, set } from "./dom.js";

export class Cut {
  constructor(store) {
    this.store = store;
    this.where = byId("cut");
    this.selects = [0, 1, 2, 3].map((k) => element("select", { "aria-label": `label drawn at corner ${k + 1}`, onchange: () => this.#chosen(k) }));
    this.where.append(...this.selects);
  }

  show({ cut, cuttable, labels }) {
    this.where.hidden = !cuttable;
    if (!cuttable) return;
    this.selects.forEach((select, k) => {
      const names = k < 2 ? labels : ["(none)", ...labels];
      const known = [...select.options].map(({ text }) => text);
      if (JSON.stringify(known) !== JSON.stringify(names)) {
        select.replaceChildren(...names.map((name, index) => element("option", { value: k < 2 ? index : index - 1 }, name)));
      }
      select.value = String(cut[k] ?? -1);
      set(select, "data-was", select.value);
    });
  }

  #chosen(changed) {
    const values = this.selects.map((select) => Number(select.value));
    const before = Number(this.selects[changed].dataset.was);
    // Choosing a label that is already drawn elsewhere swaps the two.
    const twin = values.findIndex((value, k) => k !== changed && value >= 0 && value === values[changed]);
    if (twin >= 0) values[twin] = before;
    const cut = values.filter((value) => value >= 0);
    if (cut.length >= 2) this.store.change({ cut }, { quiet: true });
  }
}
