import { expect, open, test } from "./support";
import { seedTimeline } from "./timelineViews";

test("lanes zoom, and a bar tells its time and opens its page", async ({ page, core }) => {
  await seedTimeline(core);
  await open(page, "/timeline?look=lanes");
  const picture = page.getByRole("img", { name: /7 entries in lanes/ });
  await expect(picture).toBeVisible();
  const marks = page.getByText(/^\d+ (AD|BD)$/);
  await expect(marks.first()).toBeVisible();
  const before = await marks.allTextContents();
  const box = await picture.boundingBox();
  if (!box) throw new Error("the picture has no place");
  // Along the lane of events, which is the first one.
  const tip = page.getByText("Storm, 88 after the Drowning – Ice, 91 after the Drowning");
  const find = async () => {
    for (let y = box.y + 30; y < box.y + 60; y += 10)
      for (let x = box.x; x < box.x + box.width; x += 14) {
        await page.mouse.move(x, y);
        if (await tip.isVisible()) return;
      }
    throw new Error("the bar was not found");
  };
  await find();
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByRole("heading", { name: "Drowned War" })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(() => marks.allTextContents()).not.toEqual(before);
  await page.getByRole("button", { name: "Show all of it" }).click();
  await expect.poll(() => marks.allTextContents()).toEqual(before);
});

test("a chapter above the lanes tells what it is, and opens its page", async ({ page, core }) => {
  await seedTimeline(core);
  // Chapters are the background of any kind.
  await open(page, "/timeline?look=lanes&kind=event");
  const picture = page.getByRole("img", { name: /1 entry in lanes/ });
  await expect(picture).toBeVisible();
  const zoomOut = page.getByRole("button", { name: "Zoom out" });
  for (let step = 0; step < 16; step += 1) await zoomOut.click();
  const box = await picture.boundingBox();
  if (!box) throw new Error("the picture has no place");
  const tip = page.getByText("What the Keeper Saw14 Thaw");
  await expect(async () => {
    for (let x = box.x + 4; x < box.x + box.width; x += 4) {
      await page.mouse.move(x, box.y - 60);
      if (await tip.isVisible()) break;
    }
    await expect(tip).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(tip).toContainText("Number 2 in reading order · Flashback");
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByRole("heading", { name: "What the Keeper Saw" })).toBeVisible();
});
