// What is on the clipboard: one value, a block of numbers, or a whole matrix with names.

const NUMBER = /^[-+−–(]?\s*[$€£¥]?\s*[-+−]?\s*(\d[\d.,'’\s\u00a0\u202f]*|\.\d+)(e[-+]?\d+)?(\s*\/\s*\d+)?\s*[%$€£¥]?\s*\)?$/i;
const GROUPED = /^\D?\s*\d{1,3}(,\d{3})+(\.\d+)?\D?$/;

export const isNumber = (text) => NUMBER.test(text.trim());

function separator(lines) {
  if (lines.some((line) => line.includes("\t"))) return "\t";
  if (lines.some((line) => line.includes(";"))) return ";";
  // 1,200 alone is a number, not two cells; several of them in a row come with another separator.
  if (lines.every((line) => GROUPED.test(line.trim()))) return null;
  return lines.some((line) => line.includes(",")) ? "," : null;
}

/** Read a pasted text: {kind: "value"}, {kind: "block", rows}, or {kind: "matrix"} for the server to read. */
export function pasted(text) {
  const lines = text.replace(/[\r\n]+$/, "").split(/\r\n|\n|\r/);
  const by = separator(lines);
  const rows = lines.map((line) => (by === null ? [line] : line.split(by)).map((cell) => cell.trim()));
  if (rows.length === 1 && rows[0].length === 1) return { kind: "value", text: rows[0][0] };
  const wide = Math.max(...rows.map((row) => row.length));
  const even = rows.every((row) => row.length === wide);
  const corner = rows.length > 1 && wide > 1 && rows[0][0] === ""; // an empty corner: names beside and above it
  if (even && !corner && rows.flat().every(isNumber)) return { kind: "block", rows };
  if (rows.length === 1 || wide === 1) return { kind: "names", names: rows.flat() };
  return { kind: "matrix" };
}
