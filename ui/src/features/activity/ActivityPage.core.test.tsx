import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { grant } from "../../../../e2e/lib/mcp.mjs";
import type { ConsolidationPreview, RunPage, RunView, TaskView } from "../../ipc/bindings.gen";
import { deliver } from "../../ipc/mock";
import { asClient } from "../../testing/client";
import { messageAgainst, withoutClaim } from "../../testing/drifts";
import { idOf, MARGUERITE } from "../../testing/fixtures/ids";
import { contentOf, detailOf, type Opened, openWindow } from "../../testing/open";

const HERONS = idOf(16);
const inbox = () => screen.findByRole("listbox", { name: "Proposals" });
const rows = async () => within(await inbox()).getAllByRole("option");
const proposal = () => screen.findByRole("region", { name: "The proposal" });
const changed = (topic: string) => deliver("data-changed", { topic });
const pick = async (user: Opened["user"], words: string) => {
  const row = (await rows()).find((it) => it.textContent?.includes(words));
  await user.click(row as HTMLElement);
};

test("open proposals and contradictions are counted in the navigation", async () => {
  await openWindow("/activity");
  const name = /Activity\s*, 5 open proposals\s*, 1 open contradiction$/;
  expect((await screen.findByRole("link", { name })).textContent).toMatch(/^Activity6/);
  expect(screen.getByRole("tab", { name: /Proposals\s*, 5 open proposals/ })).toBeTruthy();
});

test("a change is shown word by word, and invisible additions and removals are named", async () => {
  await openWindow("/activity");
  const detail = await proposal();
  expect(within(detail).getByText("thirty-one", { selector: "del *" })).toBeTruthy();
  const marks = within(detail).getByRole("region", { name: "Check these" });
  expect(marks.textContent).toContain("Lostnumber “thirty-one”negation “never once”");
  expect(marks.textContent).toContain("Addedname “Inner”name “Fenwick”number “thirty-two”");
});

test("a proposal is accepted with one key, the next one is selected, and undo restores the text", async () => {
  const { user, core } = await openWindow("/activity");
  await proposal();
  (await inbox()).focus();
  await user.keyboard("a");
  await waitFor(async () => expect(await contentOf(core, MARGUERITE)).toContain("thirty-two"));
  await waitFor(async () => expect(await rows()).toHaveLength(4));
  expect((await proposal()).textContent).toContain("Contradiction");
  expect(document.activeElement).toBe(await inbox());
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await contentOf(core, MARGUERITE)).toContain("thirty-one"));
  // It was decided; what is taken back is what came of it.
  expect(await rows()).toHaveLength(4);
});

test("the proposed text can be replaced by one's own, which is kept while another proposal is open", async () => {
  const { user, core } = await openWindow("/activity");
  await user.click(within(await proposal()).getByRole("button", { name: "Edit and accept" }));
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "The text as you want it" });
  await user.clear(box);
  await user.type(box, "She has kept the light for thirty-three years.");
  await pick(user, "Coin of the coast");
  await pick(user, "Marguerite");
  await user.click(await screen.findByRole("button", { name: "Accept this text" }));
  await waitFor(async () =>
    expect(await contentOf(core, MARGUERITE)).toBe("She has kept the light for thirty-three years."),
  );
});

test("a proposal whose entry changed cannot be accepted, and the reason is shown", async () => {
  const { user, transport } = await openWindow("/activity");
  await pick(user, "swears on rope");
  const detail = await proposal();
  expect(detail.textContent).toContain("changed after this was proposed");
  expect(within(detail).getByRole<HTMLButtonElement>("button", { name: "Accept" }).disabled).toBe(true);
  await user.keyboard("a");
  expect(transport.callsOf("decide_proposals")).toEqual([]);
  await user.click(within(detail).getByRole("button", { name: /^Reject/ }));
  await waitFor(async () => expect(await rows()).toHaveLength(4));
});

