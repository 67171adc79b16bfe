import { idOf, SALTMERE } from "../../src/testing/fixtures/ids";
import { expect, expectAccessibleZoomed, open, test } from "./support";

test.use({ looks: true });

const IDS = encodeURIComponent(JSON.stringify([SALTMERE, ...[1, 2, 3, 5, 8, 9, 12].map(idOf)]));
const CHOSEN = `/memory/read?ids=${IDS}`;

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing in the reading view, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await open(page, CHOSEN);
    await expect(page.getByRole("article")).toHaveCount(8);
    await expectAccessibleZoomed(page);
  });
}

test("on paper only the text is printed, black on white in the dark theme too, however long it is", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, CHOSEN);
  await page.keyboard.press("Control+Equal");
  await expect(page.getByRole("article")).toHaveCount(8);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("link", { name: /^Open/ }).first()).toBeHidden();
  const look = await page.evaluate(() => {
    const style = (selector: string) => {
      const element = document.querySelector(selector);
      return element ? getComputedStyle(element) : null;
    };
    const box = document.querySelector("[data-prints]");
    return {
      paper: style("html")?.backgroundColor,
      size: style("html")?.fontSize,
      isWhole: box !== null && box.scrollHeight <= box.clientHeight,
      short: style("article")?.breakInside,
      scheme: style("html")?.colorScheme,
    };
  });
  expect(look).toEqual({
    paper: "rgb(255, 255, 255)",
    size: "16px",
    isWhole: true,
    short: "avoid",
    scheme: "light",
  });
});

test("a list as long as can be read takes as many pages as it needs", async ({ page }) => {
  await open(page, "/memory/read");
  await expect(page.getByRole("article")).toHaveCount(100);
  await page.emulateMedia({ media: "print" });
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(8);
});
