// A session bus of its own for a test: what a later start reaches the first over, and where a tray is.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./app.mjs";
import { until } from "./webdriver.mjs";

/** The first line that a program prints. */
const firstLine = (child) =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
  });

const end = (child) =>
  new Promise((resolve) =>
    child.exitCode !== null ? resolve() : child.once("exit", resolve) && child.kill(),
  );

/** Starts a bus; `env` has its address for the programs that are to find it. */
export async function startBus() {
  const child = spawn("dbus-daemon", ["--session", "--nofork", "--print-address=1"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const address = await firstLine(child);
  return { env: { DBUS_SESSION_BUS_ADDRESS: address }, stop: () => end(child) };
}

/** Starts a tray on a bus. */
export async function startTray(bus) {
  const child = spawn("/usr/bin/python3", [join(root, "e2e/lib/tray.py")], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...bus.env },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const tell = async (order) => {
    child.stdin.write(`${JSON.stringify(order)}\n`);
    return JSON.parse((await lines.next()).value);
  };
  /** The texts of the menu of the one entry, top to bottom; null while there is no entry. */
  const menu = () => tell({ do: "menu" });
  return {
    menu,
    /** Waits for an entry whose menu has that text, and chooses it. */
    async choose(pattern) {
      const text = await until(`${pattern} in the tray`, async () =>
        (await menu())?.find((it) => pattern.test(it)),
      );
      await tell({ do: "choose", text });
    },
    stop: () => end(child),
  };
}
