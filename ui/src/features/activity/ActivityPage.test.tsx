import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { DOUBTFUL } from "../../testing/activitySeeds";
import { callsOf, openWindow } from "../../testing/open";
import { idOf } from "../../testing/store";

const few = { extra: 0, talks: 0 };
const MARGUERITE = idOf(8);
const inbox = () => screen.findByRole("listbox", { name: "Proposals" });
const rows = async () => within(await inbox()).getAllByRole("option");
const proposal = () => screen.findByRole("region", { name: "The proposal" });
type Opened = Awaited<ReturnType<typeof openWindow>>;
const textOf = (backend: Opened["backend"], id: string) => backend.entries.get(id)?.detail.content ?? "";
const pick = async (user: Opened["user"], words: string) => {
  const row = (await rows()).find((it) => it.textContent?.includes(words));
  await user.click(row as HTMLElement);
};

test("open proposals are counted where one looks first", async () => {
  await openWindow("/activity", few);
  expect(await screen.findByRole("link", { name: /Activity\s*, 5 open proposals/ })).toBeTruthy();
  expect(screen.getByRole("tab", { name: /Proposals\s*, 5 open proposals/ })).toBeTruthy();
});

test("a change is shown word by word, and what came or went unseen is named", async () => {
  await openWindow("/activity", few);
  const detail = await proposal();
  expect(within(detail).getByText("thirty-one", { selector: "del *" })).toBeTruthy();
  const marks = within(detail).getByRole("region", { name: "Look twice" });
  expect(marks.textContent).toContain("Lostnumber “thirty-one”negation “never”");
  expect(marks.textContent).toContain("Addednumber “thirty-two”name “Inner Fenwick”");
});

test("a proposal is accepted with one key, the next one follows, and undo puts it back in the inbox", async () => {
  const { user, backend } = await openWindow("/activity", few);
  await proposal();
  (await inbox()).focus();
  await user.keyboard("a");
  await waitFor(() => expect(textOf(backend, MARGUERITE)).toContain("thirty-two"));
  await waitFor(async () => expect(await rows()).toHaveLength(4));
  expect((await proposal()).textContent).toContain("Two that contradict");
  expect(document.activeElement).toBe(await inbox());
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(textOf(backend, MARGUERITE)).toContain("thirty-one"));
  await waitFor(async () => expect(await rows()).toHaveLength(5));
});

test("one's own words can take the place of the proposed ones, and wait when one looks elsewhere", async () => {
  const { user, backend } = await openWindow("/activity", few);
  await user.click(within(await proposal()).getByRole("button", { name: "Edit and accept" }));
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "The text as you want it" });
  await user.clear(box);
  await user.type(box, "She has kept the light for thirty-three years.");
  await pick(user, "Coin of the coast");
  await pick(user, "Marguerite");
  await user.click(await screen.findByRole("button", { name: "Accept this text" }));
  await waitFor(() =>
    expect(textOf(backend, MARGUERITE)).toBe("She has kept the light for thirty-three years."),
  );
});

test("what changed since it was proposed cannot be accepted, and says why", async () => {
  const { user, backend } = await openWindow("/activity", few);
  await pick(user, "swears on rope");
  const detail = await proposal();
  expect(detail.textContent).toContain("changed after this was proposed");
  expect(within(detail).getByRole<HTMLButtonElement>("button", { name: "Accept" }).disabled).toBe(true);
  await user.keyboard("a");
  expect(callsOf(backend, "decide_proposals")).toEqual([]);
  await user.click(within(detail).getByRole("button", { name: /^Reject/ }));
  await waitFor(async () => expect(await rows()).toHaveLength(4));
});

test("of two that contradict one wins or both stay, and the loser can be restored", async () => {
  const { user, backend } = await openWindow("/activity", few);
  await pick(user, "bell of Saint Oriel");
  const detail = await proposal();
  expect(detail.querySelectorAll("mark").length).toBeGreaterThan(1);
  await user.click(within(detail).getByRole("button", { name: "The older wins" }));
  await waitFor(() => expect(backend.activity.proposals[1]?.state).toBe("accepted"));
  const forgotten = [idOf(13), idOf(35)].filter((id) => backend.entries.get(id)?.detail.forgotten);
  expect(forgotten).toHaveLength(1);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(backend.entries.get(forgotten[0] ?? "")?.detail.forgotten).toBeNull());
});

