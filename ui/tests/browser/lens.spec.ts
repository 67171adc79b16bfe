import { SALTMERE } from "../../src/testing/fixtures/ids";
import { seedKnowers } from "./lensViews";
import { detail, expect, expectAccessible, grid, open, test } from "./support";

test("who knows is set, and a search as somebody who does not know does not find it", async ({
  page,
  core,
}) => {
  await seedKnowers(core);
  await open(page, `/memory?id=${SALTMERE}`);
  await detail(page).getByRole("button", { name: "Change who knows" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Who knows of it" });
  // By keyboard alone. Escape closes the list, and then the dialog.
  await dialog.getByRole("button", { name: "Add who knows" }).press("Enter");
  await expect(page.getByRole("option", { name: "Hepzibah" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Add who knows" }).press("Enter");
  await page.keyboard.type("hepz");
  await expect(page.getByRole("option", { name: "Hepzibah" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("textbox", { name: "Since when Hepzibah knows" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Since when Hepzibah knows" }).fill("the whale");
  await expect(dialog.getByText(/are not understood/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Since when Hepzibah knows" }).fill("2 Kelp, 300");
  await expect(dialog.getByText("2 Kelp, 300 after the Drowning")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(detail(page).getByRole("link", { name: "Hepzibah" })).toBeVisible();
  await expect(detail(page).getByRole("button", { name: "Change who knows" })).toBeFocused();

  const found = grid(page).getByText(/A harbour town on the drowned coast/);
  await page.getByRole("textbox", { name: "Search memories" }).fill("harbour town");
  await expect(found.first()).toBeVisible();
  const showAs = page.getByRole("button", { name: "Show as…" });
  await showAs.press("Enter");
  const popup = page.getByRole("dialog", { name: "Show what somebody knows" });
  await popup.getByRole("button", { name: "As: Anybody" }).press("Enter");
  await page.keyboard.type("toma");
  await expect(page.getByRole("option", { name: "Toma" })).toBeVisible();
  await page.keyboard.press("Enter");
  await popup.getByRole("button", { name: "Show" }).press("Enter");
  await expect(showAs).toBeFocused();
  await expect(page.getByText("As Toma")).toBeVisible();
  await expect(found).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show everything again" }).press("Enter");
  await expect(found.first()).toBeVisible();
  await expect(grid(page)).toBeFocused();
  // Escape closes the form, and the focus is where it was.
  await showAs.press("Enter");
  await expect(popup).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(popup).toBeHidden();
  await expect(showAs).toBeFocused();
});
