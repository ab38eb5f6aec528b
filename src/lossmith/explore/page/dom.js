// Small helpers for elements. Text always goes through textContent or attributes, so a label can never become markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Write a text only where it differs: live regions stay silent and selections survive. */
export function write(where, text) {
  if (where.textContent !== text) where.textContent = text;
}

export function set(where, name, value) {
  if (value === null || value === undefined || value === false) where.removeAttribute(name);
  else if (where.getAttribute(name) !== String(value)) where.setAttribute(name, value === true ? "" : value);
}

export function paragraphs(text) {
  return text.split("\n").filter((line) => line.trim()).map((line) => element("p", {}, line));
}

/** A number of an answer as people read it beside others: a decimal, also where the exact one is a fraction. */
export function plain({ shown, value }) {
  return shown.includes("/") ? String(Number(value.toPrecision(4))) : shown;
}

export function shortened(text, letters) {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

let told = 0;

/** Say something once, politely; it fades after a while unless something newer was said. */
export function tell(text) {
  const mine = (told += 1);
  write(byId("status"), text);
  if (text) setTimeout(() => mine === told && write(byId("status"), ""), 8000);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // denied, or not a secure context
  }
}
