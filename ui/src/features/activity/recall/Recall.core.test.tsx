import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { cli } from "../../../../../e2e/lib/app.mjs";
import type { RecallTestRequest, RecallTestView, RunPage } from "../../../ipc/bindings.gen";
import { HARBOUR, idOf, MARGUERITE, SALTMERE } from "../../../testing/fixtures/ids";
import { type Core, detailOf, openWindow } from "../../../testing/open";
import { subject } from "../../../testing/story";

const HERONS = idOf(16);
const list = () => screen.findByRole("list", { name: "Recall tests" });
const tests = async () => {
  const rows = (await list()).children;
  return [...rows].map((row) => within(row as HTMLElement));
};
const dialog = async () => within(await screen.findByRole("dialog", { name: "Add a recall test" }));

const request = (question: string, patch: Partial<RecallTestRequest> = {}): RecallTestRequest => ({
  question,
  come: [],
  stayAway: [],
  lens: null,
  channelId: null,
  budget: null,
  ...patch,
});
const add = (core: Core, request: RecallTestRequest) =>
  core.call<RecallTestView>("add_recall_test", { request });
const added = async (core: Core) => (await core.call<RecallTestView[]>("list_recall_tests")).length;

test("without a test the tab says what one is for, and its button begins one", async () => {
  const { user } = await openWindow("/activity?page=recall");
  await screen.findByText("No recall test yet");
  await user.click(screen.getByRole("button", { name: "Add test…" }));
  const box = await dialog();
  expect(box.getByRole<HTMLButtonElement>("button", { name: "Add and run" }).disabled).toBe(true);
});

