import type { Page } from "@playwright/test";
import {
  claim,
  driftsOf,
  idOfText,
  messageAgainst,
  setFact,
  withoutClaim,
  write,
  writeAsClient,
} from "../../src/testing/drifts";
import type { Core } from "../../src/testing/serve";
import { setKnownBy, setStoryTime } from "../../src/testing/story";
import { seedKnowers } from "./lensViews";
import { expect, open, type View } from "./support";

const DRIFT = "/activity?page=drift";

const LONG =
  "The smithy stands behind the rope walk, where the wind carries its sparks over the water each night. ".repeat(
    12,
  );

/** Contradictions of each kind: of two memories, of a fact and a memory, of a long text. */
const seedDrifts = async (core: Core) => {
  await seedKnowers(core);
  await setFact(core, "Anselm Rook", "eyes", "grey");
  await write(core, "Toma Reed is a smith. He was born in Saltmere and has never left it.");
  await write(core, "Hepzibah Marl is 34 years old.");
  await writeAsClient(
    core,
    "Marguerite Vane is 48 years old.",
    "Anselm Rook has green eyes.",
    "Toma Reed is a baker.",
    "Hepzibah Marl is 36 years old.",
    "The bell of Saint Oriel weighs 12 tons.",
  );
  // Both sides know of the same time and are known by the same people.
  const sides = [
    await write(core, "The bell of Saint Oriel weighs 9 tons."),
    await idOfText(core, "The bell of Saint Oriel weighs 12 tons."),
  ];
  for (const id of sides) {
    await setKnownBy(core, id, [{ subject: "Toma", since: "The Long Ebb" }]);
    await setStoryTime(core, id, "300 –");
  }
};

const region = (page: Page) => page.getByRole("region", { name: "The contradiction" });

/** Opens the contradiction whose row has these words. */
const openDrift = async (page: Page, words: string) => {
  await page.getByRole("option").filter({ hasText: words }).click();
  await expect(region(page)).toContainText(words);
};

const of = (
  name: string,
  words: string,
  ready: (page: Page, core: Core) => Promise<void> = async () => {},
): View => ({
  name: `drift, ${name}`,
  hash: DRIFT,
  seed: seedDrifts,
  ready: async (page, core) => {
    await openDrift(page, words);
    await ready(page, core);
  },
});

const choose = (page: Page, name: string) => region(page).getByRole("button", { name }).click();

/** The views of contradictions, for the walk through all views. */
export const DRIFT_VIEWS: View[] = [
  {
    name: "drift, none",
    hash: DRIFT,
    world: { before: withoutClaim },
    writes: true,
    ready: async (page) => expect(page.getByText("Nothing contradicts your canon")).toBeVisible(),
  },
  of("two memories", "Hepzibah"),
  of("with a time and knowers", "bell of Saint Oriel weighs"),
  {
    name: "drift, a long text",
    hash: DRIFT,
    writes: true,
    ready: async (page, core) => {
      await write(core, `Toma Reed is a smith.\n\n${LONG}`, { scope: "account" });
      await writeAsClient(core, "Toma Reed is a baker.");
      await open(page, DRIFT);
      await openDrift(page, "Toma Reed");
      await expect(page.getByRole("button", { name: "Show the whole text" })).toBeVisible();
    },
  },
  of("a fact and a memory", "Anselm Rook"),
  of("the canon changes", "Toma Reed", async (page) => {
    await choose(page, "Canon changes");
    await page.getByRole("button", { name: "Change the canon" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
  }),
  of("both, at different times", "Hepzibah", async (page) => {
    await choose(page, "Both, at different times");
    await page.getByRole("textbox", { name: "The canon holds" }).fill("14 Thaw, 300 – 301");
    await page.getByRole("textbox", { name: "The statement holds" }).fill("302 –");
    await expect(region(page).getByText(/302 after the Drowning/)).toBeVisible();
  }),
  of("somebody believes this", "Hepzibah", async (page) => {
    await choose(page, "Somebody believes this");
    await page.getByRole("button", { name: "Add who knows" }).click();
    await page.getByRole("option", { name: "Toma", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Since when Toma knows" })).toBeVisible();
  }),
  {
    ...of("settled", "Hepzibah", async (page, core) => {
      const drift = (await driftsOf(core)).find((it) => it.statement.text.startsWith("Hepzibah"));
      await core.call("settle_drift", { id: drift?.id, settlement: { kind: "canon_stands" } });
      await open(page, `${DRIFT}&drift=settled`);
      await expect(page.getByRole("link", { name: "See the change" })).toBeVisible();
    }),
    writes: true,
  },
  {
    name: "drift, a message",
    hash: DRIFT,
    writes: true,
    world: {
      before: (home) =>
        messageAgainst(
          home,
          "Hepzibah Marl is 34 years old.",
          "The gate opens. Hepzibah Marl is 36 years old.\n\nToma waits on the quay.",
        ),
    },
    ready: async (page) => {
      await openDrift(page, "Hepzibah");
      await expect(page.getByRole("link", { name: "Open the message" })).toBeVisible();
    },
  },
  {
    name: "drift, a long message and the time of the canon",
    hash: DRIFT,
    writes: true,
    world: {
      before: (home) =>
        messageAgainst(
          home,
          `Hepzibah Marl is a smith. She is 34 years old.\n\n${LONG}`,
          `Hepzibah Marl is sitting on the steps. She is 36 years old.\n\n${LONG}`,
        ),
    },
    ready: async (page, core) => {
      await seedKnowers(core);
      await open(page, DRIFT);
      await openDrift(page, "Hepzibah");
      await choose(page, "Both, at different times");
      await page.getByRole("textbox", { name: "The canon holds" }).fill("300 – 301");
      await expect(region(page).getByText(/301 after the Drowning/)).toBeVisible();
    },
  },
  {
    name: "drift, a claim",
    hash: DRIFT,
    ready: async (page) => {
      await expect(region(page).getByRole("button", { name: "Take the claim" })).toBeVisible();
      await expect(page.getByRole("link", { name: "Open the conversation" })).toBeVisible();
    },
  },
  {
    name: "drift, two claims",
    hash: DRIFT,
    writes: true,
    ready: async (page, core) => {
      await write(core, "Hepzibah Marl is 34 years old.");
      await writeAsClient(core, "Hepzibah Marl is 36 years old.");
      await setFact(core, "Anselm Rook", "eyes", "grey");
      await claim(core, "Anselm Rook", "eyes", "green");
      await claim(core, "Anselm Rook", "eyes", "blue");
      await open(page, DRIFT);
      await openDrift(page, "Anselm Rook");
      await expect(region(page).getByRole("button", { name: "Take the claim" })).toHaveCount(2);
    },
  },
  {
    name: "drift, error",
    hash: DRIFT,
    faults: "fail=list_drifts",
    ready: async (page) => expect(page.getByRole("alert")).toBeVisible(),
  },
];
