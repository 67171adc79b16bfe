import type { Page } from "@playwright/test";
import { expect, expectAccessibleZoomed, open, test } from "./support";

const list = (page: Page) => page.getByRole("dialog", { name: "Saved searches" });

async function save(page: Page, hash: string, name: string) {
  await page.goto(`${page.url().split("#")[0]}#${hash}`);
  await page.getByRole("button", { name: "Saved searches" }).click();
  await list(page).getByRole("textbox").fill(name);
  await page.keyboard.press("Enter");
  await expect(list(page).getByRole("button", { name, exact: false }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(list(page)).toBeHidden();
}

async function saveSome(page: Page) {
  await open(page, "/memory");
  await save(page, "/memory?q=oath", "Oaths and debts");
  await save(page, "/memory?scope=workspace&f=%5B%22tag%3Aplot%22%5D", "Plot threads");
  await save(page, "/memory?scope=channel&q=lantern", "Everything that the Lanternmen were promised");
}

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing in the list of saved searches and in the rail, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await saveSome(page);
    await page.goto(`${page.url().split("#")[0]}#/memory?q=oath&sort=created_asc`);
    await page.getByRole("button", { name: "Saved searches" }).click();
    await expect(list(page).getByRole("textbox")).toBeVisible();
    await expectAccessibleZoomed(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/saved-${theme}.png` });
  });
}

test("saved searches are moved, renamed and opened by keyboard, and the focus stays on them", async ({
  page,
}) => {
  await saveSome(page);
  await page.getByRole("button", { name: "Saved searches" }).click();
  const first = list(page).getByRole("button", { name: /^Oaths and debts/ });
  await first.focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(list(page).getByRole("listitem").nth(1)).toContainText("Oaths and debts");
  await expect(first).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(list(page).getByRole("listitem").nth(2)).toContainText("Oaths and debts");
  await expect(first).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Rename…" }).press("Enter");
  await expect(list(page).getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Oaths");
  await page.keyboard.press("Enter");
  const renamed = list(page).getByRole("button", { name: /^Oaths “oath”/ });
  await expect(renamed).toBeVisible();
  await renamed.press("Enter");
  await expect(page).toHaveURL(/q=oath/);
  await expect(list(page)).toBeHidden();
});
