import { detail, expect, expectAccessibleZoomed, grid, open, test } from "./support";

test("a memory is dragged from the list to another tier, and Undo takes it back", async ({ page }) => {
  await open(page, "/memory?scope=workspace");
  // The first is a subject, and what has a name stays.
  const row = grid(page).getByRole("row").nth(1);
  const text = (await row.locator("p").first().textContent()) ?? "";
  const from = await row.boundingBox();
  const tab = page.getByRole("tab", { name: /Account/ });
  const to = await tab.boundingBox();
  if (!from || !to) throw new Error("nothing to drag");
  await page.mouse.move(from.x + 120, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 140, from.y + 20, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await expect(page.getByText("1 memory", { exact: true })).toBeVisible();
  await page.mouse.up();
  await expect(page.getByText("Memory moved.")).toBeVisible();
  await expect(grid(page).getByText(text, { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(grid(page).getByText(text, { exact: true })).toBeVisible();
});

test("a press without a way opens the memory, as before", async ({ page }) => {
  await open(page, "/memory");
  await grid(page).getByRole("row").first().click();
  await expect(detail(page)).toBeVisible();
});

test("the dialog to move a memory is accessible", async ({ page }) => {
  await open(page, "/memory?scope=workspace");
  await grid(page).getByRole("row").nth(1).click();
  await detail(page).getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Move…" }).click();
  await expect(page.getByRole("dialog", { name: "Move 1 memory" })).toBeVisible();
  await expectAccessibleZoomed(page);
});
