import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { loadLanguage } from "../../i18n/locales";
import { language } from "../../preferences/preferences";
import { openWindow } from "../../testing/open";

const choose = async (
  user: Awaited<ReturnType<typeof openWindow>>["user"],
  label: string,
  option: string,
) => {
  await user.click(await screen.findByRole("combobox", { name: label }));
  await user.click(await screen.findByRole("option", { name: option }));
};

test("the language is switched at once, for texts and for screen readers, and is stored", async () => {
  const { user } = await openWindow("/settings");
  await screen.findByRole("heading", { name: "Settings" });
  expect(document.documentElement.lang).toBe("en");
  await choose(user, "Language", "Deutsch");
  expect(await screen.findByRole("heading", { name: "Einstellungen" })).toBeTruthy();
  expect(document.documentElement.lang).toBe("de");
  expect(localStorage.getItem("inklings.language")).toBe("de");
  const rail = within(screen.getByRole("navigation", { name: "Hauptmenü" }));
  expect(rail.getByRole("link", { name: "Gespräche" })).toBeTruthy();
  await waitFor(() => expect(document.title).toMatch(/^Einstellungen · /));
  await choose(user, "Sprache", "English");
  expect(await screen.findByRole("heading", { name: "Settings" })).toBeTruthy();
  expect(document.documentElement.lang).toBe("en");
});

test("a chosen language is there at the first paint", async () => {
  language.set("de");
  await loadLanguage();
  const opened = openWindow("/memory");
  await waitFor(() => expect(document.querySelector("nav")).not.toBeNull());
  expect(screen.getByRole("navigation").getAttribute("aria-label")).toBe("Hauptmenü");
  const { user } = await opened;
  await screen.findByRole("grid", { name: "Erinnerungen" });
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Tastenkürzel" });
  expect(within(dialog).getAllByText("Strg").length).toBeGreaterThan(0);
});

test("the window follows the language of the system until another is chosen", async () => {
  Object.defineProperty(navigator, "languages", { value: ["fr-FR", "de-AT", "en"], configurable: true });
  try {
    await openWindow("/settings");
    expect(await screen.findByRole("heading", { name: "Einstellungen" })).toBeTruthy();
    language.set("en");
    expect(await screen.findByRole("heading", { name: "Settings" })).toBeTruthy();
  } finally {
    Reflect.deleteProperty(navigator, "languages");
  }
});

test("names are in the order of the alphabet of the language", async () => {
  language.set("de");
  await loadLanguage();
  const { core } = await openWindow("/channels");
  for (const name of ["zunft", "ärzte", "bauern"])
    await core.call("create_channel", { name, description: "" });
  await screen.findByText("ärzte");
  const order = () =>
    ["ärzte", "bauern", "zunft"].map((name) => document.body.textContent?.indexOf(name) ?? -1);
  await waitFor(() => expect(order()).toEqual([...order()].sort((a, b) => a - b)));
});
