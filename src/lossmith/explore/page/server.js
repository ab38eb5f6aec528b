// Asking the server: one question, one stream of lines; aborting the question stops the computation.

export class Refused extends Error {
  constructor(message, { cell = null, status = 200 } = {}) {
    super(message);
    this.cell = cell;
    this.status = status;
  }
}

export const aborted = (error) => error?.name === "AbortError";

export async function start() {
  const answer = await fetch("/api/start");
  if (!answer.ok) throw await refusal(answer);
  return answer.json();
}

async function refusal(answer) {
  const said = await answer.json().catch(() => ({}));
  return new Refused(said.refused ?? `The server answered ${answer.status}.`, { status: answer.status });
}

export async function ask(question, body, { signal, progress } = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${question}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (aborted(error)) throw error;
    throw new Refused("The server does not answer: is lossmith explore still running?", { status: 0 });
  }
  if (!answer.ok) throw await refusal(answer);
  for await (const line of lines(answer.body)) {
    const said = JSON.parse(line);
    if ("answer" in said) return said.answer;
    if ("refused" in said) throw new Refused(said.refused, { cell: said.cell ?? null });
    if ("progress" in said) progress?.(...said.progress);
  }
  throw new Refused("The server stopped in the middle of its answer.", { status: 0 });
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    yield* parts.filter((part) => part.trim());
  }
  if (rest.trim()) yield rest;
}

/**
 * One question in flight; while it runs, only the newest of the others waits.
 * A running one is let finish, for an answer in between is better than none, unless it takes longer than `patience`.
 */
export class Newest {
  constructor(run, { delay = 0, patience = 500 } = {}) {
    Object.assign(this, { run, delay, patience, waiting: null, controller: null, timer: null, impatience: null });
  }

  request(item) {
    this.waiting = { item };
    if (this.controller) {
      const left = Math.max(0, this.began + this.patience - performance.now());
      this.impatience ??= setTimeout(() => this.controller?.abort(), left);
    } else {
      this.timer ??= setTimeout(() => this.#next(), this.delay);
    }
  }

  /** Nothing of it is wanted any more. */
  cancel() {
    clearTimeout(this.timer);
    this.timer = this.waiting = null;
    this.controller?.abort();
  }

  async #next() {
    this.timer = null;
    const { item } = this.waiting;
    this.waiting = null;
    this.controller = new AbortController();
    this.began = performance.now();
    try {
      await this.run(item, this.controller.signal);
    } finally {
      clearTimeout(this.impatience);
      this.impatience = this.controller = null;
      if (this.waiting) this.#next();
    }
  }
}
