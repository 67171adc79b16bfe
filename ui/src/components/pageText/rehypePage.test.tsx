import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PageLinkView } from "../../ipc/bindings.gen";
import { Markdown } from "../Markdown";
import { headingId, linksByText, PageTextContext } from "./context";

const link = (target: string, more: Partial<PageLinkView> = {}): PageLinkView => ({
  target,
  heading: null,
  embeds: false,
  pageId: null,
  title: null,
  attachment: `files/${target}`,
  ...more,
});

const shown = (text: string, links: PageLinkView[], offset = 0) =>
  render(
    <PageTextContext value={{ offset, linkOf: linksByText(links) }}>
      <Markdown text={text} />
    </PageTextContext>,
  ).container;
const titles = (box: HTMLElement) =>
  [...box.querySelectorAll("[title]")].map((it) => it.getAttribute("title"));

test("links in texts, tables and with a text of their own lead to what the core says", () => {
  const box = shown("![[map.png]] [[a.pdf|the deed]]\n\n| x |\n|---|\n| [[b.pdf\\|b]] |", [
    link("map.png"),
    link("a.pdf"),
    link("b.pdf"),
  ]);
  expect(titles(box)).toEqual(["files/map.png", "files/a.pdf", "files/b.pdf"]);
  expect(box.textContent).toContain("the deed");
  expect(box.textContent).not.toContain("[[");
});

test("what the core takes for no link stays as it is written", () => {
  const box = shown("[[x]] and `[[a.pdf]]`\n\n```\n[[a.pdf]]\n```", [link("a.pdf")]);
  expect(titles(box)).toEqual([]);
  expect(box.textContent).toContain("[[x]] and [[a.pdf]]");
});

test("a block of another page is found without its sign", () => {
  expect(linksByText([link("a", { heading: "block1" })])("a#^block1")?.target).toBe("a");
});

test("headings have ids by where they begin in the page", () => {
  const box = shown("# One\n\n## Two", [], 100);
  expect([...box.querySelectorAll("h1, h2")].map((it) => it.id)).toEqual([headingId(100), headingId(107)]);
});

test("brackets of other texts are brackets", () => {
  const box = render(<Markdown text="[[a.pdf]]" />).container;
  expect(box.textContent).toBe("[[a.pdf]]");
});
