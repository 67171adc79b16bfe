import type { Page } from "@playwright/test";
import { expect, expectAccessible, grid, open, test } from "./support";

test.use({ looks: true });

const section = (page: Page) => page.getByRole("region", { name: "Keyboard shortcuts" });

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing in the shortcuts while one is changed, at 150 % too, ${theme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await open(page, "/settings?section=shortcuts");
    for (const summary of await section(page).locator("summary").all())
      if (!(await summary.evaluate((it) => it.parentElement?.hasAttribute("open")))) await summary.click();
    await expectAccessible(page);
    await section(page).getByRole("button", { name: "Change ? for “Show keyboard shortcuts”" }).click();
    await page.keyboard.press("F5");
    await expect(section(page).getByRole("alert")).toContainText("F5 belongs to the system.");
    await expectAccessible(page);
    await page.keyboard.press("Control+k");
    await expect(section(page).getByRole("button", { name: "Use it here" })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("Control+Equal");
    await page.keyboard.press("Control+Equal");
    await page.keyboard.press("Control+Equal");
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });
}

test("by keyboard alone a key is changed, and the real list follows it", async ({ page }) => {
  await open(page, "/settings");
  await page.keyboard.press("/");
  await page.keyboard.type("select it");
  await page.keyboard.press("Enter");
  await expect(section(page).getByRole("button", { name: "Change X for “Select it”" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Alt+m");
  await expect(section(page).getByRole("button", { name: "Change Alt+M for “Select it”" })).toBeFocused();
  await page.getByRole("link", { name: "Memory", exact: true }).click();
  await grid(page).focus();
  await page.keyboard.press("x");
  await expect(page.getByRole("toolbar")).toBeHidden();
  await page.keyboard.press("Alt+m");
  await expect(page.getByRole("toolbar")).toContainText("1");
});
