// Prints what a run found, times the commands, and counts the answers that were wrong.
import { ask, cli } from "../lib/app.mjs";

/** Reads that take longer are listed. */
const SLOW_MS = 1_000;

export class Report {
  #times = new Map();
  #wrong = [];
  #open = [];

  line(text = "") {
    process.stdout.write(`${text}\n`);
  }

  title(text) {
    this.line(`\n${text}`);
  }

  /** Checks an answer. A wrong one is printed at once and fails the run at its end. */
  check(promise, isRight, detail = "") {
    if (isRight) return;
    this.#wrong.push(promise);
    this.line(`  WRONG: ${promise} ${detail}`);
  }

  /** A promise that the program is known to break: it is listed and does not fail the run. */
  known(promise, isRight) {
    if (!isRight) this.#open.push(promise);
  }

  equal(promise, actual, expected) {
    const [a, b] = [actual, expected].map((it) => JSON.stringify(it));
    this.check(promise, a === b, `answers ${a}, expected ${b}`);
  }

  /** The commands of a workspace, each timed under its first words. */
  on(home, workspace) {
    return async (...args) => {
      const result = await cli(home, ["--json", "--workspace", workspace, ...args]);
      this.add(args, result.ms);
      if (result.code !== 0)
        throw new Error(`inklings ${args.join(" ")} ended with ${result.code}: ${result.stderr}`);
      return result.json;
    };
  }

  add(args, ms) {
    const verb = args.slice(0, ONE_WORD.has(args[0]) ? 1 : 2).join(" ");
    this.#times.set(verb, [...(this.#times.get(verb) ?? []), ms]);
  }

  times() {
    this.title("Time of a command, with the start of the process (number, median, longest)");
    for (const [verb, times] of [...this.#times].sort(([a], [b]) => a.localeCompare(b))) {
      const sorted = times.toSorted((a, b) => a - b);
      const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
      const mark = median > SLOW_MS ? "  over a second" : "";
      this.line(
        `  ${verb.padEnd(20)} ${String(times.length).padStart(4)} ${ms(median).padStart(9)} ${ms(longest).padStart(9)}${mark}`,
      );
    }
  }

  /** True if every answer was right. */
  close() {
    if (this.#open.length > 0) this.title("Known to be wrong, and not counted");
    for (const promise of this.#open) this.line(`  ${promise}`);
    this.title(
      this.#wrong.length === 0 ? "Every answer is right." : `${this.#wrong.length} answers are wrong.`,
    );
    for (const promise of this.#wrong) this.line(`  ${promise}`);
    return this.#wrong.length === 0;
  }
}

const ONE_WORD = new Set(["search", "orient", "import", "export", "embed"]);

export const ms = (number) => `${Math.round(number)} ms`;

/** Runs some work and answers with its result and time. */
export async function timed(work) {
  const start = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - start };
}

export const makeWorkspaceOf = (home, name) => ask(home, "workspace", "create", name);
