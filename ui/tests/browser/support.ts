import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { dragFiles } from "../../src/ipc/mock";
import type { Backend } from "../../src/testing/backend";

declare global {
  interface Window {
    inklings: Backend;
    drag: typeof dragFiles;
  }
}

/** Fails a test whose page broke its own rules: an error, a refused resource, a request that leaves the machine. */
export const test = base.extend<{ strict: undefined }>({
  strict: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(`console: ${message.text()}`);
      });
      page.on("request", (request) => {
        const { hostname, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && hostname !== "127.0.0.1") faults.push(`request: ${request.url()}`);
      });
      // As the real window does (`freezePrototype`).
      await page.addInitScript(() => Object.freeze(Object.prototype));
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export async function open(page: Page, hash = "/memory", scenario = ""): Promise<void> {
  await page.goto(`/harness.html?${scenario}#${hash}`);
  await expect(page.getByRole("navigation")).toBeVisible();
}

export const grid = (page: Page) => page.getByRole("grid", { name: "Memories" });
export const detail = (page: Page) => page.getByRole("region", { name: "The memory" });

export async function openRow(page: Page, text: string): Promise<void> {
  await grid(page).getByRole("row").filter({ hasText: text }).first().click();
  await expect(detail(page)).toContainText(text);
}

/** Axe, all WCAG 2.2 AA rules and best practices, on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours are measured; a fade in progress would be measured half-way.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((it) => it.effect?.getTiming().iterations === 1)
        // A transition that is cut short has ended, too.
        .map((it) => it.finished.catch(() => undefined)),
    ),
  );
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    // Menus and tooltips hang at the end of the document, outside every landmark, as ARIA's own examples do.
    .disableRules(["region"])
    .analyze();
  const brief = violations.map(
    (it) =>
      `${it.id}: ${it.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? node.failureSummary ?? ""}`).join(" | ")}`,
  );
  expect(brief).toEqual([]);
}
