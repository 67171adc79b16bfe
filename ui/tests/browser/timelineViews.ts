import type { CalendarDefinition, Month, WriteResult } from "../../src/ipc/bindings.gen";
import type { Core } from "../../src/testing/serve";
import { expect, type Seed, type View } from "./support";

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

/** A novel of one year: chapters that follow one another, two that happen at the same time, a gap, and a flashback. */
const NOVEL: typeof TIMES = [
  ["The Night of Two Lamps", "chapter", "Lantern Night, 312 – 20 Storm, 312", 1],
  ["A Ledger in Salt Water", "chapter", "21 Storm, 312 – 8 Rope, 312", 2],
  ["Nobody Rows to Brannoch After the Bell Has Stopped", "chapter", "9 Rope, 312 – 8 Fog, 312", 3],
  ["The Long Ebb", "chapter", "9 Fog, 312 – 12 Frost, 312", 4],
  ["Hepzibah Counts", "chapter", "20 Fog, 312 – 4 Frost, 312", 5],
  ["Frost", "chapter", "13 Frost, 312 – 15 Frost, 312", 6],
  ["Two Days on the Stairs", "chapter", "16 Frost, 312 – 17 Frost, 312", 7],
  ["The Widow's Half", "chapter", "1 Ice, 312 – 20 Ice, 312", 8],
  ["What the Keeper Saw", "chapter", "14 Thaw, 312 – 2 Kelp, 312", 9],
  ["Marguerite Vane", "character", "– 20 Ice, 312", null],
  ["Anselm Rook", "character", "– 4 Frost, 312", null],
  ["Salt Guild", "faction", "12 Kelp, 312 –", null],
  ["The second lamp is lit", "event", "Lantern Night, 312", null],
  ["Council of the Quay", "event", "12 Storm, 312 – 14 Storm, 312", null],
  ["The bell stops", "event", "9 Rope, 312", null],
  ["Fever in Harrowmere", "event", "20 Rope, 312 – 26 Fog, 312", null],
  ["Anselm drowns", "event", "4 Frost, 312", null],
  ["The stairs fall", "event", "17 Frost, 312", null],
  ["Fair on the ice", "event", "3 Ice, 312 – 9 Ice, 312", null],
];

/** A calendar and subjects with times: seven of them, or a novel. */
export const seedTimeline = async (core: Core, times = TIMES) => {
  await core.call("add_calendar", { name: "Reckoning of the Coast", definition: COAST });
  for (const [name, kind, text, readingNumber] of times) {
    const made = await core.call<WriteResult>("add_subject", { name, kind, content: "" });
    const { id, version } = made.detail.row;
    await core.call("set_story_time", { id, version, request: { text, calendar: null, readingNumber } });
  }
};

const seedSeven: Seed = (core) => seedTimeline(core);
const seedNovel: Seed = (core) => seedTimeline(core, NOVEL);

const of = (name: string, hash: string, ready: View["ready"], seed = seedSeven): View => ({
  name,
  hash,
  seed,
  ready,
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
  of(
    "timeline, chapters as bands",
    "/timeline?look=lanes",
    async (page) => {
      const picture = page.getByRole("img", { name: /19 entries in lanes/ });
      await expect(picture).toBeVisible();
    },
    seedNovel,
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