test("a new memory for the account says where it would stand and who suggests it, and is accepted or declined", async () => {
  const { user, backend, router } = await openWindow("/memory", few);
  backend.activity.proposals.push({ ...DOUBTFUL });
  await router.navigate({ to: "/activity" });
  await pick(user, "letter from a soldier");
  const detail = await proposal();
  expect(within(detail).getByRole("heading", { name: "New memory in the account" })).toBeTruthy();
  const text = within(detail).getByRole("region", { name: "What would be remembered" });
  expect(text.textContent).toContain("Suggested by Editor");
  expect(text.textContent).toContain("Wants every chapter of a war to open with a letter from a soldier.");
  expect(within(detail).getByRole("button", { name: /^Reject/ })).toBeTruthy();
  await user.click(within(detail).getByRole("button", { name: "Accept" }));
  await waitFor(() => expect(callsOf(backend, "decide_proposals")).toHaveLength(1));
  await waitFor(async () => expect(await rows()).toHaveLength(5));
});

test("several are answered at once, and those that cannot be are said", async () => {
  const { user } = await openWindow("/activity", few);
  await proposal();
  (await inbox()).focus();
  await user.keyboard("xjx");
  expect(await screen.findByText("2 selected")).toBeTruthy();
  await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Accept" }));
  expect(await screen.findByText("Accepted.")).toBeTruthy();
  expect(await screen.findByText(/One could not be decided/)).toBeTruthy();
});

