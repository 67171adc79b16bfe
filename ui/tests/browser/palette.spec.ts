import { SALTMERE } from "../../src/testing/fixtures/ids";
import { groupOf, openPalette, palette, visit } from "./paletteViews";
import { detail, expect, expectAccessible, grid, open, test } from "./support";

test("the palette opens with one key from an editor and closes with it, and the text has the focus again", async ({
  page,
}) => {
  await open(page, `/memory?id=${SALTMERE}`);
  await expect(detail(page).getByRole("article")).toContainText("harbour town");
  await page.keyboard.press("e");
  const editor = detail(page).locator(".cm-content");
  await editor.focus();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeHidden();
  await expect(editor).toBeFocused();
});

test("the palette opens over a dialog", async ({ page }) => {
  await open(page);
  await expect(grid(page)).toBeVisible();
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog", { name: "New memory" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole("dialog", { name: "New memory" })).toBeVisible();
});

test("by keyboard alone the palette leads back to what was open before", async ({ page }) => {
  await visit(page);
  await openPalette(page);
  await expect(groupOf(page, "Recent").getByRole("option")).toHaveCount(2);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(SALTMERE));
});

test("what Enter takes does not move while answers arrive", async ({ page }) => {
  await open(page, "/settings", "delay=600&slow=search_documents");
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").fill("harbour");
  const chosen = palette(page).locator("[role=option][data-selected=true]");
  await expect(chosen).toContainText("harbour");
  const first = await chosen.getAttribute("data-value");
  await expect(groupOf(page, "Memories")).toBeVisible();
  await expect(chosen).toHaveAttribute("data-value", first ?? "");
});

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing in the palette, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await visit(page);
    await openPalette(page);
    await expect(groupOf(page, "Recent")).toBeVisible();
    await expectAccessible(page);
    await palette(page).getByRole("combobox").fill("the fair");
    await expect(groupOf(page, "Memories")).toBeVisible();
    await expectAccessible(page);
  });
}
