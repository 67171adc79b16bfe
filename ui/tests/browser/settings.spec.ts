import { expect, open, test } from "./support";

test.use({ looks: true });

test("a section that a link asks for stands at the top, is marked, and stays there while others arrive", async ({
  page,
}) => {
  await open(page, "/settings?section=orientation", "delay=1500&slow=search_settings&slow=list_models");
  const heading = page.getByRole("heading", { name: "What the agent sees" });
  await expect(page.getByRole("heading", { name: "Order of search results" })).toBeAttached();
  await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeLessThan(60);
  expect((await heading.boundingBox())?.y).toBeGreaterThan(0);
  const mark = page.getByRole("button", { name: "What the agent sees" });
  await expect(mark).toHaveAttribute("aria-current", "location");
});

test("the last section can be brought to the top, too", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await open(page, "/settings");
  await page.getByRole("button", { name: "Your data" }).press("Enter");
  const heading = page.getByRole("heading", { name: "Your data" });
  await expect.poll(async () => (await heading.boundingBox())?.y ?? 999).toBeLessThan(60);
  await expect(page.getByRole("button", { name: "Your data" })).toHaveAttribute("aria-current", "location");
});

test("a setting that was found is in view and has the focus", async ({ page }) => {
  await open(page, "/settings");
  await page.keyboard.press("/");
  await page.keyboard.type("weak matches");
  await page.keyboard.press("Enter");
  const toggle = page.getByRole("switch", { name: "Drop weak matches" });
  await expect(toggle).toBeFocused();
  await expect(toggle).toBeInViewport();
});

test("on a narrow page the sections stand above the settings", async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await open(page, "/settings");
  await expect(page.getByRole("heading", { name: "How memories fade" })).toBeAttached();
  const box = async (name: string) => page.getByRole("button", { name, exact: true }).boundingBox();
  const heading = await page.getByRole("heading", { name: "Appearance" }).boundingBox();
  expect((await box("Your data"))?.y).toBeLessThan(heading?.y ?? 0);
});
