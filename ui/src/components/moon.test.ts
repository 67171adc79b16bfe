import { expect, test } from "vitest";
import { french } from "../i18n/french";
import { german } from "../i18n/german";
import { createI18n } from "../i18n/i18n";
import { moonText, PHASES } from "./moon";

const languages = [createI18n(), createI18n("de", german), createI18n("fr", french)];

test("the phases of moons are in the language of the window", () => {
  const texts = languages.map((i18n) => moonText({ name: "Io", phase: "waxing_crescent" }, i18n));
  expect(texts).toEqual(["Io: waxing crescent", "Io: zunehmende Sichel", "Io : premier croissant"]);
  for (const i18n of languages)
    for (const phase of PHASES) expect(moonText({ name: "Io", phase }, i18n)).not.toContain("_");
});
