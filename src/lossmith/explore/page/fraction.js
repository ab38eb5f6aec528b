// Probabilities without rounding: a typed 1/3 or 0.025 reaches the server as it was meant.

const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);

function reduced(n, d) {
  const common = gcd(n, d) || 1n;
  return { n: n / common, d: d / common };
}

function decimal(text) {
  const found = /^(\d*)(?:[.,](\d*))?$/.exec(text);
  if (!found || !(found[1] || found[2])) return null;
  const digits = found[2] || "";
  return reduced(BigInt((found[1] || "0") + digits), 10n ** BigInt(digits.length));
}

/** Read 0.25, 1/4 or 25 %; null for anything else, also for negative numbers. */
export function read(text) {
  const parts = text.replace(/\s/g, "").split("/");
  const percent = parts.at(-1).endsWith("%");
  if (percent) parts[parts.length - 1] = parts.at(-1).slice(0, -1);
  const [over, under] = parts.map(decimal);
  if (!over || parts.length > 2 || (parts.length === 2 && !(under && under.n))) return null;
  const value = under ? reduced(over.n * under.d, over.d * under.n) : over;
  return percent ? reduced(value.n, value.d * 100n) : value;
}

export const ONE = { n: 1n, d: 1n };
export const minus = (a, b) => reduced(a.n * b.d - b.n * a.d, a.d * b.d);
export const less = (a, b) => a.n * b.d < b.n * a.d;

export function value(a) {
  // BigInt division first: numerator and denominator may each be beyond the floats.
  return Number((a.n * 10n ** 18n) / a.d) / 1e18;
}

export const float = (written) => value(read(written) ?? { n: 0n, d: 1n });
export const reciprocal = (count) => text({ n: 1n, d: BigInt(count) });

/** Text that the server reads back exactly: a decimal if there is a short one. */
export function text(a) {
  for (let places = 0n; places <= 9n; places += 1n) {
    if ((a.n * 10n ** places) % a.d === 0n) return fixed((a.n * 10n ** places) / a.d, Number(places));
  }
  return `${a.n}/${a.d}`;
}

function fixed(whole, places) {
  const digits = String(whole).padStart(places + 1, "0");
  return places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
}

const MILLION = 1_000_000;
const rounded = (x, places) => reduced(BigInt(Math.round(x * places)), BigInt(places));

/** Texts for floats that sum to 1: each rounded, the largest takes the rest, so that the sum is exact. */
export function distribution(floats, places = 10_000) {
  const positive = floats.map((x) => Math.max(0, Number.isFinite(x) ? x : 0));
  const total = positive.reduce((a, b) => a + b, 0);
  const scaled = total > 0 ? positive.map((x) => x / total) : positive.map(() => 1 / positive.length);
  const parts = scaled.map((x) => rounded(x, places));
  const largest = scaled.indexOf(Math.max(...scaled));
  return withRest(parts, largest, ONE).map(text);
}

function withRest(parts, at, total) {
  const rest = parts.reduce((left, part, k) => (k === at ? left : minus(left, part)), total);
  return parts.map((part, k) => (k === at ? rest : part));
}

/** One probability is set exactly; the others keep their proportions (equal shares if they were all 0). */
export function changed(texts, index, wanted) {
  const exact = less(ONE, wanted) ? ONE : wanted;
  const left = minus(ONE, exact);
  const old = texts.map(float);
  const others = old.reduce((sum, x, k) => (k === index ? sum : sum + x), 0);
  const share = (k) => (others > 0 ? old[k] / others : 1 / (texts.length - 1));
  const parts = texts.map((_, k) => (k === index ? exact : rounded(share(k) * value(left), MILLION)));
  const largest = parts.reduce((best, _, k) => (k !== index && (best < 0 || share(k) > share(best)) ? k : best), -1);
  if (largest < 0) return ["1"];
  const all = withRest(parts, largest, ONE);
  // Rounding up many small parts could leave less than nothing for the largest.
  return all[largest].n < 0n ? distribution(parts.map(value), MILLION) : all.map(text);
}
