import type { Page } from "@playwright/test";
import { addressOf, expect, expectAccessible, expectAccessibleZoomed, open, test } from "./support";

/** Puts a program around the page: its commands are answered here, because a browser has none. */
async function withShell(page: Page, label: string): Promise<void> {
  await page.addInitScript((label) => {
    window.prepare = (transport) => {
      Object.defineProperty(globalThis, "isTauri", { value: true });
      const status = {
        captureOn: true,
        captureShortcut: "control+alt+KeyI",
        captureProblem: "taken",
        tray: true,
        trayProblem: "no_tray",
      };
      transport.shell = {
        shell_status: () => status,
        take_requests: () => [],
        set_tray_texts: () => null,
        "plugin:window|set_title": () => null,
      };
    };
    const internals = {
      metadata: { currentWindow: { label }, currentWebview: { windowLabel: label, label } },
    };
    Object.assign(window, { __TAURI_INTERNALS__: internals });
  }, label);
}

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing in the settings of the desktop with their problems, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await withShell(page, "main");
    await open(page, "/settings?section=desktop");
    const desktop = page.getByRole("region", { name: "Desktop" });
    await expect(desktop.getByText("Another program uses this key.")).toBeVisible();
    await expectAccessible(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/desktop-${theme}.png` });
    await desktop.getByRole("button", { name: "Change the key" }).press("Enter");
    await expect(desktop.getByRole("button", { name: "Press the new key, or Esc" })).toBeFocused();
    await expectAccessible(page);
  });

  test(`axe finds nothing in the quick capture, and all of it is reached by keyboard, ${theme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 560, height: 300 });
    await withShell(page, "capture");
    // It has no rail to wait for.
    await page.goto(addressOf(page, "/capture"));
    const field = page.getByRole("textbox", { name: "Text of the memory" });
    await expect(field).toBeFocused();
    await page.keyboard.type("A heron stood on the weir.");
    const remember = page.getByRole("button", { name: "Remember" });
    // It waits until the world is known.
    await expect(remember).toBeEnabled();
    for (const name of ["World", "Tier"]) {
      await page.keyboard.press("Tab");
      await expect(page.getByRole("combobox", { name })).toBeFocused();
    }
    await page.keyboard.press("Tab");
    await expect(remember).toBeFocused();
    await expectAccessibleZoomed(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/capture-${theme}.png` });
  });
}
