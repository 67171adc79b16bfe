import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { TYPING_REST } from "../../components/hooks";
import { pseudoMessages } from "../../i18n/pseudo";
import type { ConversationView, Settings } from "../../ipc/bindings.gen";
import { idOf, LEDGER, SALTMERE } from "../../testing/fixtures/ids";
import { contentOf, detailOf, historyOf, memoriesOf, openWindow } from "../../testing/open";

const grid = () => screen.findByRole("grid", { name: "Memories" });
const rows = async () => within(await grid()).getAllByRole("row");
const detail = () => screen.findByRole("region", { name: "The memory" });
/** The tour begins once it is; it would begin in the next test otherwise. */
const isLoaded = () => screen.findByText("The sample world is here.");

test("a memory gets a title and other names, is found by them and can lose them again", async () => {
  const { user, core, router } = await openWindow();
  const row = (await memoriesOf(core)).find((it) => it.name === null && it.scope === "workspace");
  if (!row) throw new Error("no memory without a name");
  await router.navigate({ to: "/memory", search: { id: row.id } });
  const pane = within(await detail());
  await user.type(await pane.findByRole("textbox", { name: "Title" }), "Zephyrine of Quell{Enter}");
  await waitFor(async () => expect((await detailOf(core, row.id)).row.title).toBe("Zephyrine of Quell"));
  expect(await pane.findByRole("heading", { name: "Zephyrine of Quell" })).toBeTruthy();
  await user.type(pane.getByRole("textbox", { name: "Add another name" }), "#The Wisp, {Enter}");
  await waitFor(async () => expect((await detailOf(core, row.id)).keys).toEqual(["The Wisp"]));
  await user.type(screen.getByRole("textbox", { name: "Search memories" }), "zephyrine");
  await waitFor(async () => expect((await rows())[0]?.textContent).toContain("Zephyrine of Quell. "));
  await user.click(pane.getByRole("button", { name: "Remove the name The Wisp" }));
  await waitFor(async () => expect((await detailOf(core, row.id)).keys).toEqual([]));
});

test("the tiers show how much each holds", async () => {
  await openWindow();
  expect(await screen.findByRole("tab", { name: /Account\s*5/ })).toBeTruthy();
  expect(screen.getByRole("tab", { name: /Conversation\s*3/ })).toBeTruthy();
});

test("choosing a tier adds a history entry", async () => {
  const { user, history, address } = await openWindow();
  await grid();
  await user.click(screen.getByRole("tab", { name: /Account/ }));
  await waitFor(() => expect(address().search).toMatchObject({ scope: "account" }));
  history.back();
  await waitFor(() => expect(address().search).not.toHaveProperty("scope", "account"));
});

test("typing searches at once, and the address is updated so that a search can be linked", async () => {
  const { user, address } = await openWindow();
  await grid();
  await user.type(screen.getByRole("textbox", { name: "Search memories" }), "lighthouse");
  await waitFor(async () =>
    expect((await grid()).querySelector("mark")?.textContent?.toLowerCase()).toBe("lighthouse"),
  );
  await waitFor(() => expect(address().search).toMatchObject({ q: "lighthouse" }));
});

test("letters typed while the address is updated are not lost", async () => {
  const { user, address } = await openWindow();
  await grid();
  const box = screen.getByRole<HTMLInputElement>("textbox", { name: "Search memories" });
  await user.type(box, "light");
  await waitFor(() => expect(address().search).toMatchObject({ q: "light" }));
  await user.type(box, "house");
  await waitFor(() => expect(address().search).toMatchObject({ q: "lighthouse" }));
  expect(box.value).toBe("lighthouse");
});

test("going back to another search restores its words", async () => {
  const { router } = await openWindow("/memory?q=harbour");
  await grid();
  await router.navigate({ to: "/memory", search: { q: "lantern" } });
  const box = screen.getByRole<HTMLInputElement>("textbox", { name: "Search memories" });
  await waitFor(() => expect(box.value).toBe("lantern"));
  router.history.back();
  await waitFor(() => expect(box.value).toBe("harbour"));
});

