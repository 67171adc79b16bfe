// How long the frames of the graph and of the timeline take in the real window while a person moves and zooms them, and how long
// it takes from opening the view to its first picture.
//
//   INKLINGS_BIN_DIR=target/release node e2e/bench/frames.mjs [runs]
//   PAGE=ui/dist-harness BROWSER=path/of/MiniBrowser node e2e/bench/frames.mjs [runs]
//
// The second line needs no new build of the program: it opens a built harness in another browser of WebKitGTK, as it is drawn
// without a graphics card. Targets: 500 ms to the first picture, 50 ms for the longest frame.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { makeHome, openWindow, startDisplay } from "../lib/app.mjs";
import { devServe } from "../lib/dev-serve.mjs";
import { until } from "../lib/webdriver.mjs";
import { percentile } from "./data.mjs";
import { CHAPTERS, EVENTS, fillLarge } from "./large.mjs";

const runs = Number(process.argv[2] ?? 3);
const { PAGE, BROWSER } = process.env;
const SIZES = [
  [1280, 800],
  [1920, 1080],
];
const FRAME = 1_000 / 60;
const ALL = (EVENTS + CHAPTERS).toLocaleString("en");

const VIEWS = [
  {
    name: "graph",
    hash: "#/world?look=graph",
    picture: "[role=application]",
    isDone: (picture) => picture.getAttribute("aria-busy") === "false",
    zoomKey: false,
    steps: 24,
  },
  {
    name: "timeline",
    hash: "#/timeline?look=lanes",
    picture: "canvas[role=img]",
    isDone: (picture, all) => picture.getAttribute("aria-label").startsWith(all),
    zoomKey: true,
    steps: 10,
  },
];

/** In the page: counts what is drawn, and notes when each frame begins. */
function watch() {
  const log = { frames: [], drawn: 0, script: 0, first: undefined, opened: 0, answered: undefined };
  window.bench = log;
  const { fetch } = window;
  window.fetch = async (url, options) => {
    const response = await fetch(url, options);
    if (!/\/(world_graph|list_timeline)$/.test(String(url))) return response;
    const json = response.json.bind(response);
    response.json = async () => {
      const value = await json();
      log.answered ??= performance.now() - log.opened;
      return value;
    };
    return response;
  };
  const canvas = CanvasRenderingContext2D.prototype;
  for (const name of ["fill", "stroke", "fillRect", "drawImage", "fillText", "strokeText"]) {
    const draw = canvas[name];
    canvas[name] = function (...args) {
      log.drawn += 1;
      if (log.first === undefined) {
        log.first = 0;
        // The next frame begins when this one is painted.
        ask(() => ask(() => (log.first = performance.now() - log.opened)));
      }
      return draw.apply(this, args);
    };
  }
  const ask = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) =>
    ask((time) => {
      const start = performance.now();
      act(time);
      log.script += performance.now() - start;
    });
  let last = performance.now();
  const next = () => {
    const now = performance.now();
    log.frames.push({ took: now - last, drawn: log.drawn, script: log.script });
    [last, log.drawn, log.script] = [now, 0, 0];
    ask(next);
  };
  ask(next);
}

const pointer = (actions) => ({
  type: "pointer",
  id: "mouse",
  parameters: { pointerType: "mouse" },
  actions,
});
const move = (x, y, duration = 0) => ({
  type: "pointerMove",
  x: Math.round(x),
  y: Math.round(y),
  duration: Math.round(duration),
  origin: "viewport",
});

/** Moves the picture as a person would: with the button held, one way and another. */
const pan = (session, [x, y]) =>
  session.post("/actions", {
    actions: [
      pointer([
        { type: "pointerDown", button: 0 },
        ...Array.from({ length: 90 }, (_, n) =>
          move(x + 180 * Math.sin(n / 6), y + 120 * Math.sin(n / 9), FRAME),
        ),
        { type: "pointerUp", button: 0 },
      ]),
    ],
  });

/** Zooms in and out again, one step in each second frame. The driver does not pass on a wheel as often as it is turned. */
const zoom = (session, [x, y], { picture, zoomKey, steps }) =>
  session.run(
    async (picture, x, y, ctrlKey, steps) => {
      const target = document.querySelector(picture);
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      for (let step = 0; step < 2 * steps; step += 1) {
        const deltaY = step < steps ? -80 : 80;
        const at = { clientX: x, clientY: y, bubbles: true, cancelable: true };
        target.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY, ctrlKey }));
        await frame();
        await frame();
      }
    },
    picture,
    x,
    y,
    zoomKey,
    steps,
  );

