import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { loadLanguage } from "../../i18n/locales";
import { language, spelling } from "../../preferences/preferences";
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
  await choose(user, "Sprache", "Français");
  expect(await screen.findByRole("heading", { name: "Réglages" })).toBeTruthy();
  expect(document.documentElement.lang).toBe("fr");
  await choose(user, "Langue", "English");
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
  Object.defineProperty(navigator, "languages", { value: ["pt-BR", "de-AT", "en"], configurable: true });
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

const zoomNow = () => document.documentElement.style.getPropertyValue("--zoom");

test("Ctrl with plus, minus and zero zooms the window, also while writing and in a dialog", async () => {
  const { user } = await openWindow();
  const field = await screen.findByRole("textbox", { name: "Search memories" });
  await user.click(field);
  await user.keyboard("{Control>}+{/Control}");
  expect(zoomNow()).toBe("1.1");
  expect((field as HTMLInputElement).value).toBe("");
  await user.keyboard("{Control>}={/Control}");
  expect(zoomNow()).toBe("1.25");
  expect(localStorage.getItem("inklings.zoom")).toBe("125");
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("dialog", { name: "Command palette" });
  await user.keyboard("{Control>}-{/Control}");
  expect(zoomNow()).toBe("1.1");
  await user.keyboard("{Control>}0{/Control}");
  expect(zoomNow()).toBe("1");
  expect(localStorage.getItem("inklings.zoom")).toBeNull();
});

test("the zoom ends at both of its ends, and the shortcuts name its keys", async () => {
  const { user } = await openWindow("/settings");
  const group = within(await screen.findByRole("group", { name: "Zoom" }));
  const larger = group.getByRole("button", { name: "Zoom in" }) as HTMLButtonElement;
  while (!larger.disabled) await user.click(larger);
  expect(zoomNow()).toBe("2");
  await user.keyboard("{Control>}+{/Control}");
  expect(zoomNow()).toBe("2");
  await user.click(group.getByRole("button", { name: "Back to 100%" }));
  expect(zoomNow()).toBe("1");
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  const everywhere = within(dialog).getByRole("region", { name: "Everywhere" });
  expect(everywhere.textContent).toContain("Zoom inCtrl+");
  expect(everywhere.textContent).toContain("Zoom outCtrl−");
});

test("the size and the width of texts are chosen apart from the zoom", async () => {
  const { user } = await openWindow("/settings");
  const factor = (name: string) => Number(document.documentElement.style.getPropertyValue(name));
  const option = async (group: string, name: string) =>
    user.click(within(await screen.findByRole("radiogroup", { name: group })).getByRole("radio", { name }));
  await option("Text size", "Large");
  await option("Reading width", "Wide");
  expect(factor("--text-factor")).toBeGreaterThan(1);
  expect(factor("--width-factor")).toBeGreaterThan(1);
  await option("Reading width", "Narrow");
  expect(factor("--width-factor")).toBeLessThan(1);
  expect(zoomNow()).toBe("1");
});

test("editors are checked in the language that was chosen, or not at all", async () => {
  const { user } = await openWindow("/settings");
  await choose(user, "Spell check", "Français");
  await user.click(screen.getByRole("link", { name: "Memory" }));
  await screen.findByRole("grid");
  await user.keyboard("n");
  const editor = await screen.findByRole("textbox", { name: "Text of the memory" });
  expect(editor.getAttribute("lang")).toBe("fr");
  expect(editor.getAttribute("spellcheck")).toBe("true");
  spelling.set("off");
  await waitFor(() => expect(editor.getAttribute("spellcheck")).toBe("false"));
  expect(editor.getAttribute("lang")).toBeNull();
});
