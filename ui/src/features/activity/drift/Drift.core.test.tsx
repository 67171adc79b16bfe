import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { ask } from "../../../../../e2e/lib/app.mjs";
import type { DriftPage, FactView } from "../../../ipc/bindings.gen";
import { driftsOf, idOfText, setFact, withoutClaim, write, writeAsClient } from "../../../testing/drifts";
import { WORLD } from "../../../testing/fixtures/folders";
import { type Core, contentOf, detailOf, type Opened, openWindow, type World } from "../../../testing/open";
import { addCalendar, subject } from "../../../testing/story";

const DRIFT = "/activity?page=drift";
const CANON = "Hepzibah Marl is 34 years old.";
const STATEMENT = "Hepzibah Marl is 36 years old.";

/** Opens the window on a folder in which nothing waits yet. */
const openInbox = (address: string, world: World = {}) =>
  openWindow(address, {
    ...world,
    before: async (home) => {
      await withoutClaim(home);
      await world.before?.(home);
    },
  });

const inbox = () => screen.findByRole("listbox", { name: "Contradictions" });
const rows = async () => within(await inbox()).getAllByRole("option");
const region = () => screen.findByRole("region", { name: "The contradiction" });
const detail = async () => within(await region());
const decide = async (user: Opened["user"], name: string) =>
  user.click(await (await detail()).findByRole("button", { name }));

/** A text of the worldbuilder and one of an AI client against it. */
async function drifted(core: Core, canon = CANON, statement = STATEMENT) {
  const id = await write(core, canon);
  await writeAsClient(core, statement);
  await waitFor(async () => expect((await driftsOf(core)).length).toBeGreaterThan(0));
  return { canon: id, statement: await idOfText(core, statement) };
}

const decisionsOf = async (core: Core) => (await driftsOf(core)).map((it) => it.decision);
const isForgotten = async (core: Core, id: string) => (await detailOf(core, id)).row.forgottenAt !== null;
const factOf = async (core: Core, category: string) => {
  const request = { category, asOf: null, within: null, calendar: null, lens: null, after: null, limit: 1 };
  return (await core.call<{ rows: FactView[] }>("list_facts", { request })).rows[0];
};

