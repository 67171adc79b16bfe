import type { Page } from "@playwright/test";
import { detail, expect, grid, open, openRow, test } from "./support";

test.use({ looks: true });

const styleOf = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, key) => getComputedStyle(element).getPropertyValue(key), name);

/** How light a colour is when it is painted, from 0 to 255. */
const lightness = (page: Page, colour: string) =>
  page.evaluate((colour) => {
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) return Number.NaN;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = pen.getImageData(0, 0, 1, 1).data;
    return (r + g + b) / 3;
  }, colour);

test("text on a dark background is lighter in weight than on a light one", async ({ page }) => {
  const weights: number[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await open(page);
    await expect(grid(page)).toBeVisible();
    weights.push(Number(await styleOf(page, "[role=grid] [role=row] p", "font-weight")));
  }
  expect(weights[1]).toBeLessThan(weights[0] ?? 0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a placeholder is visible, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await open(page, "/memory", "delay=60000&slow=list_memories");
    const bone = await lightness(page, await styleOf(page, ".skeleton", "background-color"));
    const paper = await lightness(page, await styleOf(page, "html", "background-color"));
    expect(Math.abs(bone - paper)).toBeGreaterThan(15);
  });
}

test("no list paints its scrollbar while a dialog covers it", async ({ page }) => {
  await open(page);
  await expect(grid(page)).toBeVisible();
  expect(await styleOf(page, "[role=grid]", "scrollbar-color")).not.toContain(
    "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)",
  );
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await styleOf(page, "[role=grid]", "scrollbar-color")).toBe("rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await page.locator("html").getAttribute("data-modal")).toBeNull();
});

test("on a wide screen the text stays visible next to its details", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 700 });
  await open(page, "/memory?q=harbour");
  await openRow(page, "harbour town");
  await expect(page.getByRole("region", { name: "Where it comes from" })).toBeVisible();
  const text = detail(page).getByRole("article");
  await detail(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(text).toBeInViewport({ ratio: 0.9 });
});

test("a toast covers neither the composer's button nor the controls at the lower edge", async ({ page }) => {
  await open(page, "/conversations/k3T9wPq2LxA");
  await page.getByRole("button", { name: /^Copy the reference code/ }).click();
  const toast = page.locator("[data-sonner-toast]");
  await expect(toast).toBeVisible();
  const say = await page.getByRole("button", { name: "Send" }).boundingBox();
  // It slides in from below.
  const lower = async () => {
    const box = await toast.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await expect.poll(lower).toBeLessThanOrEqual(say?.y ?? 0);
});

test("on a wide screen every part of Activity is aligned with its tabs", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const left = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        return Math.round(text.getBoundingClientRect().left);
      });
  await open(page, "/activity?page=tasks");
  await expect(page.getByRole("table")).toBeVisible();
  const tab = await left("[role=tab]");
  expect(await left("[role=tabpanel] p")).toBe(tab);
  await open(page, "/activity?page=changes");
  await expect(page.getByRole("region", { name: "Changes" }).getByRole("listitem").first()).toBeVisible();
  // An icon has a little air of its own.
  expect(Math.abs((await left("[role=tabpanel] li")) - tab)).toBeLessThanOrEqual(1);
  await open(page, "/activity?page=telemetry");
  await expect(
    page.getByRole("region", { name: "What agents did" }).getByRole("listitem").first(),
  ).toBeVisible();
  expect(Math.abs((await left("[role=tabpanel] li")) - tab)).toBeLessThanOrEqual(1);
});

test("the tags of a row are shown with room for a word, or not at all", async ({ page }) => {
  for (const width of [1280, 1000, 920]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page);
    await expect(grid(page)).toBeVisible();
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("[data-tags]")].flatMap((tags) => {
        const box = tags.parentElement?.getBoundingClientRect();
        const { top, width } = tags.getBoundingClientRect();
        return box && top < box.bottom ? [{ fits: width >= 40 && width <= box.width }] : [];
      }),
    );
    expect(shown.filter(({ fits }) => !fits)).toEqual([]);
    if (width === 1280) expect(shown.length).toBeGreaterThan(0);
  }
});