test("any string may be searched for", async () => {
  const { user } = await openWindow();
  await grid();
  const box = screen.getByRole("textbox", { name: "Search memories" });
  for (const odd of ['%_*"()^:-', "🐙🌊", "XYZZY^*("]) {
    await user.clear(box);
    await user.click(box);
    await user.paste(odd);
    expect(await screen.findByText("No memory matches")).toBeTruthy();
  }
  await user.click(screen.getByRole("button", { name: "Clear the search" }));
  expect((await rows()).length).toBeGreaterThan(3);
});

test("a hit explains itself, and the parts add up to its score", async () => {
  await openWindow(`/memory?q=harbour&id=${SALTMERE}`);
  const why = await screen.findByRole("region", { name: "Why this came up" });
  const cells = within(why)
    .getAllByRole("row")
    .slice(1)
    .map((row) => Number(within(row).getAllByRole("cell").at(-1)?.textContent));
  const total = cells.pop() ?? 0;
  expect(cells.reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 3);
  expect(why.textContent).toContain("Matched: “harbour”");
  expect(why.textContent).toContain("By its words it is the");
  expect(why.textContent).not.toContain("A person said it.");
});

test("a filter can be inverted and removed", async () => {
  const { user, transport } = await openWindow("/memory?f=%5B%22tag:plot%22%5D");
  await user.click(await screen.findByRole("button", { name: "Tag: plot" }));
  expect(await screen.findByRole("button", { name: "Tag: not plot" })).toBeTruthy();
  await waitFor(() =>
    expect(transport.callsOf("list_memories").at(-1)).toMatchObject({
      request: { filter: { terms: [{ facet: "tag", value: "plot", negated: true }] } },
    }),
  );
  await user.click(screen.getByRole("button", { name: "Remove the filter Tag: not plot" }));
  await waitFor(() => expect(screen.queryByRole("list", { name: "Filters" })).toBeNull());
});

test("the facet panel counts, includes and excludes", async () => {
  const { user, address } = await openWindow("/memory", { folder: "usual" });
  await grid();
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await user.click(await screen.findByRole("button", { name: "Not Import" }));
  await waitFor(() => expect(address().search).toMatchObject({ f: ["-curator:import"] }));
  await user.click(await screen.findByRole("button", { name: /^Only plot, \d+/ }));
  await waitFor(() => expect(address().search).toMatchObject({ f: ["-curator:import", "tag:plot"] }));
});

test("an edit is saved on top of the version it began from", async () => {
  const { user, transport } = await openWindow(`/memory?id=${SALTMERE}`);
  await user.click(await screen.findByRole("button", { name: "Edit" }));
  const box = await screen.findByRole("textbox", { name: "Text of the memory" });
  await user.type(box, " And gulls.");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved.");
  // Nothing but the text is sent, so that no other field can change.
  expect(transport.callsOf("update_memory")[0]).toEqual({
    id: SALTMERE,
    version: 1,
    patch: { content: expect.stringContaining("And gulls.") },
  });
  expect((await detail()).textContent).toContain("And gulls.");
});

test("an unsaved edit survives navigation", async () => {
  const { user, router } = await openWindow(`/memory?id=${SALTMERE}`);
  await user.click(await screen.findByRole("button", { name: "Edit" }));
  await user.type(await screen.findByRole("textbox", { name: "Text of the memory" }), " Unfinished");
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { name: "Settings" });
  expect(screen.getByText("1 unsaved edit")).toBeTruthy();
  await router.navigate({ to: "/memory", search: { id: SALTMERE } });
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text of the memory" });
  expect(box.value).toContain("Unfinished");
});