test("without a contradiction the tab says what leads to one", async () => {
  const { user } = await openInbox(DRIFT);
  await screen.findByText("Nothing contradicts your canon");
  expect(screen.getByRole("tab", { name: "Contradictions" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Go to Memory" }));
  await screen.findByRole("grid", { name: "Memories" });
});

test("contradictions come in while the list is open, are counted, and show both sides with their words marked", async () => {
  const { core } = await openInbox(DRIFT);
  await screen.findByText("Nothing contradicts your canon");
  await setFact(core, "Anselm Rook", "eyes", "grey");
  const { canon } = await drifted(core);
  await writeAsClient(core, "Anselm Rook has green eyes.");
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  await screen.findByRole("tab", { name: /Contradictions\s*, 2 open contradictions/ });
  const [newest, oldest] = await rows();
  expect(newest?.textContent).toContain("Anselm Rook, eyes: grey");
  expect(oldest?.textContent).toContain(`Canon: ${CANON}Statement: ${STATEMENT}`);
  expect((await region()).textContent).toContain("Set by you");
  expect((await region()).querySelector("mark")?.textContent).toContain("grey");
  oldest?.click();
  await waitFor(async () => expect((await region()).textContent).toContain("Written by you"));
  const shown = await region();
  expect(shown.textContent).toContain("Channel: harbour-guilds");
  expect(shown.textContent).toContain("Written by Claude Desktop");
  const marks = [...shown.querySelectorAll("mark")].map((mark) => mark.textContent);
  expect(marks).toEqual(["differs 34", "differs 36"]);
  const links = within(shown).getAllByRole("link", { name: "Open the memory" });
  expect(links[0]?.getAttribute("href")).toContain(canon);
});

test("if the canon stands the statement is forgotten, and undo brings it back", async () => {
  const { user, core } = await openInbox(DRIFT);
  await drifted(core, "Toma Reed is a smith.", "Toma Reed is a baker.");
  const { statement } = await drifted(core);
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  (await detail()).getByText("The statement is forgotten. It can be restored.");
  (await inbox()).focus();
  await user.keyboard("s");
  await screen.findByText("The canon stands. The statement is forgotten.");
  expect(await isForgotten(core, statement)).toBe(true);
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  // The next one is open, and the keys go on working.
  await waitFor(async () => expect((await region()).textContent).toContain("Toma Reed is a"));
  expect(document.activeElement).toBe(await inbox());
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await screen.findByText("Undone. The contradiction stays settled.");
  expect(await isForgotten(core, statement)).toBe(false);
  expect(await rows()).toHaveLength(1);
});

test("the canon changes to what the statement says, after its words are shown", async () => {
  const { user, core } = await openInbox(DRIFT);
  const { canon } = await drifted(core);
  await decide(user, "Canon changes");
  const changes = await screen.findByRole("region", { name: "What would change" });
  expect(changes.querySelector("del")?.textContent).toBe("removed 34");
  expect(changes.querySelector("ins")?.textContent).toBe("added 36");
  await user.click(screen.getByRole("button", { name: "Change the canon" }));
  await screen.findByText("The canon is changed.");
  expect(await contentOf(core, canon)).toBe(STATEMENT);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await contentOf(core, canon)).toBe(CANON));
});

test("a canon that says more than the statement needs its new text, and what is typed stays", async () => {
  const { user, core, transport } = await openInbox(DRIFT);
  const { canon } = await drifted(core, `${CANON} She keeps geese.`);
  await decide(user, "Canon changes");
  await user.click(await screen.findByRole("button", { name: "Change the canon" }));
  await (await detail()).findByText(/the canon says more than this; give its new text/i);
  expect(await decisionsOf(core)).toEqual([null]);
  await user.click(screen.getByRole("button", { name: "Begin with the canon" }));
  await screen.findByText("Nothing yet: this is the canon as it is.");
  const box = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "New text of the canon" });
  await user.clear(box);
  await user.type(box, "Hepzibah Marl is 36. She keeps geese.");
  await user.click(screen.getByRole("tab", { name: /^Runs/ }));
  await user.click(screen.getByRole("tab", { name: /^Contradictions/ }));
  await decide(user, "Canon changes");
  await user.click(await screen.findByRole("button", { name: "Change the canon" }));
  await waitFor(async () =>
    expect(await contentOf(core, canon)).toBe("Hepzibah Marl is 36. She keeps geese."),
  );
  expect(transport.callsOf("settle_drift").map((it) => it.settlement)).toEqual([
    { kind: "canon_changes", text: null },
    { kind: "canon_changes", text: "Hepzibah Marl is 36. She keeps geese." },
  ]);
});

test("both hold at different times, which are read while they are typed, and one undo takes both back", async () => {
  const { user, core } = await openInbox(DRIFT);
  await addCalendar(core);
  const { canon, statement } = await drifted(core);
  await decide(user, "Both, at different times");
  const holds = (side: string) => screen.findByRole("textbox", { name: `The ${side} holds` });
  await waitFor(async () => expect(document.activeElement).toBe(await holds("canon")));
  await user.type(await holds("canon"), "812");
  await (await detail()).findByText("812 Anno Domini");
  await user.type(await holds("statement"), "812 – 814");
  await user.click(screen.getByRole("button", { name: "Set the times" }));
  await (await detail()).findByText(/the two times overlap/i);
  expect((await holds("statement")).getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(await holds("statement"));
  await user.clear(await holds("statement"));
  await user.type(await holds("statement"), "814");
  await user.click(screen.getByRole("button", { name: "Set the times" }));
  await screen.findByText("Both hold, each at its own time.");
  const times = async () => {
    const both = await Promise.all([canon, statement].map((id) => detailOf(core, id)));
    return both.map((it) => it.storyTime?.text ?? null);
  };
  expect(await times()).toEqual(["812 Anno Domini", "814 Anno Domini"]);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await times()).toEqual([null, null]));
});

test("without a calendar the way to one is shown, and nothing can be sent", async () => {
  const { user, core } = await openInbox(DRIFT);
  await drifted(core);
  await decide(user, "Both, at different times");
  expect(await screen.findByRole("link", { name: "Add a calendar" })).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Set the times" }).disabled).toBe(true);
});

