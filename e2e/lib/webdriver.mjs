// A small WebDriver client: the handful of commands these suites need, over plain fetch.
import { setTimeout as sleep } from "node:timers/promises";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** A refusal from the driver; `code` is WebDriver's own word for it, such as "stale element reference". */
export class WebDriverError extends Error {
  constructor(code, message) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

async function call(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    body: method === "POST" ? JSON.stringify(body ?? {}) : undefined,
    signal: AbortSignal.timeout(60_000),
  });
  const { value } = await response.json();
  if (!response.ok) throw new WebDriverError(value.error, value.message);
  return value;
}

/** Polls until `probe` gives something truthy and returns it; on time-out says what it was waiting for. */
export async function until(what, probe, { timeout = 60_000, every = 25 } = {}) {
  const end = performance.now() + timeout;
  let last;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(`waited ${timeout} ms for ${what}${last ? `; last error: ${last.message}` : ""}`, {
        cause: last,
      });
    }
    await sleep(every);
  }
}

/** One open window under automation. */
export class Session {
  /** Starts `binary` through the driver at `driver` ("http://127.0.0.1:PORT"). */
  static async open(driver, binary, args = []) {
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args } } };
    const { sessionId } = await call("POST", `${driver}/session`, { capabilities });
    return new Session(`${driver}/session/${sessionId}`);
  }

  constructor(base) {
    this.base = base;
  }

  get = (path) => call("GET", this.base + path);
  post = (path, body) => call("POST", this.base + path, body);
  close = () => call("DELETE", this.base);

  /** The windows of the program. What follows is done in the one that was switched to last. */
  handles = () => this.get("/window/handles");
  switchTo = (handle) => this.post("/window", { handle });

  /** Runs `body` in the page as an async function of `args`; elements go in and come out as `Element`. */
  async run(body, ...args) {
    const source = typeof body === "function" ? `return (${body})(...arguments)` : body;
    const script = `const done = arguments[arguments.length - 1]; const given = [].slice.call(arguments, 0, -1);
      (async function () { ${source} }).apply(null, given).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const raw = args.map((arg) => (arg instanceof Element ? { [ELEMENT]: arg.id } : arg));
    const answer = await this.post("/execute/async", { script, args: raw });
    if (answer.error) throw new WebDriverError("script failed", answer.error);
    return this.#wrap(answer.value);
  }

  #wrap(value) {
    if (value && typeof value === "object" && ELEMENT in value) return new Element(this, value[ELEMENT]);
    if (Array.isArray(value)) return value.map((item) => this.#wrap(item));
    return value;
  }

  /** Presses a chord such as "Control+k" or a single key such as "Escape" or "j". */
  async press(chord) {
    const keys = chord.split("+").map((key) => KEYS[key] ?? key);
    const down = keys.map((value) => ({ type: "keyDown", value }));
    const up = keys.toReversed().map((value) => ({ type: "keyUp", value }));
    await this.post("/actions", { actions: [{ type: "key", id: "keyboard", actions: [...down, ...up] }] });
  }

  /** Sizes the window so that the page itself measures `width` x `height`. */
  async resize(width, height) {
    for (let attempt = 0; attempt < 5; attempt++) {
      const [w, h] = await this.run(() => [innerWidth, innerHeight]);
      if (w === width && h === height) return;
      const rect = await this.get("/window/rect");
      await this.post("/window/rect", {
        x: 0,
        y: 0,
        width: rect.width + width - w,
        height: rect.height + height - h,
      });
      await sleep(150);
    }
    const size = await this.run(() => `${innerWidth} x ${innerHeight}`);
    throw new Error(`the window would not become ${width} x ${height}; it is ${size}`);
  }

  /** A PNG of the page as it is painted now. */
  async screenshot() {
    await this.run(() =>
      document.fonts.ready.then(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
      ),
    );
    // The driver takes the next frame that is painted; a page that stands still paints none, and it would wait for ever.
    await this.run(() => {
      const { style } = document.documentElement;
      const stir = () => {
        style.opacity = style.opacity === "" ? "0.9999" : "";
      };
      window.stirring = setInterval(stir, 16);
    });
    try {
      return Buffer.from(await this.get("/screenshot"), "base64");
    } finally {
      await this.run(() => {
        clearInterval(window.stirring);
        document.documentElement.style.opacity = "";
      });
    }
  }
}

/** An element of the page. */
export class Element {
  constructor(session, id) {
    this.session = session;
    this.id = id;
  }

  click = () => this.session.post(`/element/${this.id}/click`);
  text = () => this.session.get(`/element/${this.id}/text`);
  attribute = (name) => this.session.run((element, key) => element.getAttribute(key), this, name);
  clear = () => this.session.post(`/element/${this.id}/clear`);
  type = (text) => this.session.post(`/element/${this.id}/value`, { text });
}

const KEYS = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Alt: "\uE00A",
  Escape: "\uE00C",
  Space: " ",
  PageDown: "\uE00F",
  End: "\uE010",
  Home: "\uE011",
  Left: "\uE012",
  Up: "\uE013",
  Right: "\uE014",
  Down: "\uE015",
  Delete: "\uE017",
};
