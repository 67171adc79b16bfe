import type { Page } from "@playwright/test";
import type { CalendarDefinition, Month, WriteResult } from "../../src/ipc/bindings.gen";
import type { Core } from "../../src/testing/serve";
import { expect, type View } from "./support";

const month = (name: string, days: number, intercalary = false): Month => ({
  name,
  short: null,
  days,
  intercalary,
  in_week: !intercalary,
});

/** The reckoning of the coast: thirteen tides, a day between two of them, two eras and a moon. */
const COAST: CalendarDefinition = {
  months: [
    ...["Thaw", "Seed", "Kelp", "Herring", "Long Light", "Salt"].map((name) => month(name, 28)),
    month("Lantern Night", 1, true),
    ...["Storm", "Rope", "Fog", "Frost", "Lamp", "Ice", "Still Water"].map((name) => month(name, 28)),
  ],
  leap_rules: [{ month: 6, days: 1, intervals: [{ every: 4, offset: 0, leap: true }] }],
  week: {
    days: ["Ebb", "Slack", "Flood", "Spring", "Neap", "Bell", "Rest"].map((name) => ({ name, short: null })),
    first: 0,
    restart: "never",
  },
  eras: [
    { name: "before the Drowning", short: "BD", anchor: 0, first_number: 1, counting: "backward" },
    { name: "after the Drowning", short: "AD", anchor: 1, first_number: 1, counting: "forward" },
  ],
  moons: [{ name: "The Lamp", cycle: 28_000_000, shift: 0 }],
  hours_per_day: 24,
  minutes_per_hour: 60,
  epoch_day: 0,
};

const TIMES: readonly [string, string, string, number | null][] = [
  ["Drowned War", "event", "Storm 88 – Ice 91", null],
  ["Marguerite Vane", "character", "3 Seed, 288 –", null],
  ["Quay Council", "faction", "12 –", null],
  ["The Night of Two Lamps", "chapter", "Lantern Night, 312", 1],
  ["What the Keeper Saw", "chapter", "14 Thaw, 300 – 2 Kelp, 300", 2],
  ["The Long Ebb", "chapter", "9 Fog, 312 – 1 Frost, 312", 3],
  ["The green lamp", "item", "40 before the Drowning –", null],
];

/** A calendar and seven subjects with times. */
export const seedTimeline = async (core: Core) => {
  await core.call("add_calendar", { name: "Reckoning of the Coast", definition: COAST });
  for (const [name, kind, text, readingNumber] of TIMES) {
    const made = await core.call<WriteResult>("add_subject", { name, kind, content: "" });
    const { id, version } = made.detail.row;
    await core.call("set_story_time", { id, version, request: { text, calendar: null, readingNumber } });
  }
};

const of = (name: string, hash: string, ready: (page: Page) => Promise<void>): View => ({
  name,
  hash,
  writes: true,
  ready: async (page, core) => {
    await seedTimeline(core);
    await ready(page);
  },
});

/** The views of the timeline and of calendars. */
export const TIMELINE_VIEWS: View[] = [
  {
    name: "timeline without a calendar",
    hash: "/timeline",
    ready: async (page) => expect(page.getByText("No calendar yet")).toBeVisible(),
  },
  of("timeline", "/timeline", async (page) =>
    expect(page.getByRole("listbox").getByText("Drowned War")).toBeVisible(),
  ),
  of("timeline in lanes", "/timeline?look=lanes", async (page) =>
    expect(page.getByRole("img", { name: /7 entries in lanes/ })).toBeVisible(),
  ),
  of("chapters", "/timeline?page=chapters", async (page) =>
    expect(page.getByText("Flashback")).toBeVisible(),
  ),
  of("calendar", "/timeline?page=calendars", async (page) =>
    expect(page.getByRole("form", { name: "Reckoning of the Coast" })).toBeVisible(),
  ),
  of("time in the story", "/world", async (page) => {
    await page.getByRole("option").filter({ hasText: "Marguerite" }).click();
    await page.getByRole("button", { name: "Change" }).click();
    await expect(page.getByRole("dialog").getByText(/The Lamp:/)).toBeVisible();
  }),
];
