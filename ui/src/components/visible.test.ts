import { expect, test } from "vitest";
import { CASES } from "../testing/hiddenCases.gen";
import { plain } from "./plain";
import { visible } from "./visible";

const tagged = (text: string) =>
  [...text].map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join("");

test("characters that hide text are shown as code points", () => {
  expect(visible(`The gate.${tagged("x")}`)).toBe("The gate.‹U+E0078›");
  expect(visible("abc\u202Efdp")).toBe("abc‹U+202E›fdp");
  for (const text of [
    "a\uFE00\uFE01",
    "a \uFE0Fb",
    "a\u200B\u200C\u200D\u200Bb",
    `\u{1F3F4}${tagged("gbeng")}`,
  ])
    expect(visible(text)).toContain("‹U+");
});

test("every text is shown as the core renders it", () => {
  for (const [text, shown] of CASES) expect(visible(text), JSON.stringify(text)).toBe(shown);
});

test("ordinary writing and emoji are unchanged", () => {
  for (const text of [
    `England \u{1F3F4}${tagged("gbeng")}\u{E007F} won`,
    "👩‍👩‍👧‍👦 ❤️‍🔥 👁️‍🗨️ 1️⃣ 🏳️‍🌈",
    "می‌خواهم نامه‌ها",
    "שלום \u200F(עולם)\u200F, \u2067שם\u2069",
    "辻\u{E0100}と葛\u{E0101}",
    "plain",
  ])
    expect(visible(text)).toBe(text);
});

test("a preview shows hidden characters, and its marks keep their positions", () => {
  const text = `**a** ${tagged("b")} gate`;
  const at = text.indexOf("gate");
  const shown = plain(text, [{ start: at, end: at + 4 }]);
  expect(shown.text).toBe("a ‹U+E0062› gate");
  const [span] = shown.spans;
  expect(shown.text.slice(span?.start, span?.end)).toBe("gate");
});
