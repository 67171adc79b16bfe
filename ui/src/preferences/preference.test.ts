import { expect, onTestFinished, test, vi } from "vitest";
import { preference } from "./preference";

const colour = preference("colour", ["blue", "red"], "blue");

test("a preference is stored, and its fallback is not", () => {
  colour.set("red");
  expect(localStorage.getItem("inklings.colour")).toBe("red");
  expect(colour.get()).toBe("red");
  colour.set("blue");
  expect(localStorage.getItem("inklings.colour")).toBeNull();
});

test("a stored value that is none of the preference's is its fallback", () => {
  localStorage.setItem("inklings.colour", "green");
  expect(colour.get()).toBe("blue");
});

test("every change notifies, that of another window too", () => {
  const listener = vi.fn();
  const stop = colour.subscribe(listener);
  colour.set("red");
  expect(listener).toHaveBeenCalledTimes(1);
  localStorage.setItem("inklings.colour", "blue");
  window.dispatchEvent(new StorageEvent("storage", { key: "inklings.colour" }));
  window.dispatchEvent(new StorageEvent("storage", { key: "inklings.other" }));
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
  colour.set("red");
  expect(listener).toHaveBeenCalledTimes(2);
});

test("where nothing can be stored, a choice lasts as long as the window and nothing fails", () => {
  const fails = () => {
    throw new Error("no storage");
  };
  vi.stubGlobal("localStorage", {
    getItem: fails,
    setItem: fails,
    removeItem: fails,
    clear: () => undefined,
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { get, set } = preference("shade", ["light", "dark"], "light");
  expect(get()).toBe("light");
  set("dark");
  expect(get()).toBe("dark");
});
