import type { AppStatus, ModelStatus } from "../../src/ipc/bindings.gen";
import { addressOf, detail, expect, grid, open, openId, openRow, test } from "./support";

test("a memory is found, read, changed, forgotten and restored by keyboard", async ({ page }) => {
  await open(page);
  await expect(grid(page)).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("lighthouse");
  await expect(grid(page).locator("mark").first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(detail(page)).toBeFocused();
  await expect(page.getByRole("region", { name: "Why this came up" })).toBeVisible();
  await page.keyboard.press("e");
  const editor = page.getByRole("textbox", { name: "Text of the memory" });
  await expect(editor).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" She counts gulls.");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(detail(page).getByRole("article")).toContainText("She counts gulls.");
  await page.keyboard.press("Escape");
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press("Delete");
  await expect(page.getByText("Memory forgotten.")).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByText(/is undone/)).toBeVisible();
  await expect(grid(page)).toContainText("lighthouse");
});

test("Back returns to the earlier view, including filters and selection", async ({ page }) => {
  await open(page);
  await page.getByRole("tab", { name: /^World/ }).click();
  await openRow(page, "harbour town");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await page.goBack();
  await expect(detail(page)).toContainText("harbour town");
  await expect(page.getByRole("tab", { name: /^World/ })).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await expect(detail(page)).toBeHidden();
  await page.goBack();
  await expect(page.getByRole("tab", { name: /^All/ })).toHaveAttribute("aria-selected", "true");
});

test("a link to a view opens that view", async ({ page }) => {
  await open(page, "/memory?q=harbour&scope=channel&f=%5B%22tag%3Aguild%22%5D");
  await expect(page.getByRole("textbox", { name: "Search memories" })).toHaveValue("harbour");
  await expect(page.getByRole("tab", { name: /^Channel/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("button", { name: "Tag: guild", exact: true })).toBeVisible();
});

test("markup in a text stays text", async ({ page, core }) => {
  await open(page);
  await openRow(page, "harbour town");
  await core.edit(
    await openId(page),
    [
      "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">",
      "![spy](https://spy.example/pixel.png)",
      "[go](javascript:document.title='owned') [data](data:text/html,owned) [web](https://spy.example/)",
    ].join("\n\n"),
  );
  await expect(detail(page).getByText("Picture not loaded: spy")).toBeVisible();
  await detail(page).getByRole("button", { name: "web" }).click();
  expect(await page.title()).toBe("Saltmere · Memory · The Drowned Coast · Inklings");
  expect(page.url()).toContain("127.0.0.1");
  const text = detail(page).getByRole("article");
  await expect(text.locator("img, script, a[href], iframe")).toHaveCount(0);
});

test("a notification of another version moves nothing under a pointer over Save", async ({ page, core }) => {
  await open(page, "/memory?q=Herons");
  await openRow(page, "Herons are unlucky");
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Text of the memory" }).pressSequentially(" More");
  const save = page.getByRole("button", { name: "Save", exact: true });
  const before = await save.boundingBox();
  await core.edit(await openId(page), "Herons are lucky.");
  await expect(detail(page).getByText(/^Changed elsewhere meanwhile/)).toBeVisible();
  expect(await save.boundingBox()).toEqual(before);
});

test("the theme is set before the first paint, and the setting overrides the system", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.addInitScript(() => localStorage.setItem("inklings.theme", "dark"));
  await page.goto(addressOf(page, "/memory", "delay=3000"), { waitUntil: "commit" });
  await page.waitForFunction(() => document.readyState !== "loading");
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
});

test("an undo is available for at least ten seconds", async ({ page }) => {
  await page.clock.install();
  await open(page);
  await grid(page).focus();
  await page.keyboard.press("Delete");
  await page.clock.runFor(500);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.clock.runFor(9_800);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
});

test("with reduced motion nothing moves", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page);
  await page.keyboard.press("Control+k");
  const seconds = await page
    .getByRole("dialog")
    .evaluate((element) => Number.parseFloat(getComputedStyle(element).animationDuration));
  expect(seconds).toBeLessThan(0.001);
});

test("with reduced motion a curve is drawn in the colour of its tier", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, "/settings");
  const picture = page.getByRole("img", { name: /over 60 days/ }).locator("canvas");
  await expect(picture).toBeVisible();
  const coloured = await picture.evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0, a = 0] = data.slice(at, at + 4);
      if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 40) count += 1;
    }
    return count;
  });
  expect(coloured).toBeGreaterThan(100);
});

test("in forced colours the active row and the chosen tab are distinguishable", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page);
  await grid(page).focus();
  await page.keyboard.press("ArrowDown");
  const outline = await page
    .locator("[data-active-row=true]")
    .evaluate((row) => getComputedStyle(row).outlineStyle);
  expect(outline).toBe("solid");
});

test("every target is at least 24 pixels", async ({ page }) => {
  await open(page, "/memory?f=%5B%22tag%3Aplot%22%5D");
  await grid(page).getByRole("row").first().click();
  await expect(detail(page)).toBeVisible();
  for (const hash of ["Memory", "Settings", "Channels", "Conversations", "control"]) {
    if (hash === "control") {
      await page.evaluate(() => {
        window.location.hash = "/control?part=clients";
      });
      await expect(page.getByRole("region", { name: /^The client/ })).toBeVisible();
    } else if (hash !== "Memory") await page.getByRole("link", { name: hash, exact: true }).click();
    if (hash === "Conversations") await page.getByRole("option").first().click();
    await page.waitForTimeout(200);
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          "button, a, input, textarea, [role=tab], [role=radio], [role=switch]",
        ),
      ]
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(
          ({ element, box }) => box.width > 1 && box.height > 1 && !element.closest("[aria-hidden=true]"),
        )
        // The range input lies under its thumb; the control around it is the target.
        .filter(({ element }) => !(element instanceof HTMLInputElement && element.type === "range"))
        .filter(({ box }) => box.width < 24 || box.height < 24)
        .map(({ element, box }) => `${element.outerHTML.slice(0, 90)} ${box.width}x${box.height}`),
    );
    expect(small).toEqual([]);
  }
});

for (const folder of ["fresh", "account"] as const) {
  test.describe(() => {
    test.use({ world: { folder } });
    test(`the offer of a first start does not move after its first frame (${folder})`, async ({ page }) => {
      await page.addInitScript(() => {
        const places = new Set<string>();
        Object.assign(window, { places });
        const look = () => {
          const button = [...document.querySelectorAll("button")].find((it) => it.textContent === "Not now");
          const box = button?.getBoundingClientRect();
          if (box) places.add([box.left, box.top].map(Math.round).join());
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
        // What a start under load may hear late: that the model is ready.
        const loading = <T extends object>(model: T) => ({ ...model, state: "loading" });
        window.prepare = (transport) => {
          transport.change<ModelStatus>("model_status", loading);
          transport.change("app_status", (status: AppStatus) => ({
            ...status,
            model: loading(status.model),
          }));
        };
      });
      // The fonts come late too.
      await page.route(/\.woff2$/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await route.continue();
      });
      // And how much there is.
      await open(page, "/memory", "delay=300&slow=scope_counts,model_status,list_memories");
      await expect(page.getByRole("button", { name: "Not now" })).toBeVisible();
      await page.evaluate(() => {
        for (const command of ["model_status", "app_status"]) window.transport.unchange(command);
        return window.deliver("data-changed", { topic: "models" });
      });
      await expect(page.getByText(/until the meaning model is ready/)).toBeHidden();
      const places = await page.evaluate(() => [...(window as unknown as { places: Set<string> }).places]);
      expect(places).toHaveLength(1);
    });
  });
}
