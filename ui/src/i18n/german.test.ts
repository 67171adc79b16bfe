import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
import { german } from "./german";
import { createI18n } from "./i18n";
import { type MessageKey, messages } from "./messages";

const keys = Object.keys(messages) as MessageKey[];

/** The names of the values that a message takes, those of its plurals and selects included. */
function placeholders(elements: MessageFormatElement[]): Set<string> {
  const names = new Set<string>();
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    names.add(element.value);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    for (const { value } of Object.values(element.options)) {
      for (const name of placeholders(value)) names.add(name);
    }
  }
  return names;
}

const isSameInBoth = (key: MessageKey) => german[key] === messages[key];

// Names, units and words that both languages have.
const SAME = new Set([
  "actorKind.system",
  "calendar.name",
  "channels.name",
  "clients.name",
  "clients.namePlaceholder",
  "clients.server.port",
  "clients.where",
  "conflict.theirsNote",
  "conversation.agent",
  "conversation.app",
  "conversation.status",
  "curator.agent",
  "curator.import",
  "fact.categoryPlaceholder",
  "filter.button",
  "graph.look.graph",
  "key.enter",
  "key.escape",
  "key.tab",
  "ledger.column.room",
  "named.name",
  "overview.curator.agent",
  "readingWidth.normal",
  "reads.agent",
  "saved.name",
  "settings.data.version",
  "settings.desktop.title",
  "settings.look.zoom",
  "settings.model.size",
  "telemetry.agent",
  "telemetry.ms",
  "textSize.normal",
  "transfer.format",
  "transfer.format.graphml",
  "transfer.format.inklings",
  "transfer.format.lorebook_v3",
  "transfer.format.mem0",
  "transfer.format.novelai",
  "transfer.format.sillytavern",
  "why.list.name",
  "workspace.name",
]);

test("every German message takes the values of the English one", () => {
  const wrong = keys.filter(
    (key) =>
      String([...placeholders(parse(german[key]))].sort()) !==
      String([...placeholders(parse(messages[key]))].sort()),
  );
  expect(wrong).toEqual([]);
});

test("every German message can be rendered for none, one and many", () => {
  const { t } = createI18n("de", german);
  for (const key of keys) {
    for (const value of [0, 1, 2, 1000]) {
      const values = Object.fromEntries([...placeholders(parse(german[key]))].map((name) => [name, value]));
      expect(t(key, values).trim()).not.toBe(key);
    }
  }
});

test("no German message is left in English", () => {
  // What is nothing but values and signs is no text.
  const words = (key: MessageKey) => messages[key].replace(/\{[^{}]*\}/g, "").match(/\p{L}/u) !== null;
  expect(keys.filter((key) => isSameInBoth(key) && words(key) && !SAME.has(key))).toEqual([]);
});

test("German messages address nobody, and quote as German does", () => {
  const wrong = keys.filter((key) => {
    const text = german[key];
    const opened = text.split("„").length;
    return (
      /\b(du|dich|dir|dein\w*)\b/i.test(text) ||
      opened !== text.split("“").length ||
      /[”"]|\w\.\.\.|\S…/.test(text)
    );
  });
  expect(wrong).toEqual([]);
});

test("numbers, dates, lists and the order of names are German", () => {
  const de = createI18n("de", german);
  const now = Date.parse("2026-01-10T12:00:00Z");
  expect(de.number(12_345.6)).toBe("12.345,6");
  expect(de.date("2026-01-10T12:00:00Z")).toBe("10. Januar 2026");
  expect(de.relative("2026-01-09T12:00:00Z", now)).toBe("gestern");
  expect(de.list(["Anna", "Berta", "Carl"])).toBe("Anna, Berta und Carl");
  expect(["Zug", "Ärzte", "Bauern"].sort(de.compare)).toEqual(["Ärzte", "Bauern", "Zug"]);
  expect(de.t("list.count", { count: 1 })).toBe("1 Erinnerung");
});
