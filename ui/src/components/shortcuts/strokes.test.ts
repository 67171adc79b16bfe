import { expect, test } from "vitest";
import { isSingle, refusalOf, strokeOf, worksInText } from "./strokes";

const press = (key: string, held: Partial<Parameters<typeof strokeOf>[0]> = {}) =>
  strokeOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test("a key press has one name, whatever a keyboard needs Shift for", () => {
  expect(press("n")).toBe("n");
  expect(press("N", { shiftKey: true })).toBe("n");
  expect(press("?", { shiftKey: true })).toBe("?");
  expect(press("K", { ctrlKey: true, shiftKey: true })).toBe("mod+shift+k");
  expect(press("+", { ctrlKey: true, shiftKey: true })).toBe("mod+plus");
  expect(press("=", { ctrlKey: true })).toBe("mod+plus");
  expect(press("ArrowDown", { shiftKey: true })).toBe("shift+down");
  expect(press(" ")).toBe("space");
});

test("what is held alone, and the begin of an accent, is no stroke", () => {
  for (const key of ["Control", "Shift", "Alt", "Meta", "AltGraph", "Dead", "Process", "Unidentified"])
    expect(press(key)).toBeNull();
});

test("what AltGr types is a sign", () => {
  const altGr = { ctrlKey: true, altKey: true, getModifierState: (it: string) => it === "AltGraph" };
  expect(press("€", altGr)).toBe("€");
});

test("letters, digits and signs alone are single keys", () => {
  for (const stroke of ["n", "1", "?", "plus", "ü"]) expect(isSingle(stroke)).toBe(true);
  for (const stroke of ["mod+n", "alt+n", "f2", "delete", "escape"]) expect(isSingle(stroke)).toBe(false);
});

test("a text hears only what is no writing, and undoes by itself", () => {
  for (const stroke of ["mod+k", "mod+alt+k", "f2"]) expect(worksInText(stroke)).toBe(true);
  for (const stroke of ["n", "delete", "alt+n", "mod+z"]) expect(worksInText(stroke)).toBe(false);
});

test("keys that the system, the webview or every text needs are refused", () => {
  for (const stroke of ["tab", "shift+tab", "enter", "escape", "mod+enter", "alt+left", "pagedown"])
    expect(refusalOf(stroke)).toBe("moving");
  for (const stroke of ["mod+c", "mod+v", "mod+z", "mod+shift+z", "mod+a"])
    expect(refusalOf(stroke)).toBe("editing");
  for (const stroke of ["f5", "mod+f5", "mod+r", "mod+w", "mod+q", "mod+p", "alt+f4", "f12", "mod+shift+i"])
    expect(refusalOf(stroke)).toBe("system");
  const held = { key: "k", ctrlKey: false, metaKey: true, altKey: false, shiftKey: false };
  expect(refusalOf("mod+k", held)).toBe("system");
  for (const stroke of ["n", "mod+k", "mod+shift+k", "alt+m", "f2", "f9", "delete", "mod+1"])
    expect(refusalOf(stroke)).toBeNull();
});
