// The matrix as a table of inputs. It is rebuilt only when its shape changes, so that typing never loses the caret.

import { byId, element, set, write } from "./dom.js";
import { pasted } from "./paste.js";
import { addDecision, addLabel, removeDecision, removeLabel, withBlock, withCost } from "./state.js";

export class Table {
  /** `events`: matrix(text) for a pasted matrix, cell(place or null, focused) for what is looked at, complain(text). */
  constructor(store, events) {
    Object.assign(this, { store, events, where: byId("matrix"), limits: { labels: 60, decisions: 60 }, shape: "" });
    this.where.addEventListener("input", (event) => this.#typed(event.target));
    this.where.addEventListener("paste", (event) => this.#pasted(event));
    this.where.addEventListener("keydown", (event) => this.#moved(event));
    this.where.addEventListener("focusin", (event) => this.#lookedAt(event.target, true));
    this.where.addEventListener("focusout", () => {
      store.seal();
      events.cell(null, true);
      write(byId("unused-reason"), "");
    });
    this.where.addEventListener("pointerover", (event) => this.#lookedAt(event.target, false));
    this.where.addEventListener("pointerleave", () => events.cell(null, false));
  }

  show() {
    const { labels, decisions } = this.store.state;
    const shape = `${labels.length}×${decisions.length}`;
    if (shape !== this.shape) this.#build(labels.length, decisions.length);
    this.shape = shape;
    this.#fill();
  }

  #build(rows, columns) {
    const focus = document.activeElement?.dataset ?? {};
    const range = (count) => Array.from({ length: count }, (_, k) => k);
    const head = element("tr", {}, element("td", { class: "corner" }, element("span", {}, "decision →"), element("br"), element("span", {}, "truth ↓")),
      range(columns).map((j) => headCell("decision", j)));
    const body = range(rows).map((i) => element("tr", {}, headCell("label", i), range(columns).map((j) => costCell(i, j))));
    const foot = element("tr", {}, element("td", { class: "adder", colspan: columns + 1 }, this.#adder("label"), " ", this.#adder("decision")));
    this.where.tHead.replaceChildren(head);
    this.where.tBodies[0].replaceChildren(...body);
    this.where.tFoot.replaceChildren(foot);
    for (const button of this.where.querySelectorAll(".remove")) {
      button.addEventListener("click", () => this.#remove(button.dataset.remove, Number(button.dataset.index)));
    }
    if (focus.row !== undefined) this.cost(Math.min(focus.row, rows - 1), Math.min(focus.column, columns - 1)).focus();
  }

  #adder(what) {
    return element("button", { type: "button", class: "add", onclick: () => this.#add(what) }, `+ ${what}`);
  }

  #fill() {
    const { labels, decisions, costs } = this.store.state;
    const fill = (input, text, label) => {
      if (input.value !== text) input.value = text;
      set(input, "aria-label", label);
    };
    decisions.forEach((name, j) => this.#name("decision", j, name, fill, decisions.length));
    labels.forEach((name, i) => this.#name("label", i, name, fill, labels.length));
    costs.forEach((row, i) => row.forEach((text, j) => {
      fill(this.cost(i, j), text, `${this.store.state.gains ? "gain" : "cost"} of ${decisions[j]} when the truth is ${labels[i]}`);
    }));
  }

  #name(kind, k, name, fill, count) {
    const head = this.head(kind, k);
    fill(head.querySelector("input"), name, `name of ${kind} ${k + 1}`);
    head.querySelector("input").style.width = `${Math.max(4, Math.min(name.length, 20)) + 1.5}ch`;
    const button = head.querySelector("button");
    set(button, "aria-label", `remove ${kind} ${name}`);
    set(button, "title", `remove ${kind} ${name}`);
    button.disabled = count <= (kind === "label" ? 2 : 1);
  }

  head(kind, k) {
    const rows = this.where.tBodies[0].rows;
    return kind === "label" ? rows[k].cells[0] : this.where.tHead.rows[0].cells[k + 1];
  }

  cost(row, column) {
    return this.where.tBodies[0].rows[row]?.cells[Number(column) + 1]?.querySelector("input");
  }

  #typed(input) {
    const { row, column, name, index } = input.dataset;
    const { state } = this.store;
    if (row !== undefined) {
      this.store.change(withCost(state, Number(row), Number(column), input.value), { merge: `cost ${row} ${column}` });
    } else if (name !== undefined) {
      const key = `${name}s`;
      const names = state[key].map((old, k) => (k === Number(index) ? input.value : old));
      this.store.change({ [key]: names }, { merge: `${name} ${index}` });
    }
  }

  #add(what) {
    const count = this.store.state[`${what}s`].length;
    if (count >= this.limits[`${what}s`]) return this.events.complain(`At most ${count} ${what}s are read here.`);
    this.store.change((what === "label" ? addLabel : addDecision)(this.store.state));
    const input = this.head(what, count).querySelector("input");
    input.focus();
    return input.select();
  }

  #remove(what, k) {
    this.store.change((what === "label" ? removeLabel : removeDecision)(this.store.state, k));
    const left = this.store.state[`${what}s`].length;
    this.head(what, Math.min(k, left - 1)).querySelector("input").focus();
  }

  #pasted(event) {
    const text = event.clipboardData.getData("text/plain");
    const { row, column, name, index } = event.target.dataset;
    const found = pasted(text);
    if (found.kind === "value" || (row === undefined && name === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (found.kind === "matrix" || (found.kind === "names" && row !== undefined)) this.events.matrix(text);
    else if (row !== undefined) this.#block(Number(row), Number(column), found.rows);
    else this.#names(`${name}s`, Number(index), found.names ?? found.rows.flat());
  }

  #block(row, column, rows) {
    const tall = row + rows.length;
    const wide = column + rows[0].length;
    if (tall > this.limits.labels || wide > this.limits.decisions) {
      this.events.complain(`That would be ${tall} labels and ${wide} decisions; at most ${this.limits.labels} and ${this.limits.decisions} are read here.`);
      return;
    }
    this.store.change(withBlock(this.store.state, row, column, rows));
  }

  #names(key, from, names) {
    const known = this.store.state[key];
    this.store.change({ [key]: known.map((old, k) => names[k - from] ?? old) });
  }

  #moved(event) {
    const { row, column } = event.target.dataset;
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowUp: -1, ArrowDown: 1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = this.cost(Number(row) + step, column);
    next?.focus();
    next?.select();
  }

  #lookedAt(target, focused) {
    const { row, column } = target.dataset ?? {};
    if (row !== undefined) {
      this.events.cell([Number(row), Number(column)], focused);
      if (focused && !target.hasAttribute("aria-invalid")) set(target, "aria-describedby", "cost-note varied-text");
    } else if (!focused) this.events.cell(null, false);
    // Keys and fingers do not hover: for them the reason of a decision that is never needed is written below.
    if (focused) write(byId("unused-reason"), target.closest("th")?.querySelector(".reason")?.textContent ?? "");
  }

  /** Mark the cell that could not be read; without one, all are fine again. */
  mark(cell, message) {
    for (const input of this.where.querySelectorAll("[aria-invalid]")) {
      for (const name of ["aria-invalid", "aria-describedby", "title"]) input.removeAttribute(name);
    }
    const input = cell && this.cost(...cell);
    if (input) {
      set(input, "aria-invalid", "true");
      set(input, "aria-describedby", "cell-message");
      set(input, "title", message);
    }
    write(byId("cell-message"), message ?? "");
  }

  /** Grey out decisions that are never needed, with the reason for those who point at them or read them. */
  grey(redundant) {
    const reasons = new Map(redundant.map(({ decision, reason }) => [decision, reason]));
    this.store.state.decisions.forEach((_, j) => {
      const head = this.head("decision", j);
      const reason = reasons.get(j) ?? null;
      head.classList.toggle("unused", reason !== null);
      set(head, "title", reason);
      set(head.querySelector("input"), "aria-describedby", reason === null ? null : `reason-${j}`);
      write(head.querySelector(".reason"), reason ?? "");
      head.querySelector(".note").hidden = reason === null;
      for (const row of this.where.tBodies[0].rows) row.cells[j + 1].classList.toggle("unused", reason !== null);
    });
  }
}

const typing = { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" };

function headCell(kind, k) {
  const input = element("input", { ...typing, class: "name", "data-name": kind, "data-index": k, maxlength: 200 });
  const button = element("button", { type: "button", class: "remove", "data-remove": kind, "data-index": k }, "×");
  const cell = element("th", { scope: kind === "label" ? "row" : "col" }, element("div", { class: "head" }, input, button));
  if (kind === "decision") {
    cell.append(element("span", { class: "note", hidden: true }, "never needed"), element("span", { class: "reason", id: `reason-${k}` }));
  }
  return cell;
}

function costCell(i, j) {
  const input = element("input", { ...typing, class: "cost", size: 5, inputmode: "text", maxlength: 200, "data-row": i, "data-column": j });
  return element("td", {}, input);
}