async function conflict() {
  const opened = await openWindow(`/memory?id=${SALTMERE}`);
  const { user, core } = opened;
  await user.click(await screen.findByRole("button", { name: "Edit" }));
  await user.type(await screen.findByRole("textbox", { name: "Text of the memory" }), " MINE");
  await core.edit(SALTMERE, "THEIRS");
  await screen.findByText(/^Changed elsewhere meanwhile/);
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByRole("heading", { name: "Two versions of this memory" });
  return opened;
}

test("a stale save shows both versions and overwrites nothing", async () => {
  const { core } = await conflict();
  const view = await detail();
  expect(view.textContent).toContain("MINE");
  expect(view.textContent).toContain("THEIRS");
  expect(await contentOf(core, SALTMERE)).toBe("THEIRS");
});

test("keeping mine puts theirs into the history", async () => {
  const { user, core } = await conflict();
  await user.click(screen.getByRole("button", { name: "Keep mine" }));
  await waitFor(async () => expect(await contentOf(core, SALTMERE)).toContain("MINE"));
  expect((await historyOf(core, SALTMERE)).some((item) => item.content === "THEIRS")).toBe(true);
});

test("keeping theirs puts mine into the history", async () => {
  const { user, core } = await conflict();
  await user.click(screen.getByRole("button", { name: "Keep theirs" }));
  await screen.findByText("Both versions are in the history.");
  expect(await contentOf(core, SALTMERE)).toBe("THEIRS");
  expect((await historyOf(core, SALTMERE)).some((item) => item.content.includes("MINE"))).toBe(true);
});

test("a merge by hand is saved on top of theirs", async () => {
  const { user, core } = await conflict();
  await user.click(screen.getByRole("button", { name: "Merge by hand" }));
  const box = await screen.findByRole("textbox", { name: "Your merged version" });
  await user.clear(box);
  await user.type(box, "BOTH");
  await user.click(screen.getByRole("button", { name: "Save the merged version" }));
  await waitFor(async () => expect(await contentOf(core, SALTMERE)).toBe("BOTH"));
});

test("pinning while writing does not make the edit stale", async () => {
  const { user, core } = await openWindow(`/memory?id=${SALTMERE}`);
  await user.click(await screen.findByRole("button", { name: "Edit" }));
  await user.type(await screen.findByRole("textbox", { name: "Text of the memory" }), " More");
  await user.click(screen.getByRole("button", { name: "Unpin" }));
  await screen.findByText("Unpinned. It fades again.");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await contentOf(core, SALTMERE)).toContain("More"));
  expect(screen.queryByText("Two versions of this memory")).toBeNull();
});

test("several steps of the importance are one change", async () => {
  const { user, transport } = await openWindow(`/memory?id=${SALTMERE}`);
  const slider = await screen.findByRole("slider", { name: "Importance" });
  slider.focus();
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  await screen.findByText("Importance is now 0.75.");
  expect(transport.callsOf("update_memory")).toHaveLength(1);
});

test("forgetting can be undone from the toast", async () => {
  const { user, core } = await openWindow();
  const before = await memoriesOf(core);
  (await grid()).focus();
  await user.keyboard("{Delete}");
  await screen.findByText("Memory forgotten.");
  const [, ...others] = before;
  expect((await memoriesOf(core)).map((it) => it.id)).toEqual(others.map((it) => it.id));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await memoriesOf(core)).toHaveLength(before.length));
});

test("a forgotten memory shows the reason and can be restored", async () => {
  const { user, core } = await openWindow(`/memory?id=${SALTMERE}`);
  await screen.findByRole("button", { name: "Edit" });
  await user.keyboard("{Delete}");
  expect(await screen.findByText("Reason: by hand")).toBeTruthy();
  const fading = await screen.findByRole("region", { name: "How it fades" });
  expect(fading.textContent).toContain("It stays out of recall until you restore it");
  expect(fading.textContent).not.toContain("Drops out of recall");
  await user.click(within(await detail()).getAllByRole("button", { name: "Restore" })[0] as HTMLElement);
  await waitFor(async () => expect((await detailOf(core, SALTMERE)).forgotten).toBeNull());
});

