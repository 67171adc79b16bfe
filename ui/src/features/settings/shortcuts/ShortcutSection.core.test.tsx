import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { loadLanguage } from "../../../i18n/locales";
import { language } from "../../../preferences/preferences";
import { openWindow } from "../../../testing/open";

async function openShortcuts() {
  const opened = await openWindow("/settings?section=shortcuts");
  const region = within(await screen.findByRole("region", { name: "Keyboard shortcuts" }));
  await opened.user.click(region.getByText("Memory"));
  return { ...opened, region };
}

test("a key is changed by pressing another one, and works and is shown everywhere", async () => {
  const { user, region, router } = await openShortcuts();
  const key = region.getByRole("button", { name: "Change N for “New memory”" });
  await user.click(key);
  expect(key.getAttribute("aria-label")).toBe("Press the new keys for “New memory”, or Esc to leave it");
  await user.keyboard("{Control>}{Shift>}y{/Shift}{/Control}");
  const changed = region.getByRole("button", { name: "Change Ctrl+Shift+Y for “New memory”" });
  await waitFor(() => expect(document.activeElement).toBe(changed));
  expect(region.getByText("“New memory” has Ctrl+Shift+Y now.")).toBeTruthy();
  router.history.push("/memory");
  await screen.findByRole("grid");
  await user.keyboard("n");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.keyboard("?");
  const list = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  expect(within(list).getByRole("region", { name: "On this page" }).textContent).toContain(
    "New memoryCtrlShiftY",
  );
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("{Control>}k{/Control}");
  const palette = await screen.findByRole("dialog", { name: "Command palette" });
  expect(palette.querySelector("[data-value='memory.new']")?.textContent).toContain("CtrlShiftY");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("{Control>}{Shift>}y{/Shift}{/Control}");
  expect(await screen.findByRole("dialog", { name: "New memory" })).toBeTruthy();
});

test("Escape and Tab leave a key as it is", async () => {
  const { user, region } = await openShortcuts();
  const key = region.getByRole("button", { name: "Change N for “New memory”" });
  for (const way of ["{Escape}", "{Tab}"]) {
    await user.click(key);
    expect(key.getAttribute("aria-pressed")).toBe("true");
    await user.keyboard(way);
    expect(key.getAttribute("aria-pressed")).toBe("false");
    expect(key.getAttribute("aria-label")).toBe("Change N for “New memory”");
  }
  expect(document.activeElement).not.toBe(key);
});

test("keys that the system or a text needs are refused with a sentence, and others can be pressed", async () => {
  const { user, region } = await openShortcuts();
  await user.click(region.getByRole("button", { name: "Change N for “New memory”" }));
  await user.keyboard("{Control>}c{/Control}");
  expect(region.getByRole("alert").textContent).toBe("Ctrl+C works on text everywhere. Press other keys.");
  await user.keyboard("{F5}");
  expect(region.getByRole("alert").textContent).toContain("F5 belongs to the system.");
  await user.keyboard("{Enter}");
  expect(region.getByRole("alert").textContent).toContain("Enter is needed to move about and to write.");
  await user.keyboard("{F2}");
  expect(await region.findByRole("button", { name: "Change F2 for “New memory”" })).toBeTruthy();
  await user.click(region.getByRole("button", { name: "Change F2 for “New memory”" }));
  await user.keyboard("{Control>}s{/Control}");
  expect(region.getByRole("alert").textContent).toContain("Ctrl+S always means “Save what you are writing”.");
});

