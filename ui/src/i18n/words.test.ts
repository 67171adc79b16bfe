import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
import { type MessageKey, messages } from "./messages";

/** Terms of the code, and the words that the window has for them (docs/style.md, "Words of the window"). */
const OLD_WORDS: [RegExp, string][] = [
  [/workspace/i, "World"],
  [/control plane/i, "Data & access"],
  [/named entr/i, "Always in mind"],
  [/curator/i, "Written by"],
  [/\borientation/i, "What the agent sees"],
  [/consolidat/i, "Tidying"],
  [/scrub|purg/i, "Erase for good"],
  [/\btasks?\b/i, "Background work"],
  [/^say( it)?$/i, "Send"],
  [/\bcompact(ed|ion|s)?\b/i, "Summarise"],
  [/\bledger/i, "What the agent saw"],
  [/\blens\b|withheld/i, "Hidden"],
  [/\bembeddings?\b|\bvectors?\b/i, "search by meaning"],
  [/\bdrift/i, "Contradictions"],
  [/\balias/i, "another name"],
  [/\bjournal/i, "history of all changes"],
  [/\btak(e|en) (it |this |all of it )?back\b/i, "Undo"],
];

/** Texts that need such a word: an example that a worldbuilder might type. */
const EXCEPTIONS: MessageKey[] = ["ledger.try.placeholder"];

/** Words to find a setting by are never shown: whoever knows a term of the code finds it, too. */
const isShown = (key: MessageKey) => !key.startsWith("palette.words.");

/** What a message shows, without its placeholders: one text for each branch of a plural or a choice. */
function literals(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal) return [element.value];
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return Object.values(element.options).flatMap((option) => literals(option.value));
    return [];
  });
}

test.each(OLD_WORDS)("no text of the window has %s: it is %s there", (old) => {
  const wrong = (Object.keys(messages) as MessageKey[]).filter(
    (key) =>
      isShown(key) &&
      !EXCEPTIONS.includes(key) &&
      literals(parse(messages[key])).some((text) => old.test(text)),
  );
  expect(wrong).toEqual([]);
});

test("an exception still has the word that it is excepted for", () => {
  const needless = EXCEPTIONS.filter((key) => !OLD_WORDS.some(([old]) => old.test(messages[key])));
  expect(needless).toEqual([]);
});
