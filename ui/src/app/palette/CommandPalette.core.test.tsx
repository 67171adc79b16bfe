import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { DocumentSearch } from "../../ipc/bindings.gen";
import { HARBOUR, idOf, LEDGER, SALTMERE } from "../../testing/fixtures/ids";
import { type Opened, openWindow } from "../../testing/open";
import { setKnownBy, subject } from "../../testing/story";
import { documentKey } from "./DocumentItem";
import { SHOWN } from "./rows";

const QUERY = "what the Lanternmen want from the fair";
/** The order of hits changes when the model has loaded, so a test that compares two searches waits for it. */
const LOADED = { meaning: true };

async function openPalette({ user }: Pick<Opened, "user">, text = "") {
  await user.keyboard("{Control>}k{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Command palette" });
  const field = within(dialog).getByRole("combobox");
  if (text !== "") await user.type(field, text);
  const group = (name: string) => within(dialog).findByRole("group", { name });
  const options = async (name: string) =>
    within(await group(name))
      .getAllByRole("option")
      .map((it) => it.textContent ?? "");
  const noGroup = (name: string) => expect(within(dialog).queryByRole("group", { name })).toBeNull();
  return { dialog, field, group, options, noGroup };
}

const closed = () =>
  waitFor(() => expect(screen.queryByRole("dialog", { name: "Command palette" })).toBeNull());

const search = (kind: string, query = QUERY) => ({
  request: { query, kinds: [kind], channelId: null, archived: true, limit: 6, strategy: null },
});

test("the palette shows the five best memories and messages, each kind in the order of the core", async () => {
  const opened = await openWindow("/memory", LOADED);
  const { group } = await openPalette(opened, QUERY);
  for (const [kind, name] of [
    ["memory", "Memories"],
    ["message", "Messages"],
  ] as const) {
    const { hits } = await opened.core.call<DocumentSearch>("search_documents", search(kind));
    const best = hits.slice(0, SHOWN).map(documentKey);
    await waitFor(async () => {
      const shown = within(await group(name)).getAllByRole("option");
      const rest = hits.length > SHOWN ? [`all ${kind}`] : [];
      expect(shown.map((option) => option.getAttribute("data-value"))).toEqual([...best, ...rest]);
    });
  }
});

test("a message that was found opens where it was said", async () => {
  const opened = await openWindow("/memory", LOADED);
  const { user, core, address } = opened;
  const { group } = await openPalette(opened, QUERY);
  const { hits } = await core.call<DocumentSearch>("search_documents", search("message"));
  const [best] = hits;
  if (best?.kind !== "message") throw new Error("the first hit is no message");
  const [row] = within(await group("Messages")).getAllByRole("option");
  await user.click(row as HTMLElement);
  await waitFor(() => expect(address().pathname).toBe(`/conversations/${best.conversation.refCode}`));
  expect(address().search).toMatchObject({ at: best.message.position });
  await closed();
});

test("a memory that was found opens on its page, from any page", async () => {
  const opened = await openWindow("/settings");
  const { user, address } = opened;
  const { group } = await openPalette(opened, "seven seats");
  const [first] = within(await group("Memories")).getAllByRole("option");
  expect(first?.querySelector("mark")).toBeTruthy();
  const id = first?.getAttribute("data-value")?.replace("memory ", "");
  await user.click(first as HTMLElement);
  await waitFor(() => expect(address().pathname).toBe("/memory"));
  expect(address().search).toMatchObject({ id });
});

test("the last row of a kind leads to all of its results", async () => {
  const opened = await openWindow("/settings", LOADED);
  const { user, address } = opened;
  const { dialog } = await openPalette(opened, "the harbour");
  await user.click(await within(dialog).findByRole("option", { name: "All results in Memory" }));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: { q: "the harbour" } }));
});

test("channels and conversations are found by their names", async () => {
  const opened = await openWindow("/settings");
  const { user, core, address } = opened;
  const channel = await openPalette(opened, "#harb");
  const [found] = within(await channel.group("Channels")).getAllByRole("option");
  expect(found?.querySelector("mark")?.textContent).toBe("harb");
  await user.click(found as HTMLElement);
  await waitFor(() =>
    expect(address()).toMatchObject({ pathname: "/conversations", search: { channel: HARBOUR } }),
  );
  await core.call("rename_conversation", { conversation: LEDGER, title: "Quarrel over the tide tables" });
  const conversation = await openPalette(opened, "tide quar");
  await user.click(within(await conversation.group("Conversations")).getByRole("option"));
  await waitFor(() => expect(address().pathname).toBe(`/conversations/${LEDGER}`));
});

