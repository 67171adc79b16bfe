import type { Page } from "@playwright/test";
import type { OrientationView, RunPage, WriteResult } from "../../src/ipc/bindings.gen";
import { idOf } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";
import { expect, openId, openRow, type View } from "./support";

const LEDGER = "/conversations/k3T9wPq2LxA?tab=shown";
const shownText = (text: string | RegExp) => async (page: Page) =>
  expect(page.getByText(text).first()).toBeVisible();
const proposal = (words: string) => async (page: Page) => {
  await page.getByRole("option").filter({ hasText: words }).click();
  await expect(page.getByRole("region", { name: "The proposal" })).toContainText(words);
};

const consolidated = async (page: Page) => {
  await page.getByRole("button", { name: "Tidy now" }).click();
  const run = page.getByRole("region", { name: "The run" });
  // The run before it brought the same memory in.
  await expect(run.getByRole("heading", { name: "Tidying" })).toBeVisible();
  await expect(run.getByText(/Herons/)).toBeVisible();
  await expect(run.getByRole("button", { name: "Undo this run" })).toBeVisible();
};

/** A few subjects with relations, and the page of the first. */
const seeWorld = async (page: Page, core: Core) => {
  const add = async (name: string, kind: string, content = "") =>
    (await core.call<WriteResult>("add_subject", { name, kind, content })).detail.row.id;
  const [marguerite, council, head, lamp] = [
    await add(
      "Marguerite Vane",
      "character",
      "Keeper of the light for thirty-one years. She has never set foot on a ship.",
    ),
    await add("Quay Council", "faction", "Seven seats, one always empty."),
    await add("Corrow Head", "place"),
    await add("The green lamp", "item"),
  ];
  await add("Drowned War", "event");
  const relate = (from: string, relation: string, to: string) =>
    core.call("add_relation", { request: { from, relation, to, content: null, channelId: null } });
  await relate(marguerite, "keeps the light at", head);
  await relate(council, "pays", marguerite);
  await relate(marguerite, "owns", lamp);
  await page.getByRole("option").filter({ hasText: "Marguerite" }).click();
  await expect(page.getByRole("list", { name: /^Relations of/ }).getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("heading", { name: "Where it is mentioned" })).toBeVisible();
};

