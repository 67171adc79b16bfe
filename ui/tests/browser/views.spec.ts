import type { Page } from "@playwright/test";
import { CONTROL_VIEWS } from "./controlViews";
import { CONVERSATION_VIEWS } from "./conversationViews";
import { CURATION_VIEWS } from "./curationViews";
import { DRIFT_VIEWS } from "./driftViews";
import { GRAPH_VIEWS } from "./graphViews";
import { LENS_VIEWS } from "./lensViews";
import { NAME_VIEWS } from "./nameViews";
import { PALETTE_VIEWS } from "./paletteViews";
import { RECALL_VIEWS } from "./recallViews";
import {
  detail,
  expect,
  expectAccessible,
  grid,
  look,
  open,
  openId,
  openRow,
  type Rules,
  type View,
  zoomTo,
} from "./support";
import { TELEMETRY_VIEWS } from "./telemetryViews";
import { TIMELINE_VIEWS } from "./timelineViews";
import { VAULT_VIEWS } from "./vaultViews";

const VIEWS: View[] = [
  { name: "list", ready: async (page) => expect(grid(page)).toBeVisible() },
  {
    name: "memory open",
    ready: async (page) => {
      await openRow(page, "harbour town");
      await expect(page.getByRole("img", { name: /Relevance over time/ })).toBeVisible();
    },
  },
  {
    name: "search with explanation",
    hash: "/memory?q=lanternmen%20crane",
    ready: async (page) => {
      await openRow(page, "Lanternmen control");
      await expect(page.getByRole("region", { name: "Why this came up" })).toBeVisible();
    },
  },
  {
    name: "filters",
    afresh: true,
    hash: "/memory?scope=channel&f=%5B%22tag%3Aguild%22%2C%22-curator%3Aimport%22%5D",
    ready: async (page) => {
      await expect(page.getByRole("list", { name: "Filters" })).toBeVisible();
      const button = page.getByRole("button", { name: /^Filter/ });
      if ((page.viewportSize()?.width ?? 0) < 1600) await button.click();
      await expect(page.getByRole("button", { name: /^Only guild, / })).toBeVisible();
    },
  },
  {
    name: "selection",
    ready: async (page) => {
      await grid(page).focus();
      await page.keyboard.press("x");
      await page.keyboard.press("Shift+ArrowDown");
      await expect(page.getByText("2 selected")).toBeVisible();
    },
  },
  {
    name: "editing",
    ready: async (page) => {
      await openRow(page, "harbour town");
      await page.keyboard.press("e");
      await page.getByRole("textbox", { name: "Text of the memory" }).pressSequentially(" More");
      await expect(page.getByText("1 unsaved edit")).toBeVisible();
    },
  },
  {
    name: "conflict",
    writes: true,
    ready: async (page, core) => {
      await openRow(page, "harbour town");
      await page.keyboard.press("e");
      await page.getByRole("textbox", { name: "Text of the memory" }).pressSequentially(" More");
      await core.edit(await openId(page), "A fishing village on the drowned coast.");
      await page.keyboard.press("Control+s");
      await expect(page.getByRole("heading", { name: "Two versions" })).toBeVisible();
    },
  },
  {
    name: "history with a difference",
    writes: true,
    ready: async (page, core) => {
      await openRow(page, "harbour town");
      await core.edit(await openId(page), "A fishing village on the drowned coast.");
      const history = page.getByRole("region", { name: "History" });
      await expect(history.getByRole("listitem")).toHaveCount(2);
      await history.getByRole("button", { expanded: false }).first().click();
      await expect(history.locator("ins").first()).toBeVisible();
    },
  },
  {
    name: "forgotten",
    writes: true,
    ready: async (page) => {
      await openRow(page, "harbour town");
      await page.keyboard.press("Delete");
      await expect(detail(page).getByText("Reason: by hand")).toBeVisible();
    },
  },
  {
    name: "new memory",
    ready: async (page) => {
      await expect(grid(page)).toBeVisible();
      await page.keyboard.press("n");
      await expect(page.getByRole("dialog", { name: "New memory" })).toBeVisible();
    },
  },
  {
    name: "command palette",
    ready: async (page) => {
      await expect(grid(page)).toBeVisible();
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("combobox")).toBeVisible();
    },
  },
  {
    name: "search of everything",
    ready: async (page) => {
      await expect(grid(page)).toBeVisible();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("what the Lanternmen want from the fair");
      await expect(page.getByRole("group", { name: "Memories" })).toBeVisible();
    },
  },
  {
    name: "shortcuts",
    ready: async (page) => {
      await expect(grid(page)).toBeVisible();
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    },
  },
  {
    name: "workspace menu",
    ready: async (page) => {
      await page.getByRole("button", { name: /^World:/ }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  {
    name: "workspace deletion",
    ready: async (page) => {
      await page.getByRole("button", { name: /^World:/ }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "first start",
    world: { folder: "fresh" },
    ready: async (page) => expect(page.getByRole("button", { name: "Load the sample world" })).toBeVisible(),
  },
  {
    name: "offer beside memories",
    world: { folder: "account" },
    ready: async (page) => expect(page.getByRole("button", { name: "Load the sample world" })).toBeVisible(),
  },
  {
    name: "no workspace",
    world: { folder: "none", readOnly: true },
    ready: async (page) => {
      await expect(page.getByRole("textbox")).toBeVisible();
      // What the page before it could not read is gone with it.
      await expect(page.getByRole("alert")).toHaveCount(0);
    },
  },
  {
    name: "empty",
    world: { folder: "empty" },
    ready: async (page) => expect(page.getByText("Nothing remembered yet")).toBeVisible(),
  },
  {
    name: "nothing found",
    hash: "/memory?q=zzzz&scope=account",
    ready: async (page) => expect(page.getByRole("button", { name: "Search every tier" })).toBeVisible(),
  },
  {
    name: "error",
    faults: "fail=list_memories",
    ready: async (page) => expect(page.getByRole("alert")).toBeVisible(),
  },
  {
    name: "loading",
    faults: "delay=60000",
    ready: async (page) => expect(page.getByRole("status", { name: "Loading" }).first()).toBeVisible(),
  },
  {
    name: "text only",
    world: { noModel: true },
    ready: async (page) => expect(page.getByText("words only:")).toBeVisible(),
  },
  {
    name: "read-only",
    world: { readOnly: true },
    ready: async (page) => {
      await openRow(page, "harbour town");
      await expect(page.getByText("cannot be written now")).toBeVisible();
    },
  },
  {
    name: "settings",
    hash: "/settings",
    ready: async (page) => expect(page.getByRole("img", { name: /over 60 days/ })).toBeVisible(),
  },
  {
    name: "settings, found by a word",
    hash: "/settings",
    ready: async (page) => {
      await page.getByRole("textbox", { name: "Find a setting" }).fill("start after");
      await expect(page.getByRole("button", { name: /^Start after idle minutes/ })).toBeVisible();
    },
  },
  {
    name: "settings, own pace",
    hash: "/settings",
    ready: async (page) => {
      await page.getByRole("radio", { name: "Custom" }).click();
      await expect(page.getByRole("textbox", { name: /^Account: days/ })).toBeVisible();
    },
  },
  {
    name: "settings, download",
    hash: "/settings",
    world: { noModel: true },
    writes: true,
    ready: async (page) => {
      await page.getByRole("button", { name: /^Download Nomic/ }).click();
      await expect(page.getByRole("progressbar").first()).toBeVisible();
    },
  },
  ...CONVERSATION_VIEWS,
  ...CURATION_VIEWS,
  ...CONTROL_VIEWS,
  ...TIMELINE_VIEWS,
  ...LENS_VIEWS,
  ...NAME_VIEWS,
  ...PALETTE_VIEWS,
  ...RECALL_VIEWS,
  ...TELEMETRY_VIEWS,
  ...DRIFT_VIEWS,
  ...GRAPH_VIEWS,
  ...VAULT_VIEWS,
];

const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
] as const;

/** What lies over the page or speaks up: a view that is looked at twice must be the same view the second time. */
const raised = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[role=dialog], [role=alertdialog], [role=menu], [role=alert]")]
      .map((it) => {
        const role = it.getAttribute("role");
        return `${role} ${it.getAttribute("aria-label") ?? (role === "alert" ? it.textContent : "")}`;
      })
      .sort(),
  );

/**
 * Only colours depend on the theme, and they do not depend on the zoom. So a size is looked at whole by day and for its
 * colours at night, and a zoom for everything else in one theme.
 */
const ZOOMED = [
  { percent: "150", theme: "dark" },
  { percent: "200", theme: "light" },
] as const;

// Six looks at each.
look.describe.configure({ timeout: 240_000 });

for (const view of VIEWS) {
  look(
    `${view.name}: axe finds nothing by day or night in either size or zoomed, and nothing overflows`,
    async ({ page, enter }) => {
      const core = await enter({ folder: "usual", ...view.world }, view.writes ?? false, view.seed);
      let before: string[] | undefined;
      const look = async (theme: "light" | "dark", rules: Rules) => {
        await page.emulateMedia({ colorScheme: theme });
        await expectAccessible(page, rules);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
      };
      for (const size of SIZES) {
        await page.setViewportSize(size);
        if (before === undefined || view.afresh) {
          await page.goto("about:blank");
          await open(page, view.hash, view.faults);
          await view.ready(page, core);
          before = await raised(page);
        }
        // Nobody has to scroll a dialog to find its button.
        if (view.inView)
          await expect(page.getByRole("dialog").getByRole("button", { name: view.inView })).toBeInViewport({
            ratio: 1,
          });
        for (const theme of ["light", "dark"] as const) {
          await look(theme, theme === "light" ? "all" : "colours");
          expect(await raised(page)).toEqual(before);
          if (process.env.SHOTS) {
            const file = `${view.name.replace(/\W+/g, "-")}-${theme}-${size.width}.png`;
            await page.screenshot({ path: `${process.env.SHOTS}/${file}` });
          }
        }
      }
      for (const { percent, theme } of ZOOMED) {
        await zoomTo(page, percent);
        await look(theme, "structure");
      }
      await zoomTo(page, "100");
    },
  );
}
