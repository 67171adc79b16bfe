import { expect, open, test } from "./support";

test("memory is scrubbed without a mouse, and the proof has the focus", async ({ page }) => {
  await open(page);
  await expect(page.getByRole("grid")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("scrub memory");
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Memories of a conversation" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Memories of this workspace" })).toBeChecked();
  await page.getByRole("button", { name: "See what would go" }).press("Enter");
  const manifest = page.getByRole("region", { name: "What would go" });
  await expect(manifest).toBeFocused();
  await page.getByRole("textbox", { name: /^Type/ }).focus();
  await page.keyboard.type("scrub workspace");
  await page.keyboard.press("Enter");
  const done = page.getByRole("region", { name: /: scrubbed$/ });
  await expect(done).toBeFocused();
  await expect(done).toContainText("no trace was found");
});

test("a dropped file is looked at, imported and taken back", async ({ page }) => {
  await open(page, "/activity");
  await expect(page.getByRole("tab", { name: /Proposals/ })).toBeVisible();
  const count = () => page.evaluate(() => window.inklings.entries.size);
  const before = await count();
  await page.evaluate(() => window.drag.drop(["/home/you/lore.json"]));
  await page.getByRole("button", { name: "Import 4 items" }).press("Enter");
  await expect(page.getByText("Imported: 3 new, 1 changed.")).toBeVisible();
  expect(await count()).toBe(before + 3);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(/The import was taken back/)).toBeVisible();
  expect(await count()).toBe(before);
});