test("what somebody believes is known by those who are named", async () => {
  const { user, core } = await openInbox(DRIFT);
  await subject(core, "Toma", "character");
  const { statement } = await drifted(core);
  await decide(user, "Somebody believes this");
  await user.click(await screen.findByRole("button", { name: "Only they know it" }));
  await (await detail()).findByText(/say who believes it/i);
  await user.click(screen.getByRole("button", { name: "Add who knows" }));
  await user.click(await screen.findByRole("option", { name: "Toma" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Only they know it" }));
  await screen.findByText("Only those you named know the statement.");
  expect((await detailOf(core, statement)).knownBy.map(({ name }) => name)).toEqual(["Toma"]);
});

test("what is dismissed is listed among the settled ones, with the decision", async () => {
  const { user, core } = await openInbox(DRIFT);
  await drifted(core);
  await decide(user, "Not a contradiction");
  await screen.findByText("Settled. Nothing is changed.");
  await screen.findByText("Nothing contradicts your canon");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  await user.click(screen.getByRole("combobox", { name: "State" }));
  await user.click(await screen.findByRole("option", { name: "Settled" }));
  (await detail()).getByRole("heading", { name: "Not a contradiction" });
  expect((await region()).textContent).toContain("Nothing was changed.");
  expect((await detail()).queryByRole("link", { name: "See the change" })).toBeNull();
  expect((await detail()).queryByRole("heading", { name: "Your decision" })).toBeNull();
});

test("a settled one leads to the change that carried it out", async () => {
  const { user, core, router } = await openInbox("/activity?page=tasks");
  const { statement } = await drifted(core);
  const [drift] = await driftsOf(core);
  await core.call("settle_drift", { id: drift?.id, settlement: { kind: "canon_stands" } });
  for (let n = 0; n < 3; n += 1) await write(core, `Gull ${n} sits on the post.`);
  await router.navigate({ to: "/activity", search: { page: "drift", drift: "settled" } });
  (await detail()).getByRole("heading", { name: "Canon stands" });
  expect((await region()).textContent).toContain("It is forgotten.");
  await user.click((await detail()).getByRole("link", { name: "See the change" }));
  const changes = within(await screen.findByRole("region", { name: "Changes" }));
  await waitFor(() => {
    const [pointedAt, ...others] = changes
      .getAllByRole("listitem")
      .filter((row) => row.getAttribute("aria-current") === "true");
    expect(others).toEqual([]);
    expect(
      within(pointedAt as HTMLElement)
        .getByRole("link")
        .getAttribute("href"),
    ).toContain(statement);
  });
});

test("a fact against canon is removed if the canon stands, and undo sets it again", async () => {
  const { user, core } = await openInbox(DRIFT);
  await write(core, "Anselm Rook has grey eyes.");
  await setFact(core, "Anselm Rook", "eyes", "green");
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  (await detail()).getByText("Anselm Rook, eyes");
  (await detail()).getByText(/The fact that states otherwise is removed/);
  await decide(user, "Canon stands");
  await screen.findByText("The canon stands. The fact is removed.");
  expect(await factOf(core, "Anselm Rook")).toBeUndefined();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect((await factOf(core, "Anselm Rook"))?.value).toBe("green"));
});

test("the value of a fact is changed in a field of its own", async () => {
  const { user, core } = await openInbox(DRIFT);
  await setFact(core, "Anselm Rook", "eyes", "grey");
  await writeAsClient(core, "Anselm Rook has green eyes.");
  await decide(user, "Canon changes");
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "New value of the canon" });
  expect(field.value).toBe("grey");
  // A sentence is no value, so the core asks for one.
  await user.click(screen.getByRole("button", { name: "Change the canon" }));
  await screen.findByRole("alert");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  await user.clear(field);
  await user.type(field, "green{Enter}");
  await waitFor(async () => expect((await factOf(core, "Anselm Rook"))?.value).toBe("green"));
});

