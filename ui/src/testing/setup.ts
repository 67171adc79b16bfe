import { configure } from "@testing-library/dom";
import { afterAll, vi } from "vitest";

// Generous, for machines that build something else meanwhile; a test that passes does not wait.
configure({ asyncUtilTimeout: 30_000 });

// happy-dom lays nothing out: the virtual list needs a window to fill.
Object.defineProperty(HTMLElement.prototype, "offsetHeight", {
  configurable: true,
  get(this: HTMLElement) {
    // A row of a list whose rows are measured.
    return this.dataset.index === undefined ? 700 : 40;
  },
});
Object.defineProperty(HTMLElement.prototype, "offsetWidth", { configurable: true, value: 480 });
Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, value: 700 });

// Where a chart is loaded while idle, past its double below: a canvas that takes every stroke and draws nothing.
const nothing = new Proxy(
  {},
  { get: (_, name) => (name === "measureText" ? () => ({ width: 0 }) : () => undefined), set: () => true },
);
Object.defineProperty(HTMLCanvasElement.prototype, "getContext", {
  configurable: true,
  value: () => nothing,
});
Object.defineProperty(globalThis, "Path2D", {
  configurable: true,
  value: function Path2D() {
    return nothing;
  },
});

// A canvas and a contenteditable with geometry exist only in a browser; the browser suite drives the real ones.
vi.mock("../components/Chart", async () => await import("./ChartDouble"));
vi.mock("../components/Editor", async () => await import("./EditorDouble"));

// What a page fetches while idle must have arrived before the file's world is taken down: a module that is asked for
// afterwards counts as an error of the whole run, although every test passed.
afterAll(async () => {
  await vi.dynamicImportSettled();
});
