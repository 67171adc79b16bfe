import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import type { deliver, dragFiles } from "../../src/ipc/mock";
import type { FolderName } from "../../src/testing/fixtures/folders";
import { type Core, type ServeOptions, serve } from "../../src/testing/serve";
import type { Transport } from "../../src/testing/transport";

declare global {
  interface Window {
    /** Milliseconds from each key to what it changed being painted, where a test counts them. */
    painted: number[];
    transport: Transport;
    drag: typeof dragFiles;
    deliver: typeof deliver;
    axe: typeof axe;
  }
}

/** Keeps a page to its own rules; the faults it is told of are an error, a refused resource, a request that leaves the machine. */
async function watch(page: Page, faults: string[]): Promise<void> {
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A command that the core refuses is an answer like any other.
    if (message.type() !== "error" || /\/call\/\w+$/.test(message.location().url)) return;
    faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") faults.push(`request: ${request.url()}`);
  });
  // As the real window does (`freezePrototype`).
  await page.addInitScript(() => Object.freeze(Object.prototype));
}

type Walk = { page: Page; faults: string[] };

/** Which folder a test looks at, and how it is opened. */
export type World = Pick<ServeOptions, "readOnly" | "noModel" | "meaning" | "chat" | "before"> & {
  folder: FolderName;
};

/** Puts into a world what a view is about. */
export type Seed = (core: Core) => Promise<unknown>;

/** A state of the window that all views are walked through in. */
export type View = {
  name: string;
  hash?: string;
  world?: Partial<World>;
  /** Views with the same one that only look share a folder, and it is put in once. */
  seed?: Seed;
  /** Faults of the wire. */
  faults?: string;
  /** It writes, and so has a folder of its own. */
  writes?: true;
  /** What is open is another part in the other size: the window is opened anew in it. */
  afresh?: true;
  /** The button of a dialog that must be in view in both sizes. */
  inView?: string;
  ready(page: Page, core: Core): Promise<void>;
};

const BUILT = join(import.meta.dirname, "..", "..", "dist-harness");
const openWorld = ({ folder, ...options }: World) => serve(folder, { ...options, page: BUILT });

async function openSeeded(world: World, seed?: Seed): Promise<Core> {
  const core = await openWorld(world);
  await seed?.(core);
  return core;
}

/** Cores on folders that are only looked at: one for all tests of a worker. */
class Shared {
  private readonly cores: { world: string; seed: Seed | undefined; core: Promise<Core> }[] = [];

  of(world: World, seed?: Seed): Promise<Core> {
    const key = JSON.stringify(world);
    const known = this.cores.find((it) => it.world === key && it.seed === seed);
    if (known) return known.core;
    const core = openSeeded(world, seed);
    this.cores.push({ world: key, seed, core });
    return core;
  }

  async stop(): Promise<void> {
    for (const { core } of this.cores) await (await core).stop();
  }
}

/** The core that a page talks to. */
const served = new WeakMap<Page, Core>();

type Options = { world: World; looks: boolean };
type Fixtures = Options & { core: Core; strict: undefined };

