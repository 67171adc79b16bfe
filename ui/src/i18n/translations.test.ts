import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
import { french } from "./french";
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

// Names, units and words that a language has in common with English.
const SAME_IN_GERMAN = new Set<MessageKey>([
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
  "settings.download.done",
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

const SAME_IN_FRENCH = new Set<MessageKey>([
  "activity.tab.drift",
  "actorKind.system",
  "bulk.importance",
  "channels.conversations",
  "clients.namePlaceholder",
  "clients.server.port",
  "conflict.theirsNote",
  "conversation.agent",
  "conversation.app",
  "conversation.list",
  "conversation.star",
  "conversation.status.active",
  "conversation.tab.notes",
  "curator.agent",
  "curator.import",
  "drift.canon",
  "drift.list",
  "drift.message",
  "drift.page",
  "facet.importance",
  "facet.source",
  "fact.categoryPlaceholder",
  "graph.relation",
  "key.mod",
  "key.tab",
  "kind.archive",
  "kind.concept",
  "kind.culture",
  "kind.faction",
  "ledger.column.room",
  "ledger.importance",
  "ledger.layer.pages",
  "lifetime.conversation",
  "list.importance",
  "nav.conversations",
  "nav.pages",
  "origin.conversation",
  "origin.session",
  "origin.source",
  "palette.group.conversation",
  "palette.group.pages",
  "palette.kind.conversation",
  "palette.kind.message",
  "palette.kind.page",
  "promote.find",
  "prop.importance",
  "proposal.kind.conflict",
  "reads.agent",
  "recall.question",
  "relation.title",
  "run.minutes",
  "scrub.count.messages",
  "scrub.count.versions",
  "settings.chat.preset",
  "settings.conversation.title",
  "settings.data.version",
  "settings.look.zoom",
  "settings.model.dimension",
  "shown.leg.salience",
  "shown.source.frame",
  "source.kind.message",
  "source.kind.page",
  "telemetry.agent",
  "telemetry.measure.action",
  "telemetry.ms",
  "telemetry.part.actions",
  "telemetry.sequence.actions",
  "telemetry.target.conversation",
  "telemetry.target.page",
  "tier.conversation",
  "time.dates",
  "toast.label",
  "transfer.format",
  "transfer.format.graphml",
  "transfer.format.inklings",
  "transfer.format.lorebook_v3",
  "transfer.format.mem0",
  "transfer.format.novelai",
  "transfer.format.sillytavern",
  "transfer.rows.conversations",
  "transfer.rows.messages",
  "vault.kind",
  "why.list.date",
  "why.score",
]);

const LANGUAGES = [
  { locale: "de", catalogue: german, same: SAME_IN_GERMAN },
  { locale: "fr", catalogue: french, same: SAME_IN_FRENCH },
] as const;

for (const { locale, catalogue, same } of LANGUAGES) {
  test(`every message takes the values of the English one, ${locale}`, () => {
    const wrong = keys.filter(
      (key) =>
        String([...placeholders(parse(catalogue[key]))].sort()) !==
        String([...placeholders(parse(messages[key]))].sort()),
    );
    expect(wrong).toEqual([]);
  });

  test(`every message can be rendered for none, one and many, ${locale}`, () => {
    const { t } = createI18n(locale, catalogue);
    for (const key of keys) {
      for (const value of [0, 1, 2, 1000]) {
        const values = Object.fromEntries(
          [...placeholders(parse(catalogue[key]))].map((name) => [name, value]),
        );
        expect(t(key, values).trim()).not.toBe(key);
      }
    }
  });

  test(`no message is left in English, ${locale}`, () => {
    // What is nothing but values and signs is no text.
    const words = (key: MessageKey) => messages[key].replace(/\{[^{}]*\}/g, "").match(/\p{L}/u) !== null;
    const left = keys.filter((key) => catalogue[key] === messages[key] && words(key) && !same.has(key));
    expect(left).toEqual([]);
  });
}

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

test("French messages quote and space their signs as French does", () => {
  const wrong = keys.filter((key) => {
    const text = french[key];
    // Within plurals a colon never follows a value without a space either.
    return (
      text.split("«\u00a0").length !== text.split("\u00a0»").length ||
      /["“”„']|\w\.\.\.|\S\s…|[\p{L}\d}»] ?[?!;](?=\s|$)|\p{L} ?:(?=\s|$)/u.test(text)
    );
  });
  expect(wrong).toEqual([]);
});

test("numbers, dates, lists and the order of names are French", () => {
  const fr = createI18n("fr", french);
  const now = Date.parse("2026-01-10T12:00:00Z");
  expect(fr.number(12_345.6)).toBe("12\u202f345,6");
  expect(fr.date("2026-01-10T12:00:00Z")).toBe("10 janvier 2026");
  expect(fr.relative("2026-01-09T12:00:00Z", now)).toBe("hier");
  expect(fr.list(["Anne", "Brune", "Claire"])).toBe("Anne, Brune et Claire");
  expect(["zèle", "été", "bal"].sort(fr.compare)).toEqual(["bal", "été", "zèle"]);
  expect(fr.t("list.count", { count: 1 })).toBe("1 souvenir");
});