test("the focus stays on its memory when a write moves the rows", async () => {
  const { user, core } = await openWindow();
  (await grid()).focus();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  const active = (await grid()).getAttribute("aria-activedescendant");
  await core.edit(SALTMERE, "Now on top.");
  await waitFor(async () => expect((await rows())[0]?.textContent).toContain("Now on top."));
  expect((await grid()).getAttribute("aria-activedescendant")).toBe(active);
});

test("several memories are selected by keyboard and forgotten in one undoable action", async () => {
  const { user, core, transport } = await openWindow();
  const chosen = (await memoriesOf(core)).slice(0, 3).map(({ id }) => id);
  (await grid()).focus();
  await user.keyboard("x{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
  expect(screen.getByText("3 selected")).toBeTruthy();
  const bar = screen.getByRole("toolbar");
  await user.click(within(bar).getByRole("button", { name: "Forget" }));
  await screen.findByText("3 memories forgotten.");
  expect(transport.callsOf("forget_memories")[0]).toMatchObject({ ids: expect.arrayContaining(chosen) });
});

test("tags are added to all selected memories", async () => {
  const { user, core } = await openWindow();
  (await grid()).focus();
  await user.keyboard("{Control>}a{/Control}");
  await user.click(screen.getByRole("button", { name: "Tag" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getAllByRole("textbox")[0] as HTMLElement, "reviewed{Enter}");
  await user.click(within(dialog).getByRole("button", { name: "Apply" }));
  await waitFor(async () =>
    expect((await memoriesOf(core)).every((it) => it.tags.includes("reviewed"))).toBe(true),
  );
});

test("a new memory is added to the tier in view, and opens", async () => {
  const { user, address, transport } = await openWindow("/memory?scope=account");
  await grid();
  await user.click(screen.getByRole("button", { name: "New memory" }));
  await user.type(await screen.findByRole("textbox", { name: "Text of the memory" }), "No elves.");
  await user.click(screen.getByRole("button", { name: "Remember" }));
  await waitFor(() => expect(transport.callsOf("create_memory")).toHaveLength(1));
  expect(transport.callsOf("create_memory")[0]).toMatchObject({
    memory: { scope: "account", content: "No elves." },
  });
  await waitFor(() => expect(address().search).toHaveProperty("id"));
});

test("the draft of a new memory is kept when its form is closed", async () => {
  const { user } = await openWindow();
  await grid();
  await user.click(screen.getByRole("button", { name: "New memory" }));
  await user.type(await screen.findByRole("textbox", { name: "Text of the memory" }), "Half a thought");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "New memory" }));
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text of the memory" });
  expect(box.value).toBe("Half a thought");
  await user.clear(box);
});

test("an earlier version can be compared and restored", async () => {
  const { user, core } = await openWindow(`/memory?id=${SALTMERE}`);
  await detail();
  await core.edit(SALTMERE, "A harbour village.");
  await waitFor(async () => expect((await detail()).textContent).toContain("harbour village"));
  const history = await screen.findByRole("region", { name: "History" });
  await waitFor(() => expect(within(history).getAllByTitle("Show what changed")).toHaveLength(2));
  await user.click(within(history).getAllByTitle("Show what changed")[0] as HTMLElement);
  expect(history.querySelector("ins")?.textContent).toContain("village");
  await user.click(within(history).getByRole("button", { name: "Bring this version back" }));
  await waitFor(async () => expect(await contentOf(core, SALTMERE)).toContain("built on the roofs"));
});

test("a write by another process appears without a reload", async () => {
  const { core } = await openWindow();
  await grid();
  await core.edit(SALTMERE, "Changed from the command line.");
  await waitFor(async () => expect((await grid()).textContent).toContain("Changed from the command line."));
});

