import { expect, test } from "vitest";
import { french } from "../../i18n/french";
import { german } from "../../i18n/german";
import { createI18n } from "../../i18n/i18n";
import { rowsName } from "./formats";

const languages = [createI18n(), createI18n("de", german), createI18n("fr", french)];

test("the kinds of rows in a file are in the language of the window", () => {
  const texts = (what: string) => languages.map((i18n) => rowsName(what, i18n));
  expect(texts("named_entries")).toEqual([
    "entries with a name",
    "Einträge mit Namen",
    "entrées avec un nom",
  ]);
  expect(texts("scratchpads")).toEqual(["working notes", "Arbeitsnotizen", "notes de travail"]);
  expect(texts("something_new")).toEqual(["something_new", "something_new", "something_new"]);
});