test("looking at what a consolidation would do changes nothing; running it shows progress and what it did", async () => {
  const { user, backend } = await openWindow("/activity?page=runs", few);
  await user.click(await screen.findByRole("button", { name: "What would it do?" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText(/Herons are unlucky/)).toBeTruthy();
  expect(backend.entries.get(idOf(16))?.detail.forgotten).toBeNull();
  await user.click(within(dialog).getByRole("button", { name: "Consolidate now" }));
  expect(await screen.findByRole("progressbar", { name: "Progress of the run" })).toBeTruthy();
  const run = await screen.findByRole("region", { name: "The run" });
  expect(await within(run).findByText(/Herons are unlucky/)).toBeTruthy();
  expect(backend.entries.get(idOf(16))?.detail.forgotten).not.toBeNull();
});

test("where only contradictions would be proposed, there is something to do", async () => {
  const { user, backend } = await openWindow("/activity?page=runs", few);
  backend.entries.clear();
  backend.activity.runs.contradictions = 1;
  await user.click(await screen.findByRole("button", { name: "What would it do?" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("1 proposed to you")).toBeTruthy();
  expect(within(dialog).queryByText("Nothing: all is tidy.")).toBeNull();
  const run = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Consolidate now" });
  expect(run.disabled).toBe(false);
});

test("a run is taken back as a whole, but for what somebody changed since", async () => {
  const { user, backend } = await openWindow("/activity?page=runs", few);
  const run = await screen.findByRole("region", { name: "The run" });
  backend.foreignEdit(idOf(18), "The road floods.");
  await user.click(await within(run).findByRole("button", { name: "Take back this run" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Take back this run" }));
  expect(await within(run).findByText("2 memories are as they were before.")).toBeTruthy();
  expect(within(run).getByText("1 memory was changed since, and stays as it is:")).toBeTruthy();
  await waitFor(() => expect(within(run).queryByRole("button", { name: "Take back this run" })).toBeNull());
});

test("a run that is under way can be cancelled", async () => {
  const { user, backend } = await openWindow("/activity?page=runs", few);
  backend.activity.runs.pace = 400;
  await user.click(await screen.findByRole("button", { name: "Consolidate now" }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(backend.activity.runs.runs[0]?.state).toBe("cancelled"));
  expect(await screen.findByText(/The run was cancelled/)).toBeTruthy();
});

test("every write is in the journal with its hand, can be narrowed to one, and be taken back", async () => {
  const { user, backend } = await openWindow("/activity?page=changes", few);
  const journal = await screen.findByRole("region", { name: "Changes" });
  backend.foreignEdit(MARGUERITE, "She left.");
  await waitFor(() => {
    const newest = within(journal).getAllByRole("listitem")[0]?.textContent;
    expect(newest).toContain("the World Agent through an AI client");
    expect(newest).toContain("just now");
  });
  await user.click(
    (await within(journal).findAllByRole("button", { name: /^Undo: 1 memory edited/ }))[0] as HTMLElement,
  );
  await waitFor(() => expect(textOf(backend, MARGUERITE)).toContain("lighthouse"));
  await user.click(screen.getByRole("combobox", { name: "By whom" }));
  await user.click(await screen.findByRole("option", { name: "By an import" }));
  await waitFor(() => expect(callsOf(backend, "list_changes").at(-1)).toMatchObject({ hand: "import" }));
  expect((await screen.findAllByText(/imported/)).length).toBeGreaterThan(0);
  expect(screen.queryByText(/edited/)).toBeNull();
});

test("a task says when it ran and what came of it, and runs when asked", async () => {
  const { user } = await openWindow("/activity?page=tasks", few);
  const table = await screen.findByRole("table", { name: "Background tasks" });
  const row = within(table).getByRole("row", { name: /Summarise old turns/ });
  expect(row.textContent).toContain("FailedThe language model did not answer.");
  await user.click(within(row).getByRole("button", { name: /^Run now/ }));
  await waitFor(() => expect(row.textContent).toContain("Running"));
  await waitFor(() => expect(row.textContent).toContain("Done"));
});

test("a change names a memory that it wrote, and opens it", async () => {
  const { user, backend, address } = await openWindow("/activity?page=changes", few);
  const journal = await screen.findByRole("region", { name: "Changes" });
  backend.foreignEdit(MARGUERITE, "She left for **the** [islands](https://example.invalid).");
  await user.click(await within(journal).findByRole("link", { name: "She left for the islands." }));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: { id: MARGUERITE } }));
});

test("what was set up was nobody's doing", async () => {
  const { backend } = await openWindow("/activity?page=changes", few);
  const journal = await screen.findByRole("region", { name: "Changes" });
  backend.activity.note({
    changeId: "setup",
    scope: "workspace",
    action: "setup",
    hand: "system",
    door: "window",
    runId: null,
    entries: 2,
    undoes: null,
  });
  backend.emit("memories");
  await waitFor(() =>
    expect(within(journal).getAllByRole("listitem")[0]?.textContent).toContain(
      "2 named entries set up· Inklings",
    ),
  );
});

test("a task whose time has come says that it waits, not that it is next just now", async () => {
  const { backend } = await openWindow("/activity?page=tasks", few);
  const row = () => screen.getByRole("row", { name: /Tidy what is remembered/ });
  await waitFor(() => expect(row().textContent).toContain("in "));
  for (const task of backend.activity.tasks)
    if (task.nextDueAt !== null) task.nextDueAt = new Date(Date.now() - 5_000).toISOString();
  backend.emit("runs");
  await waitFor(() => expect(row().textContent).toContain("as soon as there is a quiet moment"));
  expect(row().textContent).not.toContain("just now");
});

test("a run that nobody asked for says what it changed, with the way to it", async () => {
  const { user, backend, address } = await openWindow("/memory", few);
  await screen.findByRole("grid", { name: "Memories" });
  const [like] = backend.activity.runs.runs;
  if (!like) throw new Error("there is a run");
  const run = (id: string, more: object) => ({
    ...like,
    id,
    task: "consolidate",
    state: "done" as const,
    trigger: "queue" as const,
    startedAt: new Date().toISOString(),
    finishedAt: new Date(Date.now() + 1_000).toISOString(),
    counts: {
      ...like.counts,
      promoted: 3,
      faded: 8,
      merged: 0,
      rewritten: 0,
      created: 0,
      capped: 0,
      proposed: 0,
    },
    ...more,
  });
  backend.activity.runs.runs.unshift(
    run("asked", { trigger: "asked" }),
    run("before", { finishedAt: new Date(Date.now() - 60_000).toISOString() }),
    run("new", {}),
  );
  backend.emit("runs");
  expect(await screen.findAllByText("Consolidation: 3 promoted and 8 faded.")).toHaveLength(1);
  backend.emit("runs");
  await user.click(screen.getByRole("button", { name: "See what it did" }));
  await waitFor(() => expect(address().search).toMatchObject({ page: "runs", id: "new" }));
});