test("a failed read is reported, and can be repeated", async () => {
  const { user, transport } = await openWindow("/memory", { failing: ["list_memories"] });
  expect((await screen.findByRole("alert")).textContent).toContain("The database did not answer.");
  transport.failing.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect((await rows()).length).toBeGreaterThan(3);
});

test("a failed write keeps the typed text", async () => {
  const { user, transport } = await openWindow(`/memory?id=${SALTMERE}`);
  await user.click(await screen.findByRole("button", { name: "Edit" }));
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text of the memory" });
  await user.type(box, " Precious");
  transport.failing.add("update_memory");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Something went wrong");
  expect(box.value).toContain("Precious");
});

test("without a model the page states that it searches by words", async () => {
  await openWindow("/memory", { noModel: true });
  expect(await screen.findByText(/Searching by words only/)).toBeTruthy();
});

test("on a read-only disk no action that writes is offered", async () => {
  await openWindow(`/memory?id=${SALTMERE}`, { readOnly: true });
  const open = await detail();
  expect(await screen.findByText(/cannot be written now/)).toBeTruthy();
  // The list has the same words.
  expect(await within(open).findByText(/A harbour town/, { selector: "p" })).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "New memory" }).disabled).toBe(true);
  expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
});

test("the offer of a first start is shown only after its form is known", async () => {
  const { transport } = await openWindow("/memory", { folder: "fresh", delay: 60, slow: ["scope_counts"] });
  await waitFor(() => expect(transport.callsOf("app_status").length).toBeGreaterThan(0));
  const offers = new Set<Element>();
  await waitFor(() => {
    const offer = screen.queryByRole("button", { name: "Not now" });
    if (offer) offers.add(offer);
    expect(screen.getByRole("heading", { name: "A world to look around in" }).className).toContain(
      "text-display",
    );
  });
  expect(offers.size).toBeLessThanOrEqual(1);
  expect([...offers].every((offer) => offer.isConnected)).toBe(true);
});

