import { SALTMERE } from "../../src/testing/fixtures/ids";
import { card, nameIn, seedNames } from "./nameViews";
import { detail, expect, expectAccessible, open, openId, test } from "./support";

test("a name is reached by Tab, its card closes with Escape, and Enter leads to its page", async ({
  page,
  core,
}) => {
  const council = await seedNames(core);
  await open(page, `/memory?id=${SALTMERE}`);
  const name = nameIn(page, "seven seats");
  await expect(name).toBeVisible();
  const before = await detail(page).locator(".memory-prose").boundingBox();
  await detail(page).focus();
  for (let n = 0; n < 20 && !(await name.evaluate((it) => it === document.activeElement)); n += 1)
    await page.keyboard.press("Tab");
  await expect(name).toBeFocused();
  await expect(card(page)).toBeVisible();
  await expect(name).toHaveAccessibleDescription(/Chairs around a table/);
  expect(await detail(page).locator(".memory-prose").boundingBox()).toEqual(before);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(card(page)).toBeHidden();
  await expect(name).toBeFocused();
  expect(await openId(page)).toBe(SALTMERE);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/world\\?id=${council}`));
});

test("text is selected across a name, and the end of a selection is no click", async ({ page, core }) => {
  await seedNames(core);
  await open(page, `/memory?id=${SALTMERE}`);
  const name = nameIn(page, "seven seats");
  await name.scrollIntoViewIfNeeded();
  const box = await name.boundingBox();
  if (!box) throw new Error("the name is drawn");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, y, { steps: 8 });
  const selected = () => page.evaluate(() => window.getSelection()?.toString() ?? "");
  expect(await selected()).toMatch(/even seat/);
  await page.mouse.up();
  expect(await openId(page)).toBe(SALTMERE);
  expect(await selected()).toMatch(/even seat/);
  // Nothing hangs over what is selected.
  await page.waitForTimeout(700);
  await expect(card(page)).toBeHidden();
  await page.mouse.move(0, 0);
  await page.mouse.click(box.x + box.width / 2, y);
  await expect(page).toHaveURL(/\/world\?id=/);
});

test("the pointer can go onto the card, and leaving both closes it", async ({ page, core }) => {
  await seedNames(core);
  await open(page, `/memory?id=${SALTMERE}`);
  await nameIn(page, "seven seats").hover();
  await expect(card(page)).toBeVisible();
  await card(page).hover();
  await page.waitForTimeout(500);
  await expect(card(page)).toBeVisible();
  await page.mouse.move(2, 2);
  await expect(card(page)).toBeHidden();
});