test("keys that another shortcut has are taken from it only when that is wanted", async () => {
  const { user, region } = await openShortcuts();
  await user.click(region.getByRole("button", { name: "Change N for “New memory”" }));
  await user.keyboard("{Control>}k{/Control}");
  const question = region.getByRole("alert");
  expect(question.textContent).toContain("Ctrl+K belongs to “Command palette”. Use it here instead?");
  await user.click(within(question).getByRole("button", { name: "Cancel" }));
  expect(region.getByRole("button", { name: "Change N for “New memory”" })).toBeTruthy();
  await user.click(region.getByRole("button", { name: "Change N for “New memory”" }));
  await user.keyboard("{Control>}k{/Control}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Use it here"));
  await user.keyboard("{Enter}");
  expect(region.getByRole("button", { name: "Change Ctrl+K for “New memory”" })).toBeTruthy();
  expect(region.getByRole("button", { name: "Set a key for “Command palette”" })).toBeTruthy();
  await user.click(region.getByRole("button", { name: "Reset “Command palette”" }));
  await user.click(await region.findByRole("button", { name: "Use it here" }));
  expect(region.getByRole("button", { name: "Change Ctrl+K for “Command palette”" })).toBeTruthy();
});

test("one key is switched off and set again, and all are reset at once", async () => {
  const { user, region } = await openShortcuts();
  await user.click(region.getByRole("button", { name: "Switch off U for “Undo the last change”" }));
  expect(region.queryByRole("button", { name: "Change U for “Undo the last change”" })).toBeNull();
  expect(region.getByRole("button", { name: "Change Ctrl+Z for “Undo the last change”" })).toBeTruthy();
  await user.click(region.getByRole("button", { name: "Set a key for “Go to Subjects”" }));
  await user.keyboard("{Alt>}s{/Alt}");
  expect(await region.findByRole("button", { name: "Change Alt+S for “Go to Subjects”" })).toBeTruthy();
  expect(region.getByText("2 changed")).toBeTruthy();
  await user.click(region.getByRole("button", { name: "Reset all" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Reset all shortcuts?" });
  await user.click(within(dialog).getByRole("button", { name: "Reset all" }));
  expect(region.getByRole("button", { name: "Change U for “Undo the last change”" })).toBeTruthy();
  expect(localStorage.getItem("inklings.shortcuts")).toBeNull();
});

test("a page without a key gets one that works from everywhere", async () => {
  const { user, region, address } = await openShortcuts();
  await user.click(region.getByRole("button", { name: "Set a key for “Go to Subjects”" }));
  await user.keyboard("{Alt>}s{/Alt}");
  await user.keyboard("{Alt>}s{/Alt}");
  await waitFor(() => expect(address().pathname).toBe("/world"));
});

test("with single keys off none can be chosen, and those of lists are off, too", async () => {
  const { user, region, router } = await openShortcuts();
  await user.click(region.getByRole("switch", { name: "Single-key shortcuts" }));
  await user.click(region.getByRole("button", { name: "Set a key for “Go to Subjects”" }));
  await user.keyboard("w");
  expect(region.getByRole("alert").textContent).toContain("Single-key shortcuts are off.");
  router.history.push("/memory");
  const list = await screen.findByRole("grid");
  list.focus();
  await user.keyboard("x");
  expect(screen.queryByRole("toolbar")).toBeNull();
  await user.keyboard(" ");
  expect(await screen.findByRole("toolbar")).toBeTruthy();
});

test("a search of the settings opens the page of the shortcut that it finds", async () => {
  const { user } = await openWindow("/settings");
  await screen.findByRole("region", { name: "Keyboard shortcuts" });
  await user.keyboard("/");
  await user.keyboard("show or hide filters{Enter}");
  const label = "Change F for “Show or hide filters”";
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe(label));
  expect(document.activeElement?.closest("details")?.open).toBe(true);
});

test("keys have their German names", async () => {
  language.set("de");
  await loadLanguage();
  await openWindow("/settings");
  const region = within(await screen.findByRole("region", { name: "Tastenkürzel" }));
  expect(region.getByRole("button", { name: "Strg+K für „Befehlspalette“ ändern" })).toBeTruthy();
  expect(region.getByRole("button", { name: "Entf für „Vergessen“ ändern", hidden: true })).toBeTruthy();
});