/** The views of named entries, ledgers and activity, for the walk through all views. */
export const CURATION_VIEWS: View[] = [
  {
    name: "named entries",
    hash: "/named",
    ready: async (page: Page) => expect(page.getByRole("textbox", { name: "Text of VOICE" })).toBeVisible(),
  },
  {
    name: "named entry, saved",
    writes: true,
    hash: "/named",
    ready: async (page: Page) => {
      await page.getByRole("option").filter({ hasText: "Saltmere" }).click();
      await page.getByRole("textbox", { name: "Text of Saltmere" }).press("Control+End");
      await page.keyboard.type("\n\nA new line.");
      await expect(page.getByText("Saved", { exact: true })).toBeVisible();
      await page.getByRole("button", { name: "Add another name" }).click();
    },
  },
  {
    name: "named entry, not saved",
    hash: "/named",
    faults: "fail=write_named_entry",
    ready: async (page: Page) => {
      await page.getByRole("textbox", { name: "Text of VOICE" }).pressSequentially("Dry");
      await expect(page.getByText(/^Not saved: /)).toBeVisible();
    },
  },
  {
    name: "named entry, two versions",
    hash: "/named",
    writes: true,
    ready: async (page: Page, core: Core) => {
      await page.getByRole("option").filter({ hasText: "Saltmere" }).click();
      await page.getByRole("textbox", { name: "Text of Saltmere" }).pressSequentially(" More");
      await core.edit(await openId(page), "A fishing village on the drowned coast.");
      await expect(page.getByRole("heading", { name: "Two versions of Saltmere" })).toBeVisible();
    },
  },
  {
    name: "named entries, new",
    hash: "/named",
    ready: async (page: Page) => {
      await expect(page.getByRole("textbox", { name: "Text of VOICE" })).toBeVisible();
      await page.getByRole("button", { name: "New entry" }).click();
      await expect(page.getByRole("dialog", { name: "New entry" })).toBeVisible();
    },
  },
  {
    name: "named entries, read-only",
    hash: "/named",
    world: { readOnly: true },
    ready: async (page: Page) => {
      await page.getByRole("option").filter({ hasText: "Saltmere" }).click();
      const entry = page.getByRole("region", { name: "The entry Saltmere" });
      await expect(entry.getByText("Governed by the")).toBeVisible();
    },
  },
  {
    name: "named entries, loading",
    hash: "/named",
    faults: "delay=60000",
    ready: async (page: Page) => expect(page.getByRole("status", { name: "Loading" }).first()).toBeVisible(),
  },
  {
    name: "named entries, error",
    hash: "/named",
    faults: "fail=list_named_entries",
    ready: async (page: Page) => expect(page.getByRole("alert")).toBeVisible(),
  },
  {
    name: "world, no subjects",
    hash: "/world",
    ready: async (page: Page) => expect(page.getByText("No subjects yet")).toBeVisible(),
  },
  { name: "world, a subject", hash: "/world", writes: true, ready: seeWorld },
  {
    name: "world, a new relation",
    hash: "/world",
    writes: true,
    ready: async (page: Page, core: Core) => {
      await seeWorld(page, core);
      await page.getByRole("button", { name: "Add a relation" }).click();
      await page.getByRole("textbox", { name: /^What Marguerite/ }).fill("distrusts");
    },
  },
  {
    name: "world, a new subject",
    hash: "/world",
    ready: async (page: Page) => {
      await page.getByRole("main").getByRole("button", { name: "New subject" }).last().click();
      await expect(page.getByRole("dialog", { name: "New subject" })).toBeVisible();
    },
  },
  {
    name: "world, names without a page",
    hash: "/world",
    ready: async (page: Page) => {
      await page.getByRole("button", { name: /recurs? without a page/ }).click();
      await expect(page.getByRole("dialog", { name: "Names without a page" })).toBeVisible();
    },
  },
  {
    name: "world, error",
    hash: "/world",
    faults: "fail=list_subjects",
    ready: async (page: Page) => expect(page.getByRole("alert")).toBeVisible(),
  },
  { name: "ledger, each turn", hash: `${LEDGER}&shown=turns`, ready: shownText(/\d+ shown, \d+ left out/) },
  {
    name: "ledger, one turn",
    hash: `${LEDGER}&shown=turns`,
    ready: async (page: Page) => {
      await page.getByRole("list", { name: "Turns, newest first" }).getByRole("button").first().click();
      await page
        .getByRole("button", { name: /^Why it ranks there/ })
        .first()
        .click();
      await expect(page.getByRole("rowheader", { name: "Together" })).toBeVisible();
    },
  },
  {
    name: "ledger, left out",
    hash: `${LEDGER}&shown=turns`,
    ready: async (page: Page) => {
      await page.getByRole("list", { name: "Turns, newest first" }).getByRole("button").first().click();
      await page.getByRole("heading", { name: /left out$/ }).scrollIntoViewIfNeeded();
      await page
        .getByRole("heading", { name: /left out$/ })
        .evaluate((it) => it.scrollIntoView({ block: "start" }));
    },
  },
  {
    name: "ledger, a question to try",
    hash: `${LEDGER}&shown=try`,
    ready: async (page: Page) => {
      await page.evaluate(() =>
        window.transport.change("orient", (view: OrientationView) => ({
          ...view,
          layers: view.layers.map((it) => (it.layer === "facts" ? { ...it, failed: true } : it)),
        })),
      );
      await page.getByRole("textbox", { name: "A question to try" }).fill("Who is he, and who holds it?");
      await page.keyboard.press("Enter");
      await expect(page.getByText(/could not be read for this turn/)).toBeVisible();
    },
  },
  { name: "proposals", hash: "/activity", ready: proposal("Marguerite Vane") },
  { name: "proposals, conflict", hash: "/activity", ready: proposal("bell of Saint Oriel") },
  { name: "proposals, merge", hash: "/activity", ready: proposal("Tide-binding") },
  { name: "proposals, changed since", hash: "/activity", ready: proposal("swears on rope") },
  {
    name: "proposals, editing and selected",
    hash: "/activity",
    ready: async (page: Page) => {
      await proposal("Marguerite Vane")(page);
      await page.keyboard.press("x");
      await page.keyboard.press("e");
      await expect(page.getByRole("textbox", { name: "The text as you want it" })).toBeVisible();
      await expect(page.getByText("1 selected")).toBeVisible();
    },
  },
  {
    name: "proposals, none",
    hash: "/activity",
    world: { folder: "empty" },
    ready: shownText("Nothing to decide"),
  },
  {
    name: "proposals, error",
    hash: "/activity",
    faults: "fail=list_proposals",
    ready: async (page: Page) => expect(page.getByRole("alert")).toBeVisible(),
  },
  {
    name: "runs",
    hash: "/activity?page=runs",
    world: { folder: "few" },
    writes: true,
    ready: consolidated,
  },
  {
    name: "runs, under way",
    hash: "/activity?page=runs",
    ready: async (page: Page) => {
      // A run that has more to look at than a test has time.
      await page.evaluate(() => {
        window.transport.change("list_runs", (runs: RunPage) => ({
          ...runs,
          rows: runs.rows.map((run, n) =>
            n > 0 ? run : { ...run, state: "running", finishedAt: null, done: 40, total: 212 },
          ),
        }));
        return window.deliver("data-changed", { topic: "runs" });
      });
      await expect(page.getByRole("progressbar")).toBeVisible();
    },
  },
  {
    name: "runs, preview",
    hash: "/activity?page=runs",
    world: { folder: "few" },
    ready: async (page: Page) => {
      await page.getByRole("button", { name: "What would it do?" }).click();
      await expect(page.getByRole("dialog").getByText(/Herons/)).toBeVisible();
    },
  },
  {
    name: "runs, taken back",
    hash: "/activity?page=runs",
    world: { folder: "few" },
    writes: true,
    ready: async (page: Page, core: Core) => {
      await consolidated(page);
      const run = page.getByRole("region", { name: "The run" });
      await core.edit(idOf(16), "Herons are lucky.");
      await run.getByRole("button", { name: "Undo this run" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Undo this run" }).click();
      await expect(run.getByText(/was changed since/)).toBeVisible();
    },
  },
  {
    name: "changes",
    hash: "/activity?page=changes",
    ready: async (page: Page) => {
      await expect(page.getByRole("listitem").first()).toBeVisible();
    },
  },
  {
    name: "tasks",
    hash: "/activity?page=tasks",
    ready: async (page: Page) => expect(page.getByRole("table", { name: "Background work" })).toBeVisible(),
  },
  {
    name: "settings, orientation",
    hash: "/settings?section=orientation",
    ready: async (page: Page) => expect(page.getByRole("slider", { name: /^Facts/ })).toBeVisible(),
  },
  {
    name: "memory, a named entry",
    ready: async (page: Page) => {
      await openRow(page, "harbour town");
      await expect(page.getByText("the Salt Town")).toBeVisible();
    },
  },
];
