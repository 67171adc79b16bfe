import { expect, test } from "vitest";
import { createI18n } from "./i18n";
import { type MessageKey, messages } from "./messages";
import { pseudoMessages } from "./pseudo";

const en = createI18n();

/** A number for every placeholder of a message. */
function valuesFor(message: string): Record<string, number> {
  return Object.fromEntries([...message.matchAll(/\{(\w+)[,}]/g)].map((match) => [match[1] ?? "", 2]));
}

test("every message can be rendered, in English and in the pseudo-locale", () => {
  for (const catalogue of [messages, pseudoMessages()]) {
    const { t } = createI18n("en", catalogue);
    for (const key of Object.keys(messages) as MessageKey[]) {
      expect(t(key, valuesFor(messages[key]))).not.toBe(key);
    }
  }
});

test("there is no unused message", () => {
  const sources = import.meta.glob<string>("../**/*.{ts,tsx}", {
    eager: true,
    query: "?raw",
    import: "default",
  });
  const code = Object.entries(sources)
    .filter(([path]) => !/\/(en|de)\//.test(path) && !path.includes(".test."))
    .map(([, text]) => text)
    .join("\n");
  const prefixes = [...code.matchAll(/`([a-z]+(?:\.[\w]+)*\.?)\$\{/gi)].map((match) => match[1] ?? "");
  const dead = Object.keys(messages).filter(
    (key) =>
      !code.includes(`"${key}"`) && !prefixes.some((prefix) => prefix !== "" && key.startsWith(prefix)),
  );
  expect(dead).toEqual([]);
});

test("plurals follow the rules of the language", () => {
  expect(en.t("list.count", { count: 1 })).toBe("1 memory");
  expect(en.t("list.count", { count: 12_345 })).toBe("12,345 memories");
  expect(en.t("why.text", { rank: 3 })).toBe("By its words it is the 3rd best match.");
  expect(en.t("why.text", { rank: 1 })).toBe("By its words it is the best match.");
});

test("the pseudo-locale is longer and accented, and keeps the values", () => {
  const text = createI18n("en", pseudoMessages()).t("workspace.switched", { name: "Saltmere" });
  expect(text).toContain("Saltmere");
  expect(text.length).toBeGreaterThan(en.t("workspace.switched", { name: "Saltmere" }).length);
});

test("times are relative to now in the largest fitting unit", () => {
  const now = Date.parse("2026-01-10T12:00:00Z");
  expect(en.relative("2026-01-10T11:59:40Z", now)).toBe("just now");
  expect(en.relative("2026-01-10T11:15:00Z", now)).toBe("45 minutes ago");
  expect(en.relative("2026-01-09T12:00:00Z", now)).toBe("yesterday");
  expect(en.relative("2026-03-10T12:00:00Z", now)).toBe("in 2 months");
});
