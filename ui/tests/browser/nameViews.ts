import type { Page } from "@playwright/test";
import { LEDGER, SALTMERE } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";
import { setStoryTime, subject } from "../../src/testing/story";
import { detail, expect, type View } from "./support";
import { seedTimeline } from "./timelineViews";

const COUNCIL = `# Seven seats

Chairs around a table that is wet twice a day. One is always empty, and nobody may say for whom it is kept; the clerk
counts it in every vote.

It has met in the same cellar since the Drowning.`;

/** The council of Saltmere, with a text and a time, and the guild that the conversations are about. */
export async function seedNames(core: Core): Promise<string> {
  await seedTimeline(core);
  await subject(core, "The Lanternmen", "faction", "# The Lanternmen\n\nEvery flame on the water pays them.");
  await subject(core, "Slack water", "concept");
  const council = await subject(core, "seven seats", "faction", COUNCIL);
  await setStoryTime(core, council, "12 –");
  return council;
}

export const nameIn = (page: Page, name: string) => detail(page).getByRole("link", { name });
export const card = (page: Page) => page.getByRole("tooltip");

const of = (name: string, hash: string, ready: View["ready"]): View => ({
  name,
  hash,
  seed: seedNames,
  // A card goes when what it hangs from moves.
  afresh: true,
  ready,
});

/** The views of names that are links, for the walk through all views. */
export const NAME_VIEWS: View[] = [
  of("names, at rest", `/memory?id=${SALTMERE}`, async (page) => {
    await expect(nameIn(page, "seven seats")).toBeVisible();
    await page.mouse.move(0, 0);
  }),
  of("names, text under the pointer", `/memory?id=${SALTMERE}`, async (page) => {
    await expect(nameIn(page, "seven seats")).toBeVisible();
    await detail(page)
      .getByText(/A harbour town/)
      .hover({ position: { x: 4, y: 4 } });
  }),
  of("names, card", `/memory?id=${SALTMERE}`, async (page) => {
    await nameIn(page, "seven seats").hover();
    await expect(card(page).getByText(/Chairs around/)).toBeVisible();
    await expect(card(page).getByText(/^12/)).toBeVisible();
  }),
  of("names, card of a subject without a text", `/memory?id=${SALTMERE}`, async (page) => {
    await nameIn(page, "slack water").hover();
    await expect(card(page).getByText("Nothing is written about it yet.")).toBeVisible();
  }),
  of("names, messages", `/conversations/${LEDGER}`, async (page) => {
    const name = page
      .getByRole("region", { name: "Transcript" })
      .getByRole("link", { name: "The Lanternmen" });
    await name.last().hover();
    await expect(card(page).getByText(/Every flame/)).toBeVisible();
  }),
];
