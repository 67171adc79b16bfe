// What a keystroke in the search field costs in the real window: from the key to the results of that query painted.
//
//   INKLINGS_BIN_DIR=target/release node e2e/bench/typing.mjs [memories] [queries]
//
// Target (p95): 50 ms with 10,000 memories, 80 ms with 100,000. Beside the whole it tells the parts. A virtual display
// paints without a graphics card, so the last part is the machine's; both it and the one before wait for the next frame,
// 16 ms at most each.
import { setTimeout as sleep } from "node:timers/promises";
import { makeHome, openWindow, startDisplay } from "../lib/app.mjs";
import { click } from "../lib/page.mjs";
import { rows, searchBox } from "../lib/window.mjs";
import { fill, percentile } from "./data.mjs";

const memories = Number(process.argv[2] ?? 10_000);
const queries = [
  "who sold the tide ledger",
  "harvest masks in winter",
  "the abbess's testimony at the weir house",
  "Ysolde ferry bell",
  "map of the drowned quarter",
].slice(0, Number(process.argv[3] ?? 5));
/** Between the results of one key and the next key; no one types faster than they can see for long. */
const REST = 120;

const print = (text) => process.stdout.write(`${text}\n`);
const line = (what, times) =>
  print(
    `${what.padEnd(38)} p50 ${percentile(times, 0.5).toFixed(1).padStart(7)}  p95 ${percentile(times, 0.95).toFixed(1).padStart(7)} ms  (${times.length})`,
  );

/** In the page: what each key, each call of the core and each frame took, on one clock. */
function watch() {
  const log = { keys: [], calls: [] };
  window.bench = log;
  const { fetch } = window;
  window.fetch = async (url, options) => {
    const command = /^ipc:.*\/(\w+)$/.exec(String(url))?.[1];
    if (!command) return fetch(url, options);
    const given = typeof options?.body === "string" ? JSON.parse(options.body) : {};
    const call = { command, query: given.request?.query ?? given.query, from: performance.now() };
    log.calls.push(call);
    const response = await fetch(url, options);
    call.arrived = performance.now();
    const json = response.json.bind(response);
    response.json = async () => {
      const value = await json();
      call.to = performance.now();
      if (command === "search_memories") {
        call.ids = value.hits.map((hit) => hit.row.id);
        call.took = value.tookMs;
      }
      return value;
    };
    return response;
  };
  document.addEventListener(
    "input",
    (event) => {
      const key = { at: event.timeStamp, seen: performance.now(), query: event.target.value.trim() };
      log.keys.push(key);
      const look = () => {
        if (log.keys.at(-1) !== key) return;
        key.frames = (key.frames ?? 0) + 1;
        const call = log.calls.find((it) => it.query === key.query && it.ids && it.from >= key.at);
        if (call) {
          const top = [...document.querySelectorAll("[role=grid] [role=row]")]
            .sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"))
            .slice(0, 8)
            .map((row) => row.id.replace("memory-", ""));
          const wanted = call.ids.slice(0, 8);
          const summary = document.querySelector("[aria-live=polite].tabular")?.textContent ?? "";
          const there =
            wanted.length === 0
              ? summary.startsWith("0") || summary.startsWith("No")
              : wanted.every((id, n) => id === top[n]);
          if (there) {
            key.asked = call.from;
            key.answered = call.to;
            key.took = call.took;
            key.read = call.to - call.arrived;
            key.shown = performance.now();
            // The next frame begins when this one has been painted.
            requestAnimationFrame(() => {
              key.painted = performance.now();
            });
            return;
          }
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    true,
  );
}

const display = await startDisplay();
const home = makeHome();
try {
  await fill(home, memories);
  for (const filters of [false, true]) {
    const window = await openWindow(display, home);
    const { session } = window;
    await session.resize(filters ? 1920 : 1440, 1000);
    await rows(session);
    if (filters) await click(session, "button", "Filter");
    await sleep(1_500);
    await session.run(watch);
    const box = await searchBox(session);
    // The first query warms what the first keys of a day warm.
    for (const query of ["warm up the model", ...queries]) {
      const before = await session.run(() => window.bench.keys.length);
      let typed = 0;
      for (const key of query) {
        await box.type(key);
        typed += 1;
        if (key === " ") {
          await sleep(60);
          continue;
        }
        const end = performance.now() + 2_000;
        const done = () => session.run(() => window.bench.keys.at(-1)?.painted !== undefined);
        while (!(await done())) {
          if (performance.now() > end) break;
          await sleep(REST);
        }
      }
      if (query === "warm up the model") {
        await session.run(() => {
          window.bench.keys.length = 0;
        });
      } else if (typed === 0) throw new Error(`no key arrived after ${before}`);
      await session.run(() => {
        const field = document.querySelector("input[inputmode=search]");
        field.focus();
        field.select();
      });
      await session.press("Backspace");
      await sleep(600);
    }
    const { keys, calls } = await session.run(() => window.bench);
    const done = keys.filter((key) => key.painted !== undefined);
    print(`\n${memories} memories, filters ${filters ? "beside the list" : "closed"}; ${keys.length} keys`);
    const parts = {
      "key to results painted": (key) => key.painted - key.at,
      "  key to the core being asked": (key) => key.asked - key.at,
      "  the core, by its own clock": (key) => key.took,
      "  the way there and back": (key) => key.answered - key.asked - key.took,
      "    of which reading the answer": (key) => key.read,
      "  answer to the list in the document": (key) => key.shown - key.answered,
      "  painting": (key) => key.painted - key.shown,
    };
    for (const [what, of] of Object.entries(parts)) line(what, done.map(of));
    for (const command of new Set(calls.map((call) => call.command))) {
      const some = calls.filter((call) => call.command === command && call.to !== undefined);
      if (some.length > 0)
        line(
          `${command}`,
          some.map((call) => call.to - call.from),
        );
    }
    await window.stop();
  }
} finally {
  await home.remove();
  await display.stop();
}
