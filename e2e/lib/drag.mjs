// Drags files from another program's window with the mouse, as a person does.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { root } from "./app.mjs";
import { until } from "./webdriver.mjs";

const run = promisify(execFile);
/** Where the other window stands: beside the window of the program. */
const SOURCE = { x: 1_800, y: 1_000 };
/** Pixels between two places of the mouse. A target answers to each before the next one counts. */
const STEP = 40;

/** A drag of `paths` on `display`, not begun yet. */
export async function startDrag(display, paths) {
  const env = { ...process.env, DISPLAY: display.name };
  const program = join(root, "e2e/lib/drag_source.py");
  // The system's Python: GTK's bindings are packages of the system.
  const child = spawn("/usr/bin/python3", [program, SOURCE.x, SOURCE.y, ...paths], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const xdotool = (...args) => run("xdotool", args.map(String), { env });
  const reached = (state) =>
    until(`the drag to be ${state}`, () => {
      if (child.exitCode !== null) throw new Error(`the source ended with ${child.exitCode}`);
      return lines.includes(state);
    });
  let at = { x: SOURCE.x + 60, y: SOURCE.y + 60 };
  const move = async (x, y) => {
    at = { x, y };
    await xdotool("mousemove", x, y);
  };
  return {
    lines,
    /** Takes the files up. */
    async begin() {
      await reached("ready");
      await move(at.x, at.y);
      await xdotool("mousedown", 1);
      await until("the drag to begin", async () => {
        await move(at.x - 4, at.y - 4);
        return lines.includes("begun");
      });
    },
    /** Moves to a place in small steps. */
    async moveTo(x, y) {
      const steps = [];
      const nearer = (from, to) => from + Math.max(-STEP, Math.min(STEP, to - from));
      while (at.x !== x || at.y !== y) {
        at = { x: nearer(at.x, x), y: nearer(at.y, y) };
        steps.push("mousemove", at.x, at.y);
      }
      if (steps.length > 0) await xdotool(...steps);
    },
    /** Stays at about this place, never still, until something is seen. */
    async hold(what, probe) {
      const { x, y } = at;
      let step = 0;
      await until(what, async () => {
        step += 1;
        await move(x + (step % 2), y);
        return probe();
      });
    },
    /** Lets go, and waits until both programs are done with it. */
    async release() {
      await xdotool("mouseup", 1);
      await reached("ended");
    },
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode !== null) return;
      child.stdin.end();
      await gone;
    },
  };
}
