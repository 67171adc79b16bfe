import type { Page } from "@playwright/test";
import { picture, seedGraph } from "./graphViews";
import { expect, expectAccessible, grid, open, test } from "./support";

/** Chooses before the page is opened, as an earlier window would have. */
const prefer = (page: Page, name: string, value: string) =>
  page.addInitScript(
    ([name, value]) => {
      // An empty page has no storage.
      if (window.location.protocol === "http:") localStorage.setItem(`inklings.${name}`, value);
    },
    [name, value] as const,
  );

/** Names of what is pressed whose text does not fit, or is on two lines. */
const clipped = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("nav a, nav button, [role=tab], [role=radio], main button")]
      .filter(
        (it) =>
          it.offsetParent !== null && it.textContent?.trim() && !it.closest("[role=grid], [role=listbox]"),
      )
      .filter((it) => {
        const text = document.createRange();
        text.selectNodeContents(it);
        const tops = new Set(
          [...text.getClientRects()].filter((r) => r.width > 1).map((r) => Math.round(r.bottom / 12)),
        );
        return it.scrollWidth > it.clientWidth + 1 || (it.offsetHeight <= 40 && tops.size > 2);
      })
      .map((it) => it.textContent),
  );

const PAGES = {
  memory: "/memory",
  conversation: "/conversations/k3T9wPq2LxA",
  panel: "/conversations/k3T9wPq2LxA?tab=shown",
  channels: "/channels",
  subjects: "/world",
  timeline: "/timeline",
  named: "/named",
  pages: "/pages",
  activity: "/activity",
  tasks: "/activity?page=tasks",
  settings: "/settings",
  control: "/control",
  scrub: "/control?part=scrub",
  backups: "/control?part=backups",
};

const LANGUAGES = [
  { tag: "de", rail: "Hauptmenü", loading: "Wird geladen" },
  { tag: "fr", rail: "Principal", loading: "Chargement" },
];

for (const { tag, rail, loading } of LANGUAGES)
  test.describe(`in another language, ${tag}`, () => {
    test.use({ looks: true });
    for (const [name, hash] of Object.entries(PAGES)) {
      test(`${name}: axe finds nothing by day or night, and no label is clipped`, async ({ page }) => {
        await prefer(page, "language", tag);
        await page.emulateMedia({ reducedMotion: "reduce" });
        await open(page, hash);
        await expect(page.locator("html")).toHaveAttribute("lang", tag);
        await expect(page.getByRole("navigation", { name: rail })).toBeVisible();
        await expect(page.getByRole("status", { name: loading })).toHaveCount(0);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await expectAccessible(page);
        }
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/language-${tag}-${name}.png` });
        expect(await clipped(page)).toEqual([]);
      });
    }
  });

test.describe("zoomed", () => {
  test.use({ looks: true });
  for (const percent of ["150", "200"]) {
    test(`at ${percent} %, axe finds nothing on any page, and nothing overflows`, async ({ page }) => {
      await prefer(page, "zoom", percent);
      await page.emulateMedia({ reducedMotion: "reduce" });
      for (const hash of Object.values(PAGES)) {
        await page.goto("about:blank");
        await open(page, hash);
        await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
        // The settings are the last link of the rail.
        await expect(page.getByRole("link", { name: "Settings" }).last()).toBeInViewport({ ratio: 1 });
      }
    });
  }

  test("everything is as much larger as the zoom says, and menus stay at their buttons", async ({ page }) => {
    await open(page);
    const row = grid(page).getByRole("row").first();
    await expect(row).toBeVisible();
    const heightOf = async () => (await row.boundingBox())?.height ?? 0;
    const before = await heightOf();
    await page.keyboard.press("Control+Equal");
    await page.keyboard.press("Control+Equal");
    await expect.poll(heightOf).toBeCloseTo(before * 1.25, 1);
    const rows = await grid(page)
      .getByRole("row")
      .evaluateAll((all) =>
        all
          .map((it) => it.getBoundingClientRect())
          .map(({ top, bottom }) => [top, bottom] as const)
          .sort(([a], [b]) => a - b),
      );
    for (const [at, [top]] of rows.entries()) if (at > 0) expect(top).toBeCloseTo(rows[at - 1]?.[1] ?? 0, 0);
    const switcher = page.getByRole("button", { name: /^World: / });
    await switcher.click();
    const [button, menu] = [await switcher.boundingBox(), await page.getByRole("menu").boundingBox()];
    expect(menu?.x).toBeCloseTo(button?.x ?? 0, 0);
    expect((menu?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0)).toBeLessThan(12);
    await page.keyboard.press("Control+0");
    await expect.poll(heightOf).toBeCloseTo(before, 1);
  });

  test("in a narrow window the rail shows pictures, and their names in tooltips", async ({ page }) => {
    await prefer(page, "zoom", "200");
    await open(page);
    const link = page.getByRole("link", { name: "Conversations" });
    expect((await page.getByRole("navigation").boundingBox())?.width).toBeLessThan(130);
    await link.hover();
    await expect(page.getByText("Conversations").last()).toBeVisible();
    await link.click();
    await expect(page).toHaveURL(/conversations/);
  });
});

test("in a zoomed graph the pointer finds what it points at", async ({ page, core }) => {
  await prefer(page, "zoom", "150");
  await seedGraph(core);
  await open(page, "/world?look=graph");
  await expect(picture(page)).toBeVisible();
  const box = await picture(page).boundingBox();
  if (!box) throw new Error("the picture has no place");
  const cursor = () => picture(page).evaluate((it) => it.style.cursor);
  let hit: [number, number] | undefined;
  for (let y = box.y + 20; y < box.y + box.height && !hit; y += 10)
    for (let x = box.x + 20; x < box.x + box.width && !hit; x += 10) {
      await page.mouse.move(x, y);
      if ((await cursor()) === "pointer") hit = [x, y];
    }
  if (!hit) throw new Error("no subject was found");
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByRole("link", { name: "Open its page" })).toBeVisible();
});

test("the column of a text is as wide, and the text as large, as was chosen", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const text = page.getByRole("main").locator(".cm-content");
  const measure = () =>
    text.evaluate((it) => [it.clientWidth, Number.parseFloat(getComputedStyle(it).fontSize)]);
  const seen: Record<string, number[]> = {};
  for (const [name, value] of [
    ["readingWidth", "narrow"],
    ["readingWidth", "normal"],
    ["readingWidth", "wide"],
    ["textSize", "larger"],
  ] as const) {
    await prefer(page, name, value);
    await page.goto("about:blank");
    await open(page, "/named");
    await expect(text).toBeVisible();
    seen[value] = await measure();
  }
  const { narrow = [], normal = [], wide = [], larger = [] } = seen;
  expect(normal).toEqual([546, 16]);
  expect(narrow[0]).toBeLessThan(546);
  expect(wide[0]).toBeGreaterThan(546);
  expect(wide[1]).toBe(16);
  expect(larger[1]).toBe(20);
});