const withCores = base.extend<object, { shared: Shared }>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is asked for.
    async ({}, use) => {
      const shared = new Shared();
      await use(shared);
      await shared.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** Each test has a core on a folder of its own, unless it only looks; and it fails if its page broke its own rules. */
export const test = withCores.extend<Fixtures>({
  world: [{ folder: "usual" }, { option: true }],
  looks: [false, { option: true }],
  core: [
    async ({ page, world, looks, shared }, use) => {
      const core = looks ? await shared.of(world) : await openWorld(world);
      served.set(page, core);
      await use(core);
      // What the page still hears when its core goes is no fault of it.
      if (!looks) await page.close();
      if (!looks) await core.stop();
    },
    { auto: true, timeout: 60_000 },
  ],
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
 * For the walk through all views: one page for all of them in a worker, loaded anew for each. A browser context of its
 * own for every view would cost more than looking at it. `enter` gives the page the core of a view, which is one of its
 * own where the view writes.
 */
export const look = withCores.extend<
  { page: Page; enter: (world: World, writes: boolean, seed?: Seed) => Promise<Core> },
  { walk: Walk }
>({
  walk: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ reducedMotion: "reduce" });
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
  page: async ({ walk }, use) => {
    await use(walk.page);
    await walk.page.goto("about:blank");
    expect(walk.faults.splice(0)).toEqual([]);
  },
  enter: async ({ page, shared }, use) => {
    const own: Core[] = [];
    await use(async (world, writes, seed) => {
      const core = writes ? await openSeeded(world, seed) : await shared.of(world, seed);
      if (writes) own.push(core);
      served.set(page, core);
      return core;
    });
    await page.goto("about:blank");
    for (const core of own) await core.stop();
  },
});

export { expect };

/** Where a page of the core is, with faults of the wire as the harness reads them: `fail=list_memories`. */
export function addressOf(page: Page, hash = "/memory", faults = ""): string {
  const core = served.get(page);
  if (!core) throw new Error("the page has a core");
  return `${core.url}/harness.html?token=${core.token}&${faults}#${hash}`;
}

export async function open(page: Page, hash = "/memory", faults = ""): Promise<void> {
  await page.goto(addressOf(page, hash, faults));
  // The first one is the rail; a page may have headings to jump to.
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

/** The id in the address of the page. */
export const openId = (page: Page) =>
  page.evaluate(() => new URLSearchParams(window.location.hash.split("?")[1]).get("id") ?? "");

/** How often the window called a command so far. */
export const callsOf = (page: Page, command: string) =>
  page.evaluate((name) => window.transport.callsOf(name).length, command);

export const grid = (page: Page) => page.getByRole("grid", { name: "Memories" });
export const detail = (page: Page) => page.getByRole("region", { name: "The memory" });

export async function openRow(page: Page, text: string): Promise<void> {
  await grid(page).getByRole("row").filter({ hasText: text }).first().click();
  await expect(detail(page)).toContainText(text);
}

/** What axe looks at: "colours" is what depends on the theme, "structure" everything else. */
export type Rules = "all" | "colours" | "structure";

/** Runs in the page. Only what is wrong is described, and nothing has to be carried to another page to be put together. */
async function violations(rules: Rules): Promise<string[]> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const colours = ["color-contrast", "link-in-text-block"];
  // Menus and tooltips hang at the end of the document, outside every landmark, as ARIA's own examples do.
  const left = rules === "structure" ? ["region", ...colours] : ["region"];
  const chosen: axe.RunOptions =
    rules === "colours"
      ? { runOnly: { type: "rule", values: colours } }
      : {
          runOnly: { type: "tag", values: tags },
          rules: Object.fromEntries(left.map((id) => [id, { enabled: false }])),
        };
  const found = await window.axe.run(document, { ...chosen, resultTypes: ["violations"] });
  return found.violations.map(({ id, nodes }) => {
    const where = nodes.map((it) => `${it.target} ${it.any[0]?.message ?? it.failureSummary ?? ""}`);
    return `${id}: ${where.join(" | ")}`;
  });
}

/** Axe, all WCAG 2.2 AA rules and best practices or a part of them, on the page as it stands. */
export async function expectAccessible(page: Page, rules: Rules = "all"): Promise<void> {
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
  expect(await page.evaluate(violations, rules)).toEqual([]);
}

/** Zooms as another window of this computer would: what is open stays open. */
export const zoomTo = (page: Page, percent: string): Promise<void> =>
  page.evaluate((percent) => {
    localStorage.setItem("inklings.zoom", percent);
    window.dispatchEvent(new StorageEvent("storage", { key: "inklings.zoom" }));
  }, percent);

/** `expectAccessible` at 100, 150 and 200 %. */
export async function expectAccessibleZoomed(page: Page): Promise<void> {
  for (const percent of ["150", "200", "100"]) {
    await zoomTo(page, percent);
    await expectAccessible(page);
  }
}
