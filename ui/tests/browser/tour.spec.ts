import { subject } from "../../src/testing/story";
import { expect, expectAccessible, open, test } from "./support";

const TITLES = ["A memory", "Find it again", "A subject has a page", "What the agent sees", "Who may read"];

for (const theme of ["light", "dark"] as const) {
  test(`each step of the tour is in view next to what it points at, and axe finds nothing, ${theme}`, async ({
    page,
    core,
  }) => {
    await subject(core, "The Lanternmen", "faction", "Every flame on the water pays them.");
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await open(page, "/settings");
    // Larger: the narrow window of 150 %.
    if (theme === "dark") for (let n = 0; n < 3; n += 1) await page.keyboard.press("Control+Equal");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("take the tour");
    await page.keyboard.press("Enter");
    for (const title of TITLES) {
      const dialog = page.getByRole("dialog", { name: title });
      await expect(dialog).toBeInViewport({ ratio: 1 });
      await expect(page.locator("#page [data-pointed]")).toBeInViewport();
      await expect(dialog.getByRole("button", { name: /Next|Done/ })).toBeFocused();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      await expectAccessible(page);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/tour-${theme}-${title}.png` });
      await page.keyboard.press("Enter");
    }
    await expect(page.locator("[data-pointed]")).toHaveCount(0);
  });
}