test("a conversation is found by its title, however many are newer than it", async () => {
  const opened = await openWindow("/settings");
  const { core, address } = opened;
  await core.call("rename_conversation", { conversation: LEDGER, title: "Quarrel over the tide tables" });
  for (let n = 0; n < 501; n++)
    await core.call("start_conversation", { channelId: null, title: `Note ${n}` });
  const { user } = opened;
  const found = await openPalette(opened, "tide quar");
  await user.click(within(await found.group("Conversations")).getByRole("option"));
  await waitFor(() => expect(address().pathname).toBe(`/conversations/${LEDGER}`));
});

test("a subject is found by an alias and opens on its page", async () => {
  const opened = await openWindow("/settings");
  const { user, core, address } = opened;
  const id = await subject(core, "Łucja", "character");
  const { row } = await core.call<{ row: { version: number } }>("get_memory", { id });
  await core.call("alias_named_entry", { id, version: row.version, alias: "Ferrywoman", rebind: false });
  const { group } = await openPalette(opened, "ferryw");
  const option = within(await group("Subjects")).getByRole("option");
  expect(option.textContent).toContain("Łucja (Ferrywoman)");
  await user.click(option);
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/world", search: { id } }));
});

test("an action is found by a word of its name, above what memory has of it", async () => {
  const opened = await openWindow();
  const { dialog } = await openPalette(opened, "settings");
  await waitFor(() =>
    expect(within(dialog).getAllByRole("option")[0]?.textContent).toContain("Go to Settings"),
  );
});

test("a section of the settings is found by other words, and shown", async () => {
  const opened = await openWindow();
  const { user, address } = opened;
  const { dialog } = await openPalette(opened, "half-life");
  await user.click(await within(dialog).findByRole("option", { name: "Settings: How memories fade" }));
  await waitFor(() => expect(address().pathname).toBe("/settings"));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("How memories fade"));
});

test("an action of a page is done from another page", async () => {
  const opened = await openWindow("/settings");
  const { user, address } = opened;
  const { dialog } = await openPalette(opened, "new channel");
  await user.click(await within(dialog).findByRole("option", { name: /New channel/ }));
  await screen.findByRole("dialog", { name: "New channel" });
  expect(address().pathname).toBe("/channels");
});

test("the same key opens and closes the palette while somebody writes", async () => {
  const opened = await openWindow();
  const { user } = opened;
  await user.click(await screen.findByRole("textbox", { name: "Search memories" }));
  await openPalette(opened);
  await user.keyboard("{Control>}k{/Control}");
  await closed();
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Search memories" })),
  );
});

test("the palette searches with the lens of the page, and keeps it", async () => {
  const opened = await openWindow();
  const { user, core, router, transport, address } = opened;
  const king = await subject(
    core,
    "The Drowned King",
    "character",
    "The drowned king sleeps under the weir.",
  );
  await subject(core, "Mira", "character");
  const toma = await subject(core, "Toma", "character", "Toma fears the weir.");
  await setKnownBy(core, king, [{ subject: "Mira", since: null }]);
  await router.navigate({ to: "/memory", search: { as: "Toma" } });
  const hidden = await openPalette(opened, "weir");
  await hidden.group("Memories");
  expect(hidden.dialog.textContent).toContain("Toma fears");
  expect(hidden.dialog.textContent).not.toContain("sleeps under");
  await user.clear(hidden.field);
  await user.type(hidden.field, "toma");
  await hidden.group("Subjects");
  await user.clear(hidden.field);
  await user.type(hidden.field, "drowned king");
  await waitFor(() => expect(hidden.dialog.querySelector("[aria-busy=true]")).toBeNull());
  hidden.noGroup("Subjects");
  for (const { request } of transport.callsOf("search_documents"))
    expect(request).toMatchObject({ lens: { knower: "Toma", at: null } });
  await user.clear(hidden.field);
  await user.type(hidden.field, "toma");
  await user.click(within(await hidden.group("Subjects")).getByRole("option"));
  await waitFor(() =>
    expect(address()).toMatchObject({ pathname: "/world", search: { id: toma, as: "Toma" } }),
  );
});

test("a lens that cannot be read shows nothing, and not everything", async () => {
  const opened = await openWindow("/memory?as=Nobody");
  const { dialog, noGroup } = await openPalette(opened, "seven seats");
  await waitFor(() => expect(dialog.querySelector("[data-value='retry memory']")).toBeTruthy());
  noGroup("Subjects");
  expect(within(dialog).queryByText(/Seven/)).toBeNull();
});

