"use strict";
// The table of the index: it can be searched, filtered and sorted. Without this script it stands there whole; with it
// the first rows that fit are shown, and all on demand, as a browser takes seconds to lay out thousands.
(() => {
  const form = document.getElementById("filters");
  if (!form) return;
  const table = document.querySelector("table.index");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const shown = document.getElementById("shown");
  const more = document.getElementById("more");
  const FEW = Number(table.dataset.few);
  let most = FEW;
  const sizes = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.n || "");
  const place = new Map(rows.map((row, i) => [row, i]));
  const text = rows.map((row) => row.dataset.words + " " + row.textContent.toLowerCase());

  // A row is shown if one of its verdicts, for the chosen number of labels, is as wanted.
  const fits = (row, wanted) => [...row.cells].some((cell, i) => sizes[i]
    && (!wanted.n || sizes[i] === wanted.n)
    && cell.dataset.d && (!wanted.dim || Number(cell.dataset.d) <= Number(wanted.dim))
    && (!wanted.verdict || cell.textContent === wanted.verdict));

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    [...body.rows].forEach((row) => {
      const i = place.get(row);
      const seen = words.every((word) => text[i].includes(word))
        && (!wanted.loss || row.dataset.loss === wanted.loss)
        && (!wanted.kind || row.dataset.kind === wanted.kind)
        && (!wanted.pred || (wanted.pred === "some") === (row.dataset.pred === ""))
        && fits(row, wanted);
      count += seen;
      row.hidden = !seen || count > most;
    });
    more.hidden = count <= most;
    shown.textContent = `${count} of ${rows.length} rows` + (more.hidden ? "" : `, the first ${most} shown`);
  };

  const value = (row, i) => {
    const cell = row.cells[i];
    return sizes[i] ? (cell.textContent || "~") : cell.textContent.toLowerCase();
  };
  let last = -1;
  const sort = (i) => {
    const down = last === i;
    last = down ? -1 : i;
    const order = rows.map((row, j) => [value(row, i), j]);
    const numbers = order.every(([key]) => key === "" || /^\d/.test(key)); // of a list of numbers the first counts
    order.sort(([a, j], [b, k]) => (numbers ? parseFloat(a) - parseFloat(b) : a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1)
      || j - k);
    body.append(...order.map(([, j]) => rows[j]));
    filter();
    [...table.tHead.rows[0].cells].forEach((cell, j) => {
      if (j === i) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
  };

  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    button.addEventListener("click", () => sort(i));
    cell.append(button);
  });
  const anew = () => {
    most = FEW;
    filter();
  };
  form.addEventListener("input", anew);
  form.addEventListener("reset", () => setTimeout(anew));
  more.addEventListener("click", () => {
    most = Infinity;
    filter();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
  table.classList.add("ready");
})();
