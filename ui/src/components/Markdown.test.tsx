import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Markdown } from "./Markdown";

const html = (text: string) => render(<Markdown text={text} />).container;

test("no picture of a memory is ever fetched", () => {
  const box = html('![a map](https://tracker.example/map.png) <img src="https://tracker.example/x.png">');
  expect(box.querySelector("img, picture, video, iframe, object, embed, svg image")).toBeNull();
  expect(box.innerHTML).not.toContain("tracker.example");
  expect(box.textContent).toContain("a map");
});

test("no script, handler or style of a memory reaches the page", () => {
  const box = html(
    [
      "<script>alert(1)</script>",
      "<p onclick='alert(1)' style='position:fixed'>raw</p>",
      "[run](javascript:alert(1))",
      "[data](data:text/html,<script>alert(1)</script>)",
      "[odd](JaVaScRiPt:alert(1))",
      "[file](file:///etc/passwd)",
    ].join("\n\n"),
  );
  expect(box.querySelector("script, [onclick], [style], a[href]")).toBeNull();
  expect(box.innerHTML).not.toMatch(/javascript:|data:text|file:/i);
  expect(box.querySelectorAll("button")).toHaveLength(0);
});

test("a web link is shown as text with its address to copy, never as a link out of the window", () => {
  const box = html("See [the archive](https://example.org/a?b=1).");
  expect(box.querySelector("a")).toBeNull();
  expect(box.querySelector("button")?.title).toContain("https://example.org/a?b=1");
});

test("the markdown that authors use is rendered", () => {
  const box = html("# Title\n\n- one\n- **two**\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |");
  for (const tag of ["h1", "li", "strong", "blockquote", "td"]) expect(box.querySelector(tag)).not.toBeNull();
});