test("of two contradicting memories one or both are kept, and the removed one can be restored", async () => {
  const { user, core } = await openWindow("/activity");
  await pick(user, "bell of Saint Oriel");
  const detail = await proposal();
  expect(detail.querySelectorAll("mark").length).toBeGreaterThan(1);
  const forgotten = async () => {
    const both = await Promise.all([idOf(13), idOf(35)].map((id) => detailOf(core, id)));
    return both.filter((it) => it.forgotten).length;
  };
  await user.click(within(detail).getByRole("button", { name: "The older wins" }));
  await waitFor(async () => expect(await forgotten()).toBe(1));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await forgotten()).toBe(0));
});

test("a proposed account memory shows its place and its proposer, and is accepted or declined", async () => {
  const { user, core, router, transport } = await openWindow("/memory");
  await grant(core.home, "Cursor", { allow: ["account:read", "account:write"] });
  const content = "Wants each chapter about a king and a queen to open with a letter from a soldier.";
  await asClient(core, "Cursor", [["memory_put", { tier: "account", content }]]);
  await router.navigate({ to: "/activity" });
  await pick(user, "letter from a soldier");
  const detail = await proposal();
  expect(within(detail).getByRole("heading", { name: "New account memory" })).toBeTruthy();
  const text = within(detail).getByRole("region", { name: "What would be remembered" });
  expect(text.textContent).toContain("Suggested by Cursor");
  expect(text.textContent).toContain(
    "Wants each chapter about a king and a queen to open with a letter from a soldier.",
  );
  expect(within(detail).getByRole("button", { name: /^Reject/ })).toBeTruthy();
  await user.click(within(detail).getByRole("button", { name: "Accept" }));
  await waitFor(() => expect(transport.callsOf("decide_proposals")).toHaveLength(1));
  await waitFor(async () => expect(await rows()).toHaveLength(5));
});

test("several proposals are decided at once, and those that cannot be are reported", async () => {
  const { user } = await openWindow("/activity");
  await proposal();
  (await inbox()).focus();
  await user.keyboard("xjx");
  expect(await screen.findByText("2 selected")).toBeTruthy();
  await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Accept" }));
  expect(await screen.findByText("Accepted.")).toBeTruthy();
  expect(await screen.findByText(/One could not be decided/)).toBeTruthy();
});

