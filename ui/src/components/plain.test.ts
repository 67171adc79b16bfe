import { expect, test } from "vitest";
import { plain, withoutName } from "./plain";

const marked = (source: string, word: string, name: string | null = null) => {
  const start = source.indexOf(word);
  const { text, spans } = plain(source, [{ start, end: start + word.length }], name);
  return { text, words: spans.map((span) => text.slice(span.start, span.end)) };
};

test("a highlight stays on its word when earlier marks are removed", () => {
  expect(marked("## The **old** *harbour* wall\n\n- of `stone`", "harbour")).toEqual({
    text: "The old harbour wall of stone",
    words: ["harbour"],
  });
});

test("a heading that repeats the name is shown once", () => {
  expect(marked("# Saltmere\n\nA harbour town", "harbour", "Saltmere")).toEqual({
    text: "A harbour town",
    words: ["harbour"],
  });
});

test("links and pictures keep their text, fences and rules leave nothing, boxes and escapes leave no marks", () => {
  expect(plain("See [the *old* wall](https://example.invalid/a 'b') and ![a map](map.png).").text).toBe(
    "See the old wall and a map.",
  );
  expect(plain("- [x] paid\n- [ ] owed\n\n---\n\n> ## Then\n```ts\nlet a;\n```").text).toBe(
    "paid owed Then let a; ",
  );
  expect(plain("Bound \\*not\\* said [aside] (here)").text).toBe("Bound *not* said [aside] (here)");
  expect(marked("Go to [the harbour](x) now", "harbour").words).toEqual(["harbour"]);
});

test("characters that are no markdown are kept", () => {
  expect(plain("2 * 3 = 6, snake_case and a-b").text).toBe("2 * 3 = 6, snake_case and a-b");
});

test("text with emoji, combining marks and stray angle brackets is unchanged", () => {
  const text = "née 🐙 <script>alert(1)</script> ẅ";
  expect(plain(text).text).toBe(text);
});

test("invalid offsets are dropped", () => {
  const wrong = [
    { start: 5, end: 2 },
    { start: -1, end: 3 },
    { start: 2, end: 900 },
  ];
  expect(plain("Some text", wrong).spans).toEqual([]);
});

test("wiki links leave what they show", () => {
  expect(plain("![[map.png]] by [[Weir Tower|the tower]] of [[Saltmere]], not [[open").text).toBe(
    "map.png by the tower of Saltmere, not [[open",
  );
});

test("a heading that only repeats the name is left out of the text below it", () => {
  expect(withoutName("# Saltmere\n\nA town.", "saltmere")).toBe("\nA town.");
  expect(withoutName("\n# Saltmere\nA town.", "Saltmere")).toBe("A town.");
  for (const text of ["# Saltmere Quay\nA town.", "Saltmere\nA town.", "# Saltmere"])
    expect(withoutName(text, "Saltmere")).toBe(text);
  expect(withoutName("# Saltmere\nA town.", null)).toBe("# Saltmere\nA town.");
});
