import { expect, test } from "vitest";
import { find } from "./find";

function page(): HTMLElement {
  const root = document.createElement("div");
  root.innerHTML = `
    <section><h2>Appearance</h2>
      <div data-setting="Theme"><p>Theme</p><p>Paper by day</p><button aria-label="Dark"></button></div>
      <div data-setting="Zoom"><p>Zoom</p><p>Of the whole page</p></div>
    </section>
    <section><h2>Language model</h2><p>Answers in conversations.</p><label>Address</label></section>
    <section><h2>Conversations</h2><div data-setting="Keep only summaries"><p>Keep only summaries</p></div></section>`;
  return root;
}
const names = (query: string) => find(page(), query).map((it) => it.name);

test("a setting is found by its name, its note and its options", () => {
  expect(names("theme")).toEqual(["Theme"]);
  expect(names("whole page")).toEqual(["Zoom"]);
  expect(names("dark")).toEqual(["Theme"]);
});

test("the beginning of a word is enough, in any case and with any accent, and all words have to be there", () => {
  expect(names("SUMM")).toEqual(["Keep only summaries"]);
  expect(names("thémé pap")).toEqual(["Theme"]);
  expect(names("theme summaries")).toEqual([]);
});

test("words that stand between settings find their section", () => {
  expect(names("address")).toEqual(["Language model"]);
});

test("what has the words in its name comes before what only mentions them", () => {
  expect(names("conversations")).toEqual(["Conversations", "Language model"]);
});

test("without a word nothing is found", () => {
  expect(names(" – ")).toEqual([]);
});