test("previewing a consolidation changes nothing; running it shows progress and results", async () => {
  const { user, core } = await openWindow("/activity?page=runs");
  await user.click(await screen.findByRole("button", { name: "What would it do?" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText(/Herons are unlucky/)).toBeTruthy();
  expect((await detailOf(core, HERONS)).row.lifetime).toBe("short_term");
  await user.click(within(dialog).getByRole("button", { name: "Tidy now" }));
  const run = () => screen.getByRole("region", { name: "The run" });
  await waitFor(() => expect(run().textContent).toMatch(/^Tidying.*Herons are unlucky/));
  await waitFor(async () => expect((await detailOf(core, HERONS)).row.lifetime).toBe("long_term"));
  // So few memories are looked at in a moment: the window is told of a run that takes longer.
  const { rows } = await core.call<RunPage>("list_runs", { after: null, limit: 1 });
  const under: RunView = { ...(rows[0] as RunView), id: "another", state: "running", done: 4, total: 37 };
  await deliver("run-progress", { run: under, stage: "Reading what there is" });
  expect(await screen.findByRole("progressbar", { name: "Progress of the run" })).toBeTruthy();
});

test("a consolidation that would only propose contradictions can be run", async () => {
  const { user } = await openWindow("/activity?page=runs", {
    changes: {
      preview_consolidation: ({ counts }: ConsolidationPreview) => ({
        counts: { ...counts, promoted: 0, proposed: 1 },
        items: [],
      }),
    },
  });
  await user.click(await screen.findByRole("button", { name: "What would it do?" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("1 proposed to you")).toBeTruthy();
  expect(within(dialog).queryByText("Nothing: everything is tidy.")).toBeNull();
  const run = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Tidy now" });
  expect(run.disabled).toBe(false);
});

test("a run is reverted as a whole, except for entries changed since", async () => {
  const { user, core } = await openWindow("/activity?page=runs");
  await user.click(await screen.findByRole("button", { name: "Tidy now" }));
  const shown = () => screen.getByRole("region", { name: "The run" });
  // The run before it brought the same memory in.
  await waitFor(() => expect(shown().textContent).toMatch(/^Tidying.*Herons are unlucky/));
  await within(shown()).findByRole("button", { name: "Undo this run" });
  await core.edit(HERONS, "Herons are lucky.");
  await user.click(await within(shown()).findByRole("button", { name: "Undo this run" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Undo this run" }));
  expect(await within(shown()).findByText("1 memory is as it was before.")).toBeTruthy();
  expect(within(shown()).getByText("1 memory was changed since, and stays as it is:")).toBeTruthy();
  await waitFor(() => expect(within(shown()).queryByRole("button", { name: "Undo this run" })).toBeNull());
});

test("a running run can be cancelled", async () => {
  // Nothing is slow enough here: the window is told of a run that has more to look at, until it is cancelled.
  const { user, core, transport } = await openWindow("/activity?page=runs");
  const as = (state: RunView["state"]) => (page: RunPage) => ({
    ...page,
    rows: page.rows.map((run, n) =>
      n > 0 ? run : { ...run, task: "consolidate", state, done: 4, total: 37 },
    ),
  });
  await screen.findByRole("region", { name: "The run" });
  transport.change("list_runs", as("running"));
  await changed("runs");
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(transport.callsOf("cancel_run")).toHaveLength(1));
  transport.change("list_runs", as("cancelled"));
  const { rows } = await core.call<RunPage>("list_runs", { after: null, limit: 1 });
  await deliver("run-progress", { run: { ...rows[0], state: "cancelled" }, stage: "" });
  expect(await screen.findByText(/The run was cancelled/)).toBeTruthy();
});

test("every write is in the journal with its actor, can be filtered by it, and can be undone", async () => {
  const { user, core, transport } = await openWindow("/activity?page=changes");
  const journal = await screen.findByRole("region", { name: "Changes" });
  await asClient(core, "Claude Desktop", [["memory_update", { id: HERONS, content: "Herons left." }]]);
  await waitFor(() => {
    const newest = within(journal).getAllByRole("listitem")[0]?.textContent;
    expect(newest).toContain("the World Agent through an AI client");
    expect(newest).toContain("just now");
  });
  // All that a client wrote is taken back at once, where it is listed.
  const link = within(journal).getAllByRole("link", { name: "by an AI client" })[0];
  expect(link?.getAttribute("href")).toMatch(/^\/control\?part=clients&client=/);
  await core.edit(MARGUERITE, "She left.");
  const newest = () => within(journal).getAllByRole("listitem")[0] as HTMLElement;
  await waitFor(() => expect(newest().textContent).toContain("She left."));
  await user.click(within(newest()).getByRole("button", { name: /^Undo: 1 memory edited/ }));
  await waitFor(async () => expect(await contentOf(core, MARGUERITE)).toContain("lighthouse"));
  await user.click(screen.getByRole("combobox", { name: "By whom" }));
  await user.click(await screen.findByRole("option", { name: "By an import" }));
  await waitFor(() =>
    expect(transport.callsOf("list_changes").at(-1)).toMatchObject({ actorKind: "import" }),
  );
  expect((await screen.findAllByText(/imported/)).length).toBeGreaterThan(0);
  expect(screen.queryByText(/edited/)).toBeNull();
});

test("a task shows when it ran and with what result, and runs on request", async () => {
  const { user, transport } = await openWindow("/activity?page=tasks", {
    changes: {
      list_tasks: (tasks: TaskView[]) =>
        tasks.map((task) =>
          task.name === "summarise"
            ? { ...task, outcome: "failed", message: "The language model did not answer." }
            : task,
        ),
    },
  });
  const table = await screen.findByRole("table", { name: "Background work" });
  const row = within(table).getByRole("row", { name: /Summarise old turns/ });
  expect(row.textContent).toContain("FailedThe language model did not answer.");
  transport.unchange("list_tasks");
  const release = transport.hold("run_task");
  await user.click(within(row).getByRole("button", { name: /^Run now/ }));
  await waitFor(() => expect(row.textContent).toContain("Running"));
  release();
  await waitFor(() => expect(row.textContent).toContain("Done"));
});

test("a change names an entry that it wrote, and opens it", async () => {
  const { user, address, core } = await openWindow("/activity?page=changes");
  const journal = await screen.findByRole("region", { name: "Changes" });
  await core.edit(MARGUERITE, "She left for **the** [islands](https://example.invalid).");
  await user.click(await within(journal).findByRole("link", { name: "She left for the islands." }));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: { id: MARGUERITE } }));
});

test("initial entries are attributed to the program", async () => {
  await openWindow("/activity?page=changes", { folder: "empty" });
  const journal = await screen.findByRole("region", { name: "Changes" });
  await waitFor(() =>
    expect(within(journal).getAllByRole("listitem").at(-1)?.textContent).toMatch(
      /entr(y|ies) set up.*· Inklings/,
    ),
  );
});

test("a review says what it found, and the contradiction is counted in the navigation at once", async () => {
  const { user } = await openWindow("/activity?page=tasks", {
    before: async (home) => {
      await withoutClaim(home);
      await messageAgainst(home, "Hepzibah Marl is 34 years old.", "Hepzibah Marl is 36 years old.");
    },
  });
  await screen.findByRole("link", { name: /Activity\s*, 5 open proposals$/ });
  const title = "Look for contradictions and run the recall tests";
  const row = (await screen.findByRole("rowheader", { name: new RegExp(title) })).closest("tr");
  expect(row?.textContent).toContain("when there is work");
  await user.click(screen.getByRole("button", { name: `Run now: ${title}` }));
  await waitFor(() => expect(row?.textContent).toContain("1 contradiction was found."));
  await screen.findByRole("link", { name: /Activity\s*, 5 open proposals\s*, 1 open contradiction$/ });
});

test("a task that is due is shown as waiting, not as next just now", async () => {
  const { transport } = await openWindow("/activity?page=tasks");
  const due = (ms: number) => (tasks: TaskView[]) =>
    tasks.map((task) => ({ ...task, nextDueAt: new Date(Date.now() + ms).toISOString() }));
  const row = () => screen.getByRole("row", { name: /Summarise old turns/ });
  transport.change("list_tasks", due(3_600_000));
  await changed("runs");
  await waitFor(() => expect(row().textContent).toContain("in "));
  transport.change("list_tasks", due(-300_000));
  await changed("runs");
  await waitFor(() => expect(row().textContent).toContain("soon"));
  expect(row().textContent).not.toContain("just now");
});

test("an automatic run reports its changes, with a link to it", async () => {
  const { user, transport, address } = await openWindow("/memory");
  await screen.findByRole("grid", { name: "Memories" });
  const run = (id: string, more: Partial<RunView>): RunView => ({
    id,
    task: "consolidate",
    state: "done",
    trigger: "queue",
    startedAt: new Date().toISOString(),
    finishedAt: new Date(Date.now() + 1_000).toISOString(),
    done: 37,
    total: 37,
    counts: {
      scanned: 37,
      promoted: 3,
      faded: 8,
      merged: 0,
      rewritten: 0,
      created: 0,
      capped: 0,
      proposed: 0,
    },
    error: null,
    revertedAt: null,
    ...more,
  });
  // Nothing runs by itself in a folder of tests.
  transport.change("list_runs", (page: RunPage) => ({
    ...page,
    rows: [
      run("asked", { trigger: "asked" }),
      run("before", { finishedAt: new Date(Date.now() - 60_000).toISOString() }),
      run("new", {}),
      ...page.rows,
    ],
  }));
  await changed("runs");
  expect(await screen.findAllByText("Tidying: 3 kept for long and 8 faded.")).toHaveLength(1);
  await changed("runs");
  await user.click(screen.getByRole("button", { name: "See what it did" }));
  await waitFor(() => expect(address().search).toMatchObject({ page: "runs", id: "new" }));
});