test("a test is added with what must come up and what must not, and its result is shown", async () => {
  const { user, core } = await openWindow("/activity?page=recall");
  await subject(core, "Toma", "character");
  await user.click(await screen.findByRole("button", { name: "Add test…" }));
  const box = await dialog();
  await user.type(box.getByRole("textbox", { name: "Question" }), "Who keeps the light at Corrow Head?");
  const choose = async (group: string, words: string, option: RegExp) => {
    const field = within(box.getByRole("group", { name: group }));
    await user.click(field.getByRole("button", { name: "Add a memory or a fact" }));
    await user.type(await screen.findByPlaceholderText("Find it by its words"), words);
    await user.click(await screen.findByRole("option", { name: option }));
  };
  await choose("Must come up", "Marguerite lighthouse", /Marguerite Vane has kept/);
  await choose("Must not come up", "Herons", /Herons are unlucky/);
  await user.click(box.getByRole("combobox", { name: "In channel" }));
  await user.click(await screen.findByRole("option", { name: /harbour/i }));
  await user.click(box.getByRole("button", { name: "Asked as: Anybody" }));
  const popup = within(await screen.findByRole("dialog", { name: "Show what somebody knows" }));
  await user.click(popup.getByRole("button", { name: "As: Anybody" }));
  await user.click(await screen.findByRole("option", { name: "Toma" }));
  await user.click(popup.getByRole("button", { name: "Set" }));
  await box.findByRole("button", { name: "Asked as: As Toma" });
  await user.click(box.getByRole("button", { name: "Add and run" }));
  const [only] = await tests();
  expect(only?.getByRole("heading", { name: "Who keeps the light at Corrow Head?" })).toBeTruthy();
  expect(only?.getByText(/As Toma/)).toBeTruthy();
  expect(only?.getByText(/#harbour/)).toBeTruthy();
  expect(only?.getByText("Must come up")).toBeTruthy();
  expect(only?.getByText("Must not come up")).toBeTruthy();
  expect(only?.getByRole("link", { name: /Marguerite Vane/ }).getAttribute("href")).toContain(MARGUERITE);
  const [stored] = await core.call<RecallTestView[]>("list_recall_tests");
  expect(stored?.channelId).toBe(HARBOUR);
  expect(stored?.expects.map(({ id, must }) => [id, must])).toEqual([
    [MARGUERITE, "come"],
    [HERONS, "stay_away"],
  ]);
});

test("what the core refuses is shown at the question, and nothing is lost", async () => {
  const { user, core } = await openWindow(`/memory?id=${SALTMERE}`);
  await screen.findByRole("article");
  await user.click(
    within(await screen.findByRole("region", { name: "The memory" })).getByLabelText("More actions"),
  );
  await user.click(await screen.findByRole("menuitem", { name: "Must come up for…" }));
  const box = await dialog();
  const question = box.getByRole<HTMLInputElement>("textbox", { name: "Question" });
  await user.click(question);
  await user.paste("Where is \u202eSaltmere?");
  await user.click(box.getByRole("button", { name: "Add and run" }));
  await box.findByRole("alert");
  expect(question.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(question);
  expect(await added(core)).toBe(0);
  await user.clear(question);
  expect(box.queryByRole("alert")).toBeNull();
  await user.type(question, "Where is Saltmere?");
  await user.click(box.getByRole("button", { name: "Add and run" }));
  await screen.findByText("Test added. It passes.");
  await user.click(screen.getByRole("button", { name: "See the tests" }));
  expect(await tests()).toHaveLength(1);
});

test("a hit of a search becomes a test of what was searched for", async () => {
  const { user } = await openWindow("/memory?q=harbour%20town");
  await user.click((await screen.findAllByText(/drowned coast/))[0] as HTMLElement);
  await user.click(await screen.findByRole("button", { name: "Must come up for this question…" }));
  const box = await dialog();
  expect(box.getByRole<HTMLInputElement>("textbox", { name: "Question" }).value).toBe("harbour town");
  expect(within(box.getByRole("list", { name: "Must come up" })).getAllByRole("listitem")).toHaveLength(1);
});

test("a test fails once its memory is forgotten, with the rule in words, and is counted on the tab", async () => {
  // A model that becomes ready in between would run the tests itself, and be what turned this one.
  const { user, core } = await openWindow("/activity?page=recall", { meaning: true });
  await add(core, request("Where do the lower doors open?", { come: [SALTMERE] }));
  await add(core, request("Marguerite Vane and her lighthouse", { come: [MARGUERITE] }));
  await screen.findByText("2 of 2 passed");
  await core.call("forget_memories", { ids: [SALTMERE] });
  await user.click(screen.getByRole("button", { name: "Run all" }));
  await screen.findByText("1 of 2 passed");
  // The newest is first.
  const failed = (await tests())[1];
  expect(failed?.getByText("Failed")).toBeTruthy();
  expect(failed?.getByText("It is forgotten.")).toBeTruthy();
  expect(failed?.getByText(/^Passed until the run of /)).toBeTruthy();
  expect(failed?.queryByRole("button", { name: "Undo this run" })).toBeNull();
  expect(await screen.findByRole("tab", { name: /Recall\s*, 1 test failed/ })).toBeTruthy();
  await core.call("restore_memories", { ids: [SALTMERE] });
  await user.click(screen.getByRole("button", { name: "Run the test “Where do the lower doors open?”" }));
  await screen.findByText("2 of 2 passed");
});

test("what comes up and must not is a failure, with its rank", async () => {
  const { core } = await openWindow("/activity?page=recall");
  await add(core, request("the harbour town on the drowned coast", { stayAway: [SALTMERE] }));
  const [only] = await tests();
  await only?.findByText("It is shown.");
  expect(only?.getByText("Not as expected:")).toBeTruthy();
  expect(only?.getByText(/Rank 1\b/)).toBeTruthy();
});

test("a run that turned a test is taken back from there", async () => {
  const { user, core, transport } = await openWindow("/activity?page=recall");
  await add(core, request("Are herons lucky?", { come: [HERONS] }));
  await core.call("run_consolidation");
  await waitFor(async () => expect((await detailOf(core, HERONS)).row.lifetime).toBe("long_term"));
  const { rows } = await core.call<RunPage>("list_runs", { after: null, limit: 1 });
  const turned = { at: "2026-05-03T10:00:00Z", by: "consolidation", runId: rows[0]?.id };
  transport.change("list_recall_tests", (all: RecallTestView[]) =>
    all.map((it) => ({ ...it, passed: false, turned })),
  );
  await user.click(screen.getByRole("tab", { name: /^Background work/ }));
  await user.click(screen.getByRole("tab", { name: /^Recall/ }));
  await add(core, request("Which birds are unlucky?", { come: [HERONS] }));
  await waitFor(async () => expect(await tests()).toHaveLength(2));
  await screen.findAllByText(/^Passed before the tidying of Sunday, May 3, 2026/);
  await user.click(screen.getAllByRole("button", { name: "Undo this run" })[0] as HTMLElement);
  const sure = within(await screen.findByRole("alertdialog", { name: "Undo this run?" }));
  await user.click(sure.getByRole("button", { name: "Undo this run" }));
  await screen.findByText(/as (it was|they were) before\./);
  expect((await detailOf(core, HERONS)).row.lifetime).toBe("short_term");
});

test("a test is removed once that is confirmed", async () => {
  const { user, core } = await openWindow("/activity?page=recall");
  await add(core, request("Marguerite Vane and her lighthouse", { come: [MARGUERITE] }));
  await user.click(
    await screen.findByRole("button", { name: "Remove the test “Marguerite Vane and her lighthouse”" }),
  );
  const sure = within(await screen.findByRole("alertdialog", { name: "Remove this test?" }));
  await user.click(sure.getByRole("button", { name: "Remove the test" }));
  await screen.findByText("No recall test yet");
  expect(await added(core)).toBe(0);
});

test("facts are found by their words, too", async () => {
  const { user, core } = await openWindow("/activity?page=recall");
  await user.click(await screen.findByRole("button", { name: "Add test…" }));
  const box = await dialog();
  await user.type(box.getByRole("textbox", { name: "Question" }), "What is the price of oil?");
  const field = within(box.getByRole("group", { name: "Must come up" }));
  await user.click(field.getByRole("button", { name: "Add a memory or a fact" }));
  const { rows } = await core.call<{ rows: { id: string; key: string }[] }>("list_facts", {
    request: { category: null, asOf: null, within: null, calendar: null, lens: null, after: null, limit: 1 },
  });
  const fact = rows[0] as { id: string; key: string };
  await user.type(await screen.findByPlaceholderText("Find it by its words"), fact.key);
  const facts = within(await screen.findByRole("group", { name: "Facts" }));
  await user.click(facts.getAllByRole("option")[0] as HTMLElement);
  await user.click(box.getByRole("button", { name: "Add and run" }));
  const [only] = await tests();
  expect(only?.getByText("Fact")).toBeTruthy();
  expect(only?.queryByRole("link")).toBeNull();
});

test("in a folder that cannot be written tests are run, and neither added nor removed", async () => {
  const { user, transport } = await openWindow("/activity?page=recall", {
    readOnly: true,
    before: async (home) => {
      const { code } = await cli(home, ["recall", "add", "Where is Saltmere?", "--expect", SALTMERE]);
      expect(code).toBe(0);
    },
  });
  await user.click(await screen.findByRole("button", { name: "Run the test “Where is Saltmere?”" }));
  await waitFor(() => expect(transport.callsOf("run_recall_tests")).toHaveLength(1));
  await screen.findByText("1 of 1 passed");
  const isDisabled = (name: RegExp) => screen.getByRole<HTMLButtonElement>("button", { name }).disabled;
  expect(isDisabled(/^Add test/)).toBe(true);
  expect(isDisabled(/^Remove the test/)).toBe(true);
  await user.keyboard("n");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a list that cannot be read says so and is read again", async () => {
  const { user, transport } = await openWindow("/activity?page=recall", { failing: ["list_recall_tests"] });
  await screen.findByRole("alert");
  transport.failing.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("No recall test yet");
});
