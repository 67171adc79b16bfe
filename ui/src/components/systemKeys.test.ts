import { expect, test } from "vitest";
import { keysOf, shortcutOf } from "./systemKeys";

const press = (key: string, code: string, held: Partial<KeyboardEvent> = {}) =>
  shortcutOf({
    key,
    code,
    ctrlKey: false,
    altKey: false,
    shiftKey: false,
    metaKey: false,
    ...held,
  } as KeyboardEvent);

test("a key press is written as the shell reads it", () => {
  expect(press("i", "KeyI", { ctrlKey: true, altKey: true })).toBe("control+alt+KeyI");
  expect(press("N", "KeyN", { metaKey: true, shiftKey: true })).toBe("shift+super+KeyN");
  expect(press("F9", "F9")).toBe("F9");
  expect(press(" ", "Space", { ctrlKey: true })).toBe("control+Space");
});

test("a letter is the one that is printed on the key, wherever that is", () => {
  expect(press("a", "KeyQ", { ctrlKey: true })).toBe("control+KeyA");
  expect(press("1", "Digit1", { altKey: true })).toBe("alt+Digit1");
});

test("a modifier alone is no shortcut yet", () => {
  expect(press("Control", "ControlLeft", { ctrlKey: true })).toBeNull();
  expect(press("Shift", "ShiftRight", { shiftKey: true })).toBeNull();
  expect(press("Dead", "", { ctrlKey: true })).toBeNull();
});

test("a shortcut is shown as the keys are named elsewhere", () => {
  expect(keysOf("control+alt+KeyI")).toBe("control+alt+i");
  expect(keysOf("shift+super+Digit1")).toBe("shift+super+1");
  expect(keysOf("control+Space")).toBe("control+space");
  expect(keysOf("alt+ArrowUp")).toBe("alt+up");
  expect(keysOf("F9")).toBe("F9");
});
