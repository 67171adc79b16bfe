import type { Page } from "@playwright/test";
import type { RecallTestRequest, RecallTestView } from "../../src/ipc/bindings.gen";
import { HARBOUR, idOf, MARGUERITE, SALTMERE } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";
import { seedKnowers } from "./lensViews";
import { detail, expect, type View } from "./support";

/** The council, which only some know of. */
const SECRET = idOf(12);
const HERONS = idOf(16);

const RECALL = "/activity?page=recall";

const add = (core: Core, question: string, patch: Partial<RecallTestRequest>) =>
  core.call<RecallTestView>("add_recall_test", {
    request: { question, come: [], stayAway: [], lens: null, channelId: null, budget: null, ...patch },
  });

/** Tests that pass and tests that fail, one of them turned by a run. */
const seedTests = async (core: Core) => {
  await seedKnowers(core);
  const lens = { knower: "Toma", at: "The Long Ebb" };
  await add(core, "Why are herons unlucky?", { come: [HERONS] });
  await add(core, "What burns green in the windows of Saltmere?", { stayAway: [SECRET], lens });
  await add(core, "Who keeps the lighthouse at Corrow Head, and did she ever go on a ship?", {
    come: [MARGUERITE, SALTMERE],
    channelId: HARBOUR,
  });
  await add(core, "What is the harbour town built on?", { stayAway: [SALTMERE] });
  await core.call("forget_memories", { ids: [HERONS], note: null });
  await core.call("run_recall_tests", { ids: [] });
};

const dialog = (page: Page) => page.getByRole("dialog", { name: "Add a recall test" });

/** The views of recall tests, for the walk through all views. */
export const RECALL_VIEWS: View[] = [
  {
    name: "recall, none",
    hash: RECALL,
    ready: async (page) => expect(page.getByText("No recall test yet")).toBeVisible(),
  },
  {
    name: "recall, tests",
    hash: RECALL,
    seed: seedTests,
    ready: async (page) => {
      await page.evaluate(() => {
        window.transport.change("list_recall_tests", (tests: RecallTestView[]) =>
          tests.map((test) => {
            if (test.turned === null) return test;
            return { ...test, turned: { at: "2026-05-03T09:12:00Z", by: "consolidation", runId: "a" } };
          }),
        );
        return window.deliver("data-changed", { topic: "recall_tests" });
      });
      await expect(page.getByText("It is forgotten.")).toBeVisible();
      await expect(page.getByRole("button", { name: "Undo this run" })).toBeVisible();
    },
  },
  {
    name: "recall, a new test",
    hash: `/memory?id=${SALTMERE}`,
    seed: seedKnowers,
    inView: "Add and run",
    ready: async (page) => {
      await detail(page).getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Must come up for…" }).click();
      await dialog(page).getByRole("textbox", { name: "Question" }).fill("What is the town built on?");
      await dialog(page).getByRole("button", { name: "Asked as: Anybody" }).click();
      await page.getByRole("button", { name: "As: Anybody", exact: true }).click();
      await page.getByRole("option", { name: "Toma" }).click();
      await page.getByRole("button", { name: "Set", exact: true }).click();
      await expect(dialog(page).getByText("As Toma")).toBeVisible();
    },
  },
  {
    name: "recall, choosing what must not come up",
    hash: RECALL,
    ready: async (page) => {
      await page.getByRole("button", { name: "Add test…" }).click();
      const away = dialog(page).getByRole("group", { name: "Must not come up" });
      await away.getByRole("button", { name: "Add a memory or a fact" }).click();
      await page.keyboard.type("harbour");
      await expect(page.getByRole("option").first()).toBeVisible();
    },
  },
  {
    name: "recall, error",
    hash: RECALL,
    faults: "fail=list_recall_tests",
    ready: async (page) => expect(page.getByRole("alert")).toBeVisible(),
  },
];
