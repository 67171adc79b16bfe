// Starts the real window on a virtual display, with folders of its own, and takes everything down again.
import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Session, until } from "./webdriver.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bin =
  process.env.INKLINGS_BIN_DIR ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug");
export const binaries = { window: join(bin, "inklings-desktop"), cli: join(bin, "inklings") };
for (const path of Object.values(binaries)) {
  if (!existsSync(path)) throw new Error(`${path} is not built: run \`make build\` first`);
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** A fresh home: data, cache and config folders that no other run shares. Call `remove` when done. */
export function makeHome(parent = tmpdir()) {
  const path = mkdtempSync(join(parent, "inklings-e2e-"));
  const home = { path, data: join(path, "inklings-data"), own: join(path, "home") };
  const env = {
    ...process.env,
    HOME: home.own,
    XDG_DATA_HOME: join(home.own, "data"),
    XDG_CACHE_HOME: join(home.own, "cache"),
    XDG_CONFIG_HOME: join(home.own, "config"),
    XDG_STATE_HOME: join(home.own, "state"),
    XDG_RUNTIME_DIR: join(home.own, "run"),
    TMPDIR: join(home.own, "tmp"),
    INKLINGS_DATA_DIR: home.data,
    LANG: "en_US.UTF-8",
    LC_ALL: "",
  };
  for (const key of [
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "TMPDIR",
  ]) {
    mkdirSync(env[key], { recursive: true, mode: 0o700 });
  }
  const windows = new Set();
  // Windows first: a window that still writes would put back what is being removed.
  const remove = async () => {
    for (const window of windows) await window.stop();
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return { ...home, env, windows, remove };
}

// Whatever happens to a test, nothing it started outlives it.
const killers = new Set();
process.on("exit", () => {
  for (const kill of killers) kill();
});

/** Everything under `folder`, folders first. */
export const tree = (folder) => [
  folder,
  ...readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? tree(join(folder, entry.name)) : [join(folder, entry.name)],
  ),
];

/**
 * Takes write permission from the data folder and answers with the home to use from now on. Root ignores
 * permissions, so a suite that runs as root starts the programs as another user, from copies that user can read.
 */
export function makeReadOnly(home) {
  for (const path of tree(home.data)) chmodSync(path, lstatSync(path).isDirectory() ? 0o555 : 0o444);
  if (process.getuid() !== 0) return home;
  const nobody = { uid: 65_534, gid: 65_534 };
  for (const path of tree(home.path)) chownSync(path, nobody.uid, nobody.gid);
  const copies = Object.fromEntries(Object.keys(binaries).map((name) => [name, join(home.path, name)]));
  for (const [name, path] of Object.entries(copies))
    copyFileSync(binaries[name], path, constants.COPYFILE_FICLONE);
  // Nor may that user be allowed into the folder of the clone: nothing runs in it or from it.
  return { ...home, binaries: copies, user: { ...nobody, cwd: home.path } };
}

/** Starts Xvfb on the first free display. Shared by a test file; `stop` ends it. */
export async function startDisplay(width = 2000, height = 1200) {
  const child = spawn(
    "Xvfb",
    ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset"],
    {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    },
  );
  const number = await new Promise((resolve, reject) => {
    let text = "";
    child.stdio[3].on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.trim());
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) =>
      child.exitCode !== null ? resolve() : child.once("exit", resolve) && child.kill(),
    );
  return { name: `:${number}`, stop };
}

/**
 * Opens the window of `home` on `display`. `env` adds to its environment, `args` to its command line.
 * `stop` closes it as a person would and returns once it is gone.
 */
export async function openWindow(
  display,
  home,
  { env = {}, args = [], binary = (home.binaries ?? binaries).window, ready } = {},
) {
  const port = await freePort();
  let noise = "";
  // A group of its own: what the driver starts ends with it, and nothing else does.
  const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
    detached: true,
    ...home.user,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...home.env,
      DISPLAY: display.name,
      WAYLAND_DISPLAY: "",
      TAURI_WEBVIEW_AUTOMATION: "true",
      ...env,
    },
  });
  for (const stream of [driver.stdout, driver.stderr])
    stream.on("data", (chunk) => {
      noise = (noise + chunk).slice(-20_000);
    });
  const gone = new Promise((resolve) => driver.once("exit", resolve));
  const signal = (name) => {
    try {
      process.kill(-driver.pid, name);
    } catch {} // already gone
  };
  const kill = () => signal("SIGKILL");
  killers.add(kill);
  const url = `http://127.0.0.1:${port}`;
  try {
    await until("WebKitWebDriver to listen", async () => (await fetch(`${url}/status`)).ok);
    const session = await Session.open(url, binary, args);
    await session.post("/timeouts", { script: 30_000 });
    await (ready ?? loaded)(session);
    const stop = async () => {
      if (!home.windows.delete(window)) return;
      await session.close().catch(() => {});
      signal("SIGTERM");
      await Promise.race([gone, sleep(5_000)]);
      kill();
      killers.delete(kill);
    };
    const window = { session, stop, binary, output: () => noise };
    home.windows.add(window);
    return window;
  } catch (error) {
    kill();
    killers.delete(kill);
    throw new Error(`the window did not open: ${error.message}\n${noise}`, { cause: error });
  }
}

/** Waits until the page has drawn something of its own. */
const loaded = (session) =>
  until("the page", () => session.run(() => document.querySelector("main, [role=main]") !== null));

/** Runs the command line on `home`; resolves with `{ code, signal, stdout, stderr, json, ms }` whatever the exit code. */
export function cli(home, args, { env = {}, input, timeout = 300_000 } = {}) {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      (home.binaries ?? binaries).cli,
      args,
      { ...home.user, env: { ...home.env, ...env }, maxBuffer: 256 << 20, timeout, encoding: "utf8" },
      (error, stdout, stderr) => {
        resolve({
          code: error ? (typeof error.code === "number" ? error.code : null) : 0,
          signal: error?.signal ?? null,
          stdout,
          stderr,
          ms: performance.now() - start,
          get json() {
            return JSON.parse(stdout);
          },
        });
      },
    );
    child.stdin.on("error", () => {}); // it may end without reading
    child.stdin.end(input ?? "");
  });
}

/** As `cli`, with `--json`, for commands that must succeed; resolves with the parsed answer. */
export async function ask(home, ...args) {
  const result = await cli(home, ["--json", ...args]);
  if (result.code !== 0)
    throw new Error(
      `inklings ${args.join(" ")} ended with ${result.code ?? result.signal}: ${result.stderr}`,
    );
  return result.json;
}

/** Writes a picture of the page beside the logs, for a person to look at after a failure. */
export async function saveScreenshot(session, name) {
  const folder = join(root, "target", "e2e");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replaceAll(/[^\w-]+/g, "-").slice(0, 80)}.png`);
  writeFileSync(path, await session.screenshot());
  return path;
}
