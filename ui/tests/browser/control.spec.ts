import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOREBOOK } from "../../../e2e/lib/third-party.mjs";
import { expect, open, test } from "./support";

test("memory is scrubbed by keyboard, and the proof has the focus", async ({ page }) => {
  await open(page);
  await expect(page.getByRole("grid")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("erase memory");
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Memories of a conversation" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Memories of this world" })).toBeChecked();
  await page.getByRole("button", { name: "See what would be erased" }).press("Enter");
  const manifest = page.getByRole("region", { name: "What would be erased" });
  await expect(manifest).toBeFocused();
  await page.getByRole("textbox", { name: /^Type/ }).focus();
  await page.keyboard.type("scrub workspace");
  await page.keyboard.press("Enter");
  const done = page.getByRole("region", { name: /: erased$/ });
  await expect(done).toBeFocused();
  await expect(done).toContainText("No trace was found");
});

const EVERYTHING = { scope: null, channelId: null, conversationId: null, terms: [] };

test("a dropped file is previewed, imported and undone", async ({ page, core }) => {
  await open(page, "/activity");
  // A file is taken once the window knows that there is a workspace.
  await expect(page.getByRole("button", { name: /^World: ./ })).toBeVisible();
  await expect(page.getByRole("tab", { name: /Proposals/ })).toBeVisible();
  const count = async () => {
    const counts: Record<string, number> = await core.call("scope_counts", { filter: EVERYTHING });
    return Object.values(counts).reduce((sum, it) => sum + it, 0);
  };
  const before = await count();
  const file = join(core.home.path, "lore.json");
  writeFileSync(file, JSON.stringify(LOREBOOK));
  await page.evaluate((path) => window.drag.drop([path]), file);
  await page.getByRole("button", { name: "Import 2 items" }).press("Enter");
  await expect(page.getByText("Imported: 2 new, 0 changed.")).toBeVisible();
  expect(await count()).toBe(before + 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(/The import is undone/)).toBeVisible();
  expect(await count()).toBe(before);
});