/** How long the main thread of each page of `home` has worked, and how long it has waited for a processor, in milliseconds. */
function threadsOf(home) {
  const threads = new Map();
  for (const pid of readdirSync("/proc")) {
    try {
      const isPage = readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("WebKitWebProces");
      if (
        !isPage ||
        !readFileSync(`/proc/${pid}/environ`, "utf8").includes(`INKLINGS_DATA_DIR=${home.data}\0`)
      )
        continue;
      const [worked, waited] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
      threads.set(pid, { worked: worked / 1e6, waited: waited / 1e6 });
    } catch {} // not a process, not ours, or gone
  }
  return threads;
}

/** What the frames took while something was done. */
async function framesOf(session, home, act) {
  await session.run(() => window.bench.frames.splice(0));
  const before = threadsOf(home);
  await act();
  const spent = [...threadsOf(home)].map(([pid, now]) => ({
    worked: now.worked - (before.get(pid)?.worked ?? 0),
    waited: now.waited - (before.get(pid)?.waited ?? 0),
  }));
  // A browser keeps a page ready that does nothing.
  const thread = spent.sort((a, b) => b.worked - a.worked)[0];
  await sleep(300);
  // The frame in which the script was asked is no part of it.
  const frames = (await session.run(() => window.bench.frames.splice(0))).slice(1);
  const of = (what) => frames.map((frame) => frame[what]);
  return { took: of("took"), drawn: of("drawn"), script: of("script"), thread };
}

async function measure(session, home, view, size) {
  await session.run((hash) => {
    Object.assign(window.bench, { first: undefined, answered: undefined, opened: performance.now() });
    window.location.hash = hash;
  }, view.hash);
  const first = await until("the first picture", () => session.run(() => window.bench.first), { every: 300 });
  const answered = await session.run(() => window.bench.answered);
  await until(
    `the ${view.name}`,
    () =>
      session.run(
        `const picture = document.querySelector(arguments[0]); return picture !== null && (${view.isDone})(picture, arguments[1])`,
        view.picture,
        ALL,
      ),
    { every: 300 },
  );
  await sleep(1_500);
  const middle = await session.run((picture) => {
    const { x, y, width, height } = document.querySelector(picture).getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }, view.picture);
  await session.post("/actions", { actions: [pointer([move(...middle)])] });
  await sleep(1_000);
  const panned = await framesOf(session, home, () => pan(session, middle));
  await sleep(700);
  const zoomed = await framesOf(session, home, () => zoom(session, middle, view));
  return { view: view.name, size: size.join(" x "), first, answered, pan: panned, zoom: zoomed };
}

async function open(display, home) {
  if (!PAGE) return { ...(await openWindow(display, home)), serves: () => undefined };
  const served = await devServe(home, PAGE);
  const window = await openWindow(display, home, {
    binary: BROWSER,
    args: ["--automation"],
    env: { WEBKIT_DISABLE_COMPOSITING_MODE: "1" },
    ready: async (session) => {
      await session.post("/url", { url: `${served.url}/harness.html?token=${served.token}#/channels` });
      await until("the page", () => session.run(() => document.querySelector("nav") !== null));
    },
  });
  return { ...window, serves: served.stop };
}

const display = await startDisplay();
const home = makeHome();
const results = [];
try {
  await fillLarge(home);
  for (let run = 0; run < runs; run += 1)
    for (const size of SIZES)
      for (const view of VIEWS) {
        const window = await open(display, home);
        await window.session.resize(...size);
        await sleep(1_000);
        await window.session.run(watch);
        results.push(await measure(window.session, home, view, size));
        await window.stop();
        await window.serves();
      }
} finally {
  await home.remove();
  await display.stop();
}
const print = (text) => process.stdout.write(`${text}\n`);
const each = (values) => values.map((value) => Math.round(value)).join(" ");
for (const { name } of VIEWS)
  for (const size of SIZES.map((it) => it.join(" x "))) {
    const found = results.filter((it) => it.view === name && it.size === size);
    print(`\n${name}, ${size}; each run, in ms`);
    const answered = each(found.map((it) => it.answered));
    print(
      `  to the first picture ${each(found.map(({ first }) => first))}, to the answer of the core ${answered}`,
    );
    for (const act of ["pan", "zoom"]) {
      const at = (what, share) => each(found.map((it) => percentile(it[act][what], share)));
      print(
        `  ${act.padEnd(5)} p50 ${at("took", 0.5)}  p95 ${at("took", 0.95)}  longest ${at("took", 1)}  frames ${each(found.map((it) => it[act].took.length))}`,
      );
      print(
        `        drawing calls: p50 ${at("drawn", 0.5)}, most ${at("drawn", 1)}; script: p95 ${at("script", 0.95)}, longest ${at("script", 1)}`,
      );
      const of = (what) => each(found.map((it) => it[act].thread[what]));
      print(`        the main thread worked ${of("worked")}, and waited for a processor ${of("waited")}`);
    }
  }
