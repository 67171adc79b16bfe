import type { Page } from "@playwright/test";
import type { MetricSeriesView } from "../../src/ipc/bindings.gen";
import { measured, recurringRefusals, refusedClient } from "../../src/testing/agents";
import type { Core } from "../../src/testing/serve";
import { subject } from "../../src/testing/story";
import { expect, open, type View } from "./support";

const TELEMETRY = "/activity?page=telemetry";

const VALUES = {
  refusals: { 1: 3, 2: 7, 3: 0, 5: 4, 8: 12, 9: 6, 15: 2, 21: 9, 28: 1 },
  empty_searches: { 1: 21, 2: 34, 3: 8, 5: 13, 8: 55, 9: 40, 15: 3, 21: 18, 28: 5 },
  accepted_proposals: { 1: 1, 8: 2, 21: 1 },
};

/** Clients that are refused, and a measure that somebody defined. */
const seedMeasures = async (core: Core) => {
  await recurringRefusals(core);
  await core.call("define_agent_metric", {
    request: { measure: "mean_latency", action: "memory_search", target: null, outcome: null, error: null },
  });
};

/** Shows values of days that no test waits for. */
const showValues = async (page: Page, core: Core) => {
  const all = await core.call<MetricSeriesView[]>("agent_metrics", { days: 90 });
  await page.evaluate((answer) => {
    window.transport.change("agent_metrics", () => answer);
    return window.deliver("data-changed", { topic: "agent_telemetry" });
  }, measured(VALUES, Date.now())(all));
};

const refusals = (name: string, hash: string, ready: View["ready"]): View => ({
  name,
  hash,
  seed: recurringRefusals,
  ready,
});

/** The views of how agents work, for the walk through all views. */
export const TELEMETRY_VIEWS: View[] = [
  {
    name: "telemetry, none",
    hash: TELEMETRY,
    world: { folder: "empty" },
    ready: async (page) => expect(page.getByText("No actions yet")).toBeVisible(),
  },
  {
    ...refusals("telemetry, actions", TELEMETRY, async (page, core) => {
      const toma = await subject(core, "Toma", "character");
      await refusedClient(core, "Fen", toma);
      await expect(page.getByText("It belongs to you").first()).toBeVisible();
      await expect(page.getByRole("link", { name: "Toma" })).toBeVisible();
    }),
    writes: true,
  },
  {
    name: "telemetry, actions on a subject",
    writes: true,
    ready: async (page, core) => {
      const toma = await subject(core, "Toma", "character");
      await refusedClient(core, "Fen", toma);
      await open(page, `/world?id=${toma}`);
      await page.getByRole("link", { name: "What agents did here" }).click();
      await expect(page.getByText("Done to Toma and to what is linked to it")).toBeVisible();
    },
  },
  {
    name: "telemetry, nothing recurs",
    hash: `${TELEMETRY}&part=patterns`,
    world: { folder: "empty" },
    ready: async (page) => expect(page.getByText("Nothing recurs yet")).toBeVisible(),
  },
  {
    ...refusals("telemetry, what recurs", `${TELEMETRY}&part=patterns`, async (page) => {
      const first = page.getByRole("article", { name: "Change a memory: It belongs to you" });
      await first.getByRole("combobox").click();
      await page.getByRole("option", { name: "Expected" }).click();
      await expect(first.getByText(/judged expected/)).toBeVisible();
      await first.getByRole("button", { name: /^Hide from agents/ }).click();
      await expect(first.getByText("Hidden from agents by you")).toBeVisible();
    }),
    writes: true,
  },
  {
    name: "telemetry, measures",
    hash: `${TELEMETRY}&part=measures`,
    seed: seedMeasures,
    ready: async (page, core) => {
      await showValues(page, core);
      await expect(page.getByRole("img", { name: /^Refusals, last 30 days: 9 values/ })).toBeVisible();
    },
  },
  {
    name: "telemetry, measures as numbers",
    hash: `${TELEMETRY}&part=measures&numbers=true`,
    seed: seedMeasures,
    ready: async (page, core) => {
      await showValues(page, core);
      await expect(page.getByRole("table", { name: "Refusals, by day" })).toBeVisible();
    },
  },
  {
    name: "telemetry, a new measure",
    hash: `${TELEMETRY}&part=measures`,
    inView: "Define it",
    ready: async (page) => {
      await page.getByRole("button", { name: "Define a measure…" }).click();
      await expect(page.getByRole("dialog", { name: "Define a measure" })).toBeVisible();
    },
  },
  refusals("telemetry, sequences", `${TELEMETRY}&part=sequences&q=search%20memory`, async (page) =>
    expect(page.getByRole("list", { name: "Sequences" }).getByRole("listitem").first()).toBeVisible(),
  ),
  {
    name: "telemetry, days to keep",
    hash: TELEMETRY,
    ready: async (page) => {
      await page.getByRole("button", { name: "How long actions are kept" }).click();
      await expect(page.getByRole("textbox", { name: "Days to keep" })).toBeVisible();
    },
  },
  {
    name: "telemetry, memory off",
    hash: TELEMETRY,
    writes: true,
    ready: async (page, core) => {
      await core.call("set_memory_enabled", { enabled: false });
      await expect(page.getByText(/Memory is off/)).toBeVisible();
    },
  },
  {
    name: "telemetry, error",
    hash: TELEMETRY,
    faults: "fail=list_agent_actions",
    ready: async (page) => expect(page.getByRole("alert")).toBeVisible(),
  },
];