test("what the core refuses for a side is said at the field, and nothing is lost", async () => {
  const { user, core } = await openInbox(DRIFT);
  await addCalendar(core);
  // What is in the account belongs to no story.
  await write(core, CANON, { scope: "account" });
  await writeAsClient(core, STATEMENT);
  await decide(user, "Both, at different times");
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "The canon holds" });
  await user.type(field, "812");
  await (await detail()).findByText("812 Anno Domini");
  await user.type(screen.getByRole("textbox", { name: "The statement holds" }), "814");
  await user.click(screen.getByRole("button", { name: "Set the times" }));
  await screen.findByRole("alert");
  expect(field.value).toBe("812");
  expect(await decisionsOf(core)).toEqual([null]);
});

test("a long text is shown whole on request, so that the decisions stay in sight", async () => {
  const { user, core } = await openInbox(DRIFT);
  await drifted(core, `${CANON}\n\n${"She keeps geese behind the rope walk. ".repeat(30)}`);
  const more = await (await detail()).findByRole("button", { name: "Show the whole text" });
  expect(more.getAttribute("aria-expanded")).toBe("false");
  await user.click(more);
  expect((await detail()).getByRole("button", { name: "Show less" })).toBe(more);
});

test("a side that is changed elsewhere leaves nothing to decide", async () => {
  const { user, core } = await openInbox(DRIFT);
  const { statement } = await drifted(core);
  await rows();
  await core.edit(statement, "Hepzibah Marl keeps geese.");
  await screen.findByText("Nothing contradicts your canon");
  await user.click(screen.getByRole("combobox", { name: "State" }));
  await user.click(await screen.findByRole("option", { name: "Out of date" }));
  (await detail()).getByRole("heading", { name: "No longer a contradiction" });
  (await detail()).getByText("It changed after they were compared. This is its text now.");
});

test("while a side is known to be changed nothing can be decided, and a button looks again", async () => {
  const { user, core, transport } = await openInbox("/activity?page=tasks");
  await drifted(core);
  transport.change("list_drifts", ({ rows, ...rest }: DriftPage) => ({
    ...rest,
    rows: rows.map((it) => ({ ...it, statement: { ...it.statement, changedSince: true } })),
  }));
  await user.click(screen.getByRole("tab", { name: /^Contradictions/ }));
  await (await detail()).findByText(/A side changed after they were compared/);
  expect((await rows())[0]?.textContent).toContain("changed since");
  const stands = (await detail()).getByRole<HTMLButtonElement>("button", { name: "Canon stands" });
  expect(stands.disabled).toBe(true);
  await user.keyboard("s");
  expect(transport.callsOf("settle_drift")).toEqual([]);
  transport.unchange("list_drifts");
  await user.click((await detail()).getByRole("button", { name: "Check again" }));
  await waitFor(() => expect(stands.disabled).toBe(false));
});

test("a link to one that is not in the list says so and leads to all of them", async () => {
  const { user, core, router } = await openInbox(DRIFT);
  await drifted(core, "Toma Reed is a smith.", "Toma Reed is a baker.");
  await drifted(core);
  const [first] = await driftsOf(core);
  await core.call("settle_drift", { id: first?.id, settlement: { kind: "dismiss" } });
  await router.navigate({ to: "/activity", search: { page: "drift", id: first?.id } });
  await screen.findByText("This contradiction is not in the list");
  await user.click(screen.getByRole("button", { name: "All" }));
  await (await detail()).findByRole("heading", { name: "Not a contradiction" });
  expect(await rows()).toHaveLength(2);
});

test("in a folder that cannot be written contradictions are read, and nothing is decided", async () => {
  const { user, transport } = await openInbox(DRIFT, {
    readOnly: true,
    before: async (home) => {
      const inWorld = (...args: string[]) => ask(home, "--workspace", WORLD, ...args);
      await inWorld("memory", "add", CANON, "--scope", "workspace");
      await inWorld("memory", "add", STATEMENT, "--scope", "channel");
      await inWorld("drift", "list");
    },
  });
  const stands = await (await detail()).findByRole<HTMLButtonElement>("button", { name: "Canon stands" });
  expect(stands.disabled).toBe(true);
  await user.keyboard("s");
  expect(transport.callsOf("settle_drift")).toEqual([]);
});

test("a list that cannot be read says so and is read again", async () => {
  const { user, transport } = await openInbox(DRIFT, { failing: ["list_drifts"] });
  await screen.findByRole("alert");
  transport.failing.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Nothing contradicts your canon");
});
