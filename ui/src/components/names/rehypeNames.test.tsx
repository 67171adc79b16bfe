import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Markdown } from "../Markdown";
import { NamesContext, type NamesValue } from "./context";
import { NamedText } from "./NameLink";
import { nameIndex } from "./nameIndex";

const nothing = () => {};
const row = (name: string) => ({
  id: name.toLowerCase(),
  kind: "character",
  name,
  aliases: [],
  hasText: true,
  links: 0,
  updatedAt: "2026-01-01T00:00:00Z",
});
const value: NamesValue = {
  index: nameIndex([row("Mira"), row("Toma"), row("Toma Vale")]),
  own: undefined,
  tabbable: true,
  lens: null,
  hrefOf: ({ id }) => `#/world?id=${id}`,
  onClick: nothing,
  onPointerEnter: nothing,
  onPointerLeave: nothing,
  onFocus: nothing,
  onBlur: nothing,
};

const shown = (text: string, more: Partial<NamesValue> = {}) =>
  render(
    <NamesContext value={{ ...value, ...more }}>
      <Markdown text={text} />
    </NamesContext>,
  ).container;
const linksOf = (box: HTMLElement) =>
  [...box.querySelectorAll("a")].map((it) => `${it.textContent} ${it.getAttribute("href")}`);

test("a name in a text is a link to its subject, and the text stays as it is", () => {
  const text = "Then Mira met **toma**.";
  const box = shown(`# Of Mira\n\n${text}\n\n- Mira`);
  expect(linksOf(box)).toEqual([
    "Mira #/world?id=mira",
    "Mira #/world?id=mira",
    "toma #/world?id=toma",
    "Mira #/world?id=mira",
  ]);
  expect(box.querySelector("p")?.textContent).toBe(text.replaceAll("*", ""));
  expect(box.querySelector("var")).toBeNull();
});

test("no name is a link in code, in a link or in an address", () => {
  const box = shown(
    "`Mira`\n\n```\nMira\n```\n\n[Mira](https://sea.example) <https://mira.example> https://a.example/Mira",
  );
  expect(linksOf(box)).toEqual([]);
});

test("a text without names that are known to be shown has no links", () => {
  const box = render(<Markdown text="Mira and Toma" />).container;
  expect(box.querySelector("a, var")).toBeNull();
});

test("Tab stops at the first link of each subject, where it stops at all", () => {
  const stops = (box: HTMLElement) => [...box.querySelectorAll("a")].map((it) => it.tabIndex);
  expect(stops(shown("Mira and Toma and Mira"))).toEqual([0, 0, -1]);
  expect(stops(shown("Mira and Toma and Mira", { tabbable: false }))).toEqual([-1, -1, -1]);
});

test("the own name of a text is no link, and no shorter name within it is", () => {
  expect(linksOf(shown("Toma Vale met Toma", { own: "toma vale" }))).toEqual(["Toma #/world?id=toma"]);
});

test("a text cannot make itself a link to a subject", () => {
  const box = shown(
    '<var data-subject="secret">x</var> <a href="#/world?id=secret">x</a> [x](#/world?id=secret)',
  );
  expect(linksOf(box)).toEqual([]);
  expect(box.innerHTML).not.toContain("data-target");
});

test("a plain text has the same links", () => {
  const box = render(
    <NamesContext value={value}>
      <NamedText text="**Mira** and <b>Toma</b>" />
    </NamesContext>,
  ).container;
  expect(linksOf(box)).toEqual(["Mira #/world?id=mira", "Toma #/world?id=toma"]);
  expect(box.textContent).toBe("**Mira** and <b>Toma</b>");
});
