import { test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import type { dragFiles } from "../../src/ipc/mock";
import type { Backend } from "../../src/testing/backend";

declare global {
  interface Window {
    /** Milliseconds from each key to what it changed being painted, where a test counts them. */
    painted: number[];
    inklings: Backend;
    drag: typeof dragFiles;
    axe: typeof axe;
  }
}

/** Keeps a page to its own rules; the faults it is told of are an error, a refused resource, a request that leaves the machine. */
async function watch(page: Page, faults: string[]): Promise<void> {
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
}

type Walk = { page: Page; faults: string[] };

/** Every test fails whose page broke its own rules. */
export const test = base.extend<{ strict: undefined }>({
  strict: [
    async ({ page }, use) => {
      const faults: string[] = [];
      await watch(page, faults);
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * For tests that only look: one page for all of them in a worker, loaded anew for each. A browser context of its own
 * for every view would cost more than looking at it.
 */
export const look = base.extend<{ page: Page }, { shared: Walk }>({
  shared: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ baseURL: "http://127.0.0.1:4173", reducedMotion: "reduce" });
      const faults: string[] = [];
      await watch(page, faults);
      await page.addInitScript(() => {
        // An empty page has no storage.
        if (window.location.protocol === "http:") localStorage.clear();
      });
      await use({ page, faults });
      await page.close();
    },
    { scope: "worker" },
  ],
  page: async ({ shared }, use) => {
    await use(shared.page);
    await shared.page.goto("about:blank");
    expect(shared.faults.splice(0)).toEqual([]);
  },
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

/** Runs in the page. Only what is wrong is described, and nothing has to be carried to another page to be put together. */
async function violations(): Promise<string[]> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await window.axe.run(document, {
    runOnly: { type: "tag", values: tags },
    // Menus and tooltips hang at the end of the document, outside every landmark, as ARIA's own examples do.
    rules: { region: { enabled: false } },
    resultTypes: ["violations"],
  });
  return found.violations.map(({ id, nodes }) => {
    const where = nodes.map((it) => `${it.target} ${it.any[0]?.message ?? it.failureSummary ?? ""}`);
    return `${id}: ${where.join(" | ")}`;
  });
}

/** Axe, all WCAG 2.2 AA rules and best practices, on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours are measured; a fade in progress would be measured half-way. One that ends can begin another: what
  // inherits a colour fades behind what it has it from.
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const fading = () =>
      document
        .getAnimations()
        .filter((it) => it.playState === "running" && it.effect?.getTiming().iterations === 1);
    for (let still = 0; still < 2; still += 1) {
      await frame();
      if (fading().length === 0) continue;
      still = -1;
      // A transition that is cut short has ended, too.
      await Promise.all(fading().map((it) => it.finished.catch(() => undefined)));
    }
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  expect(await page.evaluate(violations)).toEqual([]);
}
