import type { Page } from "@playwright/test";
import { picture, seedGraph } from "./graphViews";
import { expect, expectAccessible, open, test } from "./support";

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 2 });

/** Looks for a subject in the picture with the pointer, and leaves it there. */
async function find(page: Page): Promise<[number, number]> {
  const box = await picture(page).boundingBox();
  if (!box) throw new Error("the picture has no place");
  for (let y = box.y + 20; y < box.y + box.height; y += 12)
    for (let x = box.x + 20; x < box.x + box.width; x += 12) {
      await page.mouse.move(x, y);
      if ((await picture(page).evaluate((it) => it.style.cursor)) === "pointer") return [x, y];
    }
  throw new Error("no subject was found");
}

/** The picture as it is drawn. */
const drawn = (page: Page) => picture(page).evaluate((it) => it.querySelector("canvas")?.toDataURL() ?? "");

test("the graph is used with the pointer: select, drag, zoom, what is around", async ({ page, core }) => {
  await seedGraph(core);
  await open(page, "/world?look=graph");
  await expect(picture(page)).toBeVisible();
  const [x, y] = await find(page);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByRole("link", { name: "Open its page" })).toBeVisible();
  await page.mouse.move(5, 5);
  const before = await drawn(page);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(() => drawn(page)).not.toBe(before);
  await page.getByRole("button", { name: "Show all of it" }).click();
  await page.mouse.move(5, 5);
  await expect.poll(() => drawn(page)).toBe(before);
  await page.mouse.move(x + 70, y + 55);
  await page.mouse.down();
  await page.mouse.move(x + 170, y + 155, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => drawn(page)).not.toBe(before);
  await page.getByRole("button", { name: "Show all of it" }).click();
  await page.mouse.dblclick(x, y);
  await expect(page.getByText(/^Around /)).toBeVisible();
  await expect(picture(page)).not.toHaveAccessibleName(/22 subjects/);
  if (process.env.SHOTS) {
    await find(page);
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${process.env.SHOTS}/graph-hovered.png` });
  }
  await page.getByRole("button", { name: "Show everything" }).click();
  await expect(picture(page)).toHaveAccessibleName(/22 subjects/);
});

test("the graph is used by keyboard alone, and the same data make the same picture", async ({
  page,
  core,
}) => {
  await seedGraph(core);
  await open(page, "/world?look=graph");
  await picture(page).focus();
  const before = await drawn(page);
  await page.keyboard.press("Home");
  await expect(heading(page, "Marguerite Vane")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(heading(page, "Harrowmere")).toBeVisible();
  await expect(page.getByText("Harrowmere, Place. 5 relations.")).toBeAttached();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(heading(page, "Harrowmere")).toBeHidden();
  await expect(picture(page)).toBeFocused();
  await page.keyboard.press("+");
  await expect.poll(() => drawn(page)).not.toBe(before);
  await page.reload();
  await expect(picture(page)).toBeVisible();
  await picture(page).focus();
  await expect.poll(() => drawn(page)).toBe(before);
  // The search brings a subject into the middle.
  await page.getByRole("button", { name: "Find a subject" }).press("Enter");
  await page.keyboard.type("brann");
  await expect(page.getByRole("option", { name: "Brannoch" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(heading(page, "Brannoch")).toBeVisible();
  const box = await picture(page).boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  await expect(async () => {
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    await expect(picture(page)).toHaveCSS("cursor", "pointer", { timeout: 500 });
  }).toPass();
  await picture(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "The entry Brannoch" })).toBeVisible();
});
