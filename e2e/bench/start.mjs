// How long a start takes in the real window: from the process being there to a list of memories that can be used.
//
//   INKLINGS_BIN_DIR=target/release node e2e/bench/start.mjs [memories] [starts]
//
// The files are in the system's cache, as after the first start of a day. Target: 1 s with 10,000 memories, 1.2 s with
// 100,000.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { binaries, makeHome, openWindow, startDisplay } from "../lib/app.mjs";
import { until } from "../lib/webdriver.mjs";
import { rows } from "../lib/window.mjs";
import { fill, percentile } from "./data.mjs";

const memories = Number(process.argv[2] ?? 10_000);
const program = realpathSync(binaries.window);
const starts = Number(process.argv[3] ?? 15);
/** How often the kernel counts a second; the same on every Linux that programs can ask. */
const TICKS = 100;

/** When a process was started, in milliseconds of the clock, to 10 ms. */
function startOf(pid) {
  // Behind the name, which may hold anything, come the fields from the third on.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  const booted = Date.now() - Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 1000;
  return booted + (Number(fields[19]) / TICKS) * 1000;
}

/** The window's process: the one of this program on this home. */
function processOf(home) {
  return readdirSync("/proc").find((pid) => {
    try {
      return (
        readlinkSync(`/proc/${pid}/exe`) === program &&
        readFileSync(`/proc/${pid}/environ`, "utf8").includes(`INKLINGS_DATA_DIR=${home.data}\0`)
      );
    } catch {
      return false; // not a process, not ours, or gone
    }
  });
}

const display = await startDisplay();
const home = makeHome();
try {
  await fill(home, memories);
  const parts = { "to the page being loaded": [], "to the list painted": [] };
  for (let n = 0; n <= starts; n += 1) {
    // Asked only once the list is there: whoever asks while it starts slows it down.
    const window = await openWindow(display, home, {
      ready: (session) => rows(session, 1, { every: 1_500 }),
    });
    const began = startOf(processOf(home));
    const shown = await until("the mark", () =>
      window.session.run(() => {
        const mark = performance.getEntriesByName("inklings:list-shown")[0];
        return mark && { page: performance.timeOrigin, list: performance.timeOrigin + mark.startTime };
      }),
    );
    await window.stop();
    // The first start makes what later ones find.
    if (n > 0) {
      parts["to the page being loaded"].push(shown.page - began);
      parts["to the list painted"].push(shown.list - began);
    }
  }
  process.stdout.write(`${memories} memories, ${starts} starts, from the process being there\n`);
  for (const [what, times] of Object.entries(parts)) {
    const at = (share) => percentile(times, share).toFixed(0).padStart(6);
    process.stdout.write(`${what.padEnd(28)} p50 ${at(0.5)}  p95 ${at(0.95)} ms\n`);
  }
} finally {
  await home.remove();
  await display.stop();
}