test("an older answer never replaces a newer one", async () => {
  const opened = await openWindow();
  const { user, transport } = opened;
  const release = transport.hold("search_documents");
  const { dialog, field } = await openPalette(opened, "harbour");
  await waitFor(() => expect(transport.callsOf("search_documents")).toHaveLength(3));
  await user.clear(field);
  await user.type(field, "seven seats");
  await waitFor(() => expect(transport.callsOf("search_documents")).toHaveLength(6));
  release();
  await waitFor(() => expect(dialog.textContent).toContain("even seats"));
  await waitFor(() => expect(dialog.querySelector("[aria-busy=true]")).toBeNull());
  const asked = transport
    .callsOf("search_documents")
    .map(({ request }) => (request as { query: string }).query);
  expect(new Set(asked)).toEqual(new Set(["harbour", "seven seats"]));
  const marks = [...dialog.querySelectorAll("mark")].map((it) => it.textContent?.toLowerCase());
  expect(marks).not.toContain("harbour");
});

test("typing is not searched letter by letter", async () => {
  const opened = await openWindow();
  const { dialog } = await openPalette(opened, "the seven seats of Saltmere");
  await within(dialog).findByRole("group", { name: "Memories" });
  expect(opened.transport.callsOf("search_documents").length).toBeLessThanOrEqual(6);
});

test("a kind that cannot be searched is reported and tried again, and the others are there", async () => {
  const opened = await openWindow("/memory", { failing: ["search_documents"] });
  const { user, transport } = opened;
  const { dialog, group } = await openPalette(opened, "harbour");
  await group("Channels");
  const retry = await waitFor(() => {
    const found = dialog.querySelector("[data-value='retry memory']");
    expect(found).toBeTruthy();
    return found as HTMLElement;
  });
  expect(retry.textContent).toContain("The database did not answer.");
  transport.failing.delete("search_documents");
  await user.click(retry);
  await waitFor(() => expect(dialog.querySelector("[data-value^='memory ']")).toBeTruthy());
});

test("what was found by nobody is said, with what to try", async () => {
  const opened = await openWindow("/memory", { noModel: true });
  const { dialog } = await openPalette(opened, "xyzzyqq");
  await within(dialog).findByText("Nothing found. Try other words, or fewer letters.");
});

test("what was opened lately comes first, and goes when it is forgotten", async () => {
  const opened = await openWindow(`/memory?id=${SALTMERE}`);
  const { core, router, user } = opened;
  await screen.findByRole("region", { name: "The memory" });
  const stored = () => Object.entries(localStorage).find(([key]) => key.startsWith("inklings.recent."))?.[1];
  await waitFor(() => expect(stored()).toContain(SALTMERE));
  await router.navigate({ to: "/memory", search: { id: idOf(12) } });
  await waitFor(() => expect(stored()).toContain(idOf(12)));
  await router.navigate({ to: "/conversations/$ref", params: { ref: LEDGER } });
  await waitFor(() => expect(stored()).toContain(LEDGER));
  // Ids, and no words.
  expect(stored()).not.toMatch(/salt/i);
  await router.navigate({ to: "/settings" });
  const first = await openPalette(opened);
  await waitFor(async () => expect(await first.options("Recent")).toHaveLength(3));
  expect(within(first.dialog).getAllByRole("option")[0]?.getAttribute("data-value")).toContain(LEDGER);
  await user.keyboard("{Escape}");
  await closed();
  await core.call("forget_memories", { ids: [SALTMERE], note: null });
  await core.call("delete_conversation", { conversation: LEDGER });
  const second = await openPalette(opened);
  await waitFor(async () => expect(await second.options("Recent")).toHaveLength(1));
  await waitFor(() => expect(stored()).not.toContain(SALTMERE));
  expect(stored()).not.toContain(LEDGER);
});

test("through a lens no memory is among the recent ones", async () => {
  const opened = await openWindow(`/memory?id=${SALTMERE}`);
  const { core, router } = opened;
  await subject(core, "Toma", "character");
  await waitFor(() => expect(JSON.stringify(localStorage)).toContain(SALTMERE));
  await router.navigate({ to: "/memory", search: { as: "Toma" } });
  const { dialog, noGroup } = await openPalette(opened);
  await within(dialog).findByText("As Toma");
  noGroup("Recent");
});

test("an action that was done is among the recent ones", async () => {
  const opened = await openWindow("/settings");
  const { user } = opened;
  // The list belongs to the world, whose name comes with it.
  await waitFor(() => expect(document.title).toContain("The Drowned Coast"));
  const before = await openPalette(opened, "go to channels");
  await waitFor(() =>
    expect(within(before.dialog).getAllByRole("option")[0]?.textContent).toContain("Go to Channels"),
  );
  await user.keyboard("{Enter}");
  await screen.findByRole("heading", { name: "Channels" });
  const after = await openPalette(opened);
  expect((await after.options("Recent"))[0]).toContain("Go to Channels");
});