test("the first start offers a sample world without loading it", async () => {
  const { user, transport } = await openWindow("/memory", { folder: "fresh" });
  await user.click(await screen.findByRole("button", { name: "Not now" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Load the sample world" })).toBeNull());
  expect(transport.callsOf("load_sample_world")).toHaveLength(0);
  expect(screen.getByText("Nothing remembered yet")).toBeTruthy();
});

test("an empty page offers an import, the sample world and a model, and each of them leads there", async () => {
  const { user, address } = await openWindow("/memory", { folder: "empty" });
  const ways = within(await screen.findByRole("region", { name: "Other ways to begin" }));
  // Each way is there once the part of the window that does it is.
  await user.click(await ways.findByRole("button", { name: /^Import/ }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
  await user.click(await ways.findByRole("button", { name: /^Connect a model/ }));
  await waitFor(() => expect(address()).toMatchObject({ search: { section: "language-model" } }));
  await user.click(screen.getByRole("link", { name: "Memory" }));
  await user.click(await screen.findByRole("button", { name: /^Sample world/ }));
  expect((await rows()).length).toBeGreaterThan(3);
  await isLoaded();
});

test("a model is not offered where one is connected", async () => {
  await openWindow("/memory", { folder: "empty", chat: "dead" });
  const ways = within(await screen.findByRole("region", { name: "Other ways to begin" }));
  expect(await ways.findByRole("button", { name: /^Import/ })).toBeTruthy();
  expect(ways.queryByRole("button", { name: /^Connect a model/ })).toBeNull();
});

test("loading the sample world fills the page with memories", async () => {
  const { user } = await openWindow("/memory", { folder: "fresh" });
  await user.click(await screen.findByRole("button", { name: "Load the sample world" }));
  expect((await rows()).length).toBeGreaterThan(3);
  await isLoaded();
});

test("a missing memory is reported as missing", async () => {
  await openWindow(`/memory?id=${idOf(9_999)}`);
  expect(await screen.findByText("This memory is no longer there")).toBeTruthy();
});

test("working notes are shown above the memories of conversations, read-only", async () => {
  await openWindow("/memory?scope=conversation");
  const notes = await screen.findByRole("region", { name: "Working notes" });
  expect(within(notes).getAllByText("Working Note")).toHaveLength(3);
  expect(within(notes).queryByRole("textbox")).toBeNull();
  const link = await within(notes).findByRole("link", {
    name: "Open the conversation Whether a face can be bound back",
  });
  expect(link.getAttribute("href")).toBe("/conversations/Zb71mNc0QeR?tab=notes");
});

test("a memory links to the conversation it came from", async () => {
  const { user } = await openWindow("/memory?scope=conversation");
  await user.click((await rows())[0] as HTMLElement);
  const from = await screen.findByRole("region", { name: "Where it comes from" });
  expect(within(from).getByRole("link").getAttribute("href")).toMatch(/^\/conversations\/\w{11}$/);
});

test("no word of English is hard-coded on the page", async () => {
  await openWindow("/memory", {}, pseudoMessages());
  const nav = await screen.findByRole("navigation");
  const page = await screen.findByRole("main");
  await within(page).findByRole("grid");
  const own = [...nav.querySelectorAll("a"), ...page.querySelectorAll("[role=tab], button")]
    .map((element) => (element.textContent ?? "").replace(/[\d\s,]/g, ""))
    .filter((text) => text.length > 1 && /^[a-z]/i.test(text));
  expect(own.filter((text) => !/[~áéîöûšţñ]/.test(text))).toEqual([]);
});

test("a named entry shows its other names and links to the page where it is written", async () => {
  await openWindow(`/memory?id=${SALTMERE}`);
  const region = await detail();
  expect(await within(region).findByText("Also called the Salt Town")).toBeTruthy();
  const link = within(region).getByRole("link", { name: "Open in Always in mind" });
  expect(link.getAttribute("href")).toContain(`/named?id=${SALTMERE}`);
});

test("pinning is a switch with a description of its effect", async () => {
  const { user, core } = await openWindow(`/memory?id=${idOf(3)}`);
  const region = await detail();
  const pin = await within(region).findByRole("switch", { name: "Pinned" });
  await waitFor(() => expect(region.textContent).toContain("Fades, and may be tidied"));
  await user.click(pin);
  await waitFor(async () => expect((await detailOf(core, idOf(3))).row.pinned).toBe(true));
  await waitFor(() => expect(region.textContent).toContain("Does not fade, and is never tidied"));
});

test("what the worldbuilder wrote says that it is not tidied, pinned or not, and whether it fades", async () => {
  const { core } = await openWindow(`/memory?id=${idOf(10)}`);
  const region = await detail();
  expect((await detailOf(core, idOf(10))).row.pinned).toBe(false);
  await waitFor(() => expect(region.textContent).toContain("Does not fade, and is never tidied"));
  const settings = await core.call<Settings>("get_settings");
  const decay = { ...settings.decay, authorsFade: true };
  await core.call("update_settings", { settings: { ...settings, decay } });
  await waitFor(() => expect(region.textContent).toContain("Fades, but is never tidied"));
});

test("a conversation is shown by its title if it has one", async () => {
  const { user, core } = await openWindow("/memory?scope=conversation");
  const conversation = await core.call<ConversationView>("get_conversation", { conversation: LEDGER });
  await user.click((await rows()).find((it) => it.textContent?.includes("Tonight's thread")) as HTMLElement);
  const link = await within(await detail()).findByRole("link", { name: conversation.title });
  expect(link.getAttribute("href")).toContain(conversation.refCode);
  await user.click(within(await detail()).getByRole("button", { name: "Show what else came from it" }));
  expect(await screen.findByText(`Conversation: ${conversation.title}`)).toBeTruthy();
});

test("the focus stays in the memory when its pressed button disappears", async () => {
  const { user } = await openWindow(`/memory?id=${SALTMERE}`);
  await user.click(await within(await detail()).findByRole("button", { name: "Forget" }));
  expect(await screen.findByText("Reason: by hand")).toBeTruthy();
  await waitFor(async () => expect((await detail()).contains(document.activeElement)).toBe(true));
});

test("a row shows its tier once", async () => {
  await openWindow();
  for (const row of await rows())
    expect(row.textContent).not.toMatch(/(Account|World|Channel|Conversation), \1/);
});

test("a new memory can belong to one conversation", async () => {
  const { user, transport } = await openWindow("/memory?scope=conversation");
  await grid();
  await user.keyboard("n");
  const dialog = await screen.findByRole("dialog", { name: "New memory" });
  await user.type(
    within(dialog).getByRole("textbox", { name: "Text of the memory" }),
    "She hums while she lies.",
  );
  const save = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Remember" });
  expect(save.disabled).toBe(true);
  await user.click(within(dialog).getByRole("button", { name: "Which conversation" }));
  const [first] = await screen.findAllByRole("option");
  await user.click(first as HTMLElement);
  await waitFor(() => expect(save.disabled).toBe(false));
  await user.click(save);
  await waitFor(() =>
    expect(transport.callsOf("create_memory")[0]).toMatchObject({
      memory: { scope: "conversation", lifetime: "conversation", conversationId: expect.any(String) },
    }),
  );
});

test("the number of search results does not change while the rest of the list loads", async () => {
  await openWindow("/memory?q=the%20harbour%20of%20the%20town", { folder: "usual", meaning: true });
  const summaries = new Set<string>();
  const summary = () => {
    const text = document.querySelector("p[aria-live=polite]")?.textContent;
    if (text) summaries.add(text);
    return text;
  };
  const seen = new MutationObserver(summary);
  seen.observe(document.body, { subtree: true, childList: true, characterData: true });
  await waitFor(() => expect(summary()).toBe("Best matches · words and meaning"));
  // The whole list is asked for when typing rests.
  await new Promise((done) => setTimeout(done, TYPING_REST + 100));
  seen.disconnect();
  expect([...summaries]).toEqual(["Best matches · words and meaning"]);
});

test("hits that have none of the words say that meaning alone found them", async () => {
  await openWindow("/memory?q=spaceship%20lasers", { meaning: true });
  await screen.findByText("by meaning, none has these words");
});

test("a long memory found by its end shows that passage, and states it", async () => {
  const { user, core } = await openWindow("/memory", { meaning: true });
  const people = ["The mayor", "Her brother", "An old scribe", "The innkeeper", "A captain"];
  const deeds = ["counted the silver", "wrote of the harvest", "painted the shutters", "taught the children"];
  const many = Array.from({ length: 200 }, (_, n) => `${people[n % 5]} ${deeds[n % 4]} at dusk.`);
  const end = "Whoever wants to reach the far bank boards the raft that Odo pulls along a rope.";
  const memory = {
    scope: "workspace",
    channelId: null,
    conversationId: null,
    lifetime: "long_term",
    content: `${many.join(" ")} ${end}`,
    importance: 0.5,
    tags: [],
  };
  await core.call("create_memory", { memory });
  await user.type(
    screen.getByRole("textbox", { name: "Search memories" }),
    "how do travellers cross a river",
  );
  const row = await waitFor(
    async () => {
      const found = (await rows()).find((it) => it.textContent?.includes("nearest passage"));
      if (!found) throw new Error("no passage yet");
      return found;
    },
    { timeout: 20_000 },
  );
  expect(row.textContent).not.toContain("The mayor counted the silver at dusk. Her brother wrote");
  await user.click(row);
  const quote = await within(await detail()).findByText(/the raft that Odo pulls along a rope/, {
    selector: "blockquote",
  });
  expect(quote.textContent).toContain("far bank");
}, 40_000);
