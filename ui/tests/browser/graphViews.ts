import type { Page } from "@playwright/test";
import type { Core } from "../../src/testing/serve";
import { setKnownBy, subject } from "../../src/testing/story";
import { expect, open, type View } from "./support";

const SUBJECTS: readonly [string, string][] = [
  ["Marguerite Vane", "character"],
  ["Anselm Rook", "character"],
  ["Hepzibah", "character"],
  ["Toma", "character"],
  ["Knut the Ferryman", "character"],
  ["Widow Sallow", "character"],
  ["The Lanternmen", "faction"],
  ["Quay Council", "faction"],
  ["Salt Guild", "faction"],
  ["Harrowmere", "place"],
  ["The Crane Stairs", "place"],
  ["Drowned Chapel", "place"],
  ["The green lamp", "item"],
  ["Ledger of Debts", "item"],
  ["Drowned War", "event"],
  ["Night of Two Lamps", "event"],
  ["The Long Ebb", "chapter"],
  ["Ferry folk", "culture"],
  ["No iron on the water", "rule"],
  ["The Tide Debt", "concept"],
  ["The Reader", "audience"],
  ["Brannoch", "place"],
];

const RELATIONS: readonly [number, string, number][] = [
  [0, "leads", 6],
  [0, "sister of", 3],
  [3, "keeps a secret from", 0],
  [0, "lives in", 9],
  [1, "member of", 7],
  [1, "distrusts", 0],
  [0, "owes", 1],
  [1, "writes", 13],
  [2, "keeps", 12],
  [2, "member of", 6],
  [2, "prays in", 11],
  [3, "member of", 8],
  [4, "ferries for", 8],
  [4, "belongs to", 17],
  [5, "widow of a fighter in", 14],
  [5, "lives at", 10],
  [6, "watch over", 10],
  [6, "rivals of", 7],
  [7, "sits in", 9],
  [8, "trades in", 9],
  [10, "part of", 9],
  [11, "drowned in", 14],
  [12, "lit at", 15],
  [15, "happens in", 9],
  [16, "tells of", 15],
  [17, "holds to", 18],
  [18, "comes from", 14],
  [13, "records", 19],
  [8, "collects", 19],
  [7, "fears", 6],
];

/** Twenty-two subjects of all kinds; one of them is related to nothing, and what two of them are is a secret. */
export async function seedGraph(core: Core): Promise<string[]> {
  const ids: string[] = [];
  for (const [name, kind] of SUBJECTS) ids.push(await subject(core, name, kind));
  for (const [from, relation, to] of RELATIONS)
    await core.call("add_relation", {
      request: { from: ids[from], relation, to: ids[to], content: null, channelId: null },
    });
  await setKnownBy(core, ids[11] as string, [{ subject: "The Lanternmen", since: null }]);
  return ids;
}

export const picture = (page: Page) => page.getByRole("application", { name: /^Graph of/ });

/** The subjects of a world that the views of the graph look at. */
const idsOf = new WeakMap<Core, string[]>();
const seedViews = async (core: Core) => idsOf.set(core, await seedGraph(core));

const of = (name: string, hash: string, ready: (page: Page, ids: string[]) => Promise<void>): View => ({
  name,
  hash,
  seed: seedViews,
  ready: async (page, core) => {
    await expect(picture(page)).toBeVisible();
    await ready(page, idsOf.get(core) ?? []);
  },
});

/** The views of the graph, for the walk through all views. */
export const GRAPH_VIEWS: View[] = [
  {
    name: "graph without subjects",
    hash: "/world?look=graph",
    world: { folder: "empty" },
    ready: async (page) => expect(page.getByText("No subjects yet")).toBeVisible(),
  },
  {
    name: "graph without relations",
    writes: true,
    ready: async (page, core) => {
      for (const [name, kind] of SUBJECTS.slice(0, 8)) await subject(core, name, kind);
      await open(page, "/world?look=graph");
      await expect(page.getByText(/No subjects are related yet/)).toBeVisible();
    },
  },
  of("graph of the world", "/world?look=graph", async () => {}),
  of("graph, selected", "/world?look=graph", async (page) => {
    await picture(page).focus();
    await page.keyboard.press("Home");
    await expect(page.getByRole("heading", { name: "Marguerite Vane" })).toBeVisible();
  }),
  of("graph around a subject", "/world?look=graph", async (page, ids) => {
    await open(page, `/world?look=graph&id=${ids[2]}&around=${ids[2]}`);
    await expect(page.getByText("Around Hepzibah")).toBeVisible();
  }),
  of("graph, kinds left out", "/world?look=graph", async (page) => {
    await page.getByRole("button", { name: /^Character/ }).click();
    await expect(page.getByRole("button", { name: /^Character/ })).toHaveAttribute("aria-pressed", "false");
  }),
  of("graph through a lens", "/world?look=graph&as=Toma", async (page) =>
    expect(page.getByText("As Toma")).toBeVisible(),
  ),
  of("subject with relations", "/world?look=graph", async (page, ids) => {
    await open(page, `/world?id=${ids[0]}`);
    await expect(page.getByRole("link", { name: "Show in the graph" })).toBeVisible();
  }),
];
