import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ChannelView, ConversationView } from "../../ipc/bindings.gen";
import { HARBOUR, LEDGER, MAGIC } from "../../testing/fixtures/ids";
import { type Core, openWindow } from "../../testing/open";

const channels = (core: Core) => core.call<ChannelView[]>("list_channels");
const channel = async (core: Core, id: string) => (await channels(core)).find((it) => it.id === id);
const list = () => screen.findByRole("list", { name: "Channels" });

async function act(user: Awaited<ReturnType<typeof openWindow>>["user"], channel: string, item: string) {
  await user.click(await screen.findByRole("button", { name: `Actions on #${channel}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

test("#general is first and can neither be archived nor deleted", async () => {
  const { user } = await openWindow("/channels");
  const rows = within(await list()).getAllByRole("listitem");
  expect(rows[0]?.textContent).toContain("general");
  await user.click(screen.getByRole("button", { name: "Actions on #general" }));
  await screen.findByRole("menuitem", { name: "Rename or describe…" });
  expect(screen.queryByRole("menuitem", { name: "Archive" })).toBeNull();
  expect(screen.queryByRole("menuitem", { name: "Delete…" })).toBeNull();
});

test("a channel links to its conversations and its memories", async () => {
  await openWindow("/channels");
  const row = within(await list()).getAllByRole("listitem")[1] as HTMLElement;
  const href = (name: RegExp) => within(row).getByRole("link", { name }).getAttribute("href");
  expect(href(/2 conversations/)).toBe(`/conversations?channel=${HARBOUR}`);
  expect(href(/10 memories/)).toBe(`/memory?scope=channel&channel=${HARBOUR}`);
});

test("a name the core refuses is reported at its field, and the typed text stays", async () => {
  const { user, core } = await openWindow("/channels");
  await list();
  await user.click(screen.getByRole("button", { name: "New channel" }));
  const dialog = await screen.findByRole("dialog");
  const name = within(dialog).getAllByRole<HTMLInputElement>("textbox")[0] as HTMLInputElement;
  await user.type(name, "Harbour-Guilds{Enter}");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("already a channel");
  expect(name.value).toBe("Harbour-Guilds");
  await user.clear(name);
  await user.type(name, "sky-lore{Enter}");
  expect(await screen.findByText("#sky-lore is ready.")).toBeTruthy();
  expect((await channels(core)).some((it) => it.name === "sky-lore")).toBe(true);
});

test("archiving can be undone from its message", async () => {
  const { user, core } = await openWindow("/channels");
  await act(user, "tide-magic", "Archive");
  await waitFor(async () => expect((await channel(core, MAGIC))?.archivedAt).not.toBeNull());
  expect(await screen.findByRole("list", { name: "Archived" })).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect((await channel(core, MAGIC))?.archivedAt).toBeNull());
});

test("the content of a deleted channel moves to the chosen channel", async () => {
  const { user, core, transport } = await openWindow("/channels");
  await act(user, "harbour-guilds", "Delete…");
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("Its 2 conversations and its 10 memories move");
  const general = (await channels(core)).find((it) => it.isDefault);
  await user.click(within(dialog).getByRole("button", { name: "Delete channel" }));
  await waitFor(() =>
    expect(transport.callsOf("delete_channel")).toEqual([{ id: HARBOUR, moveTo: general?.id }]),
  );
  await waitFor(async () => {
    const conversation = await core.call<ConversationView>("get_conversation", { conversation: LEDGER });
    expect(conversation.channelId).toBe(general?.id);
  });
});

test("a channel's heading is its name only", async () => {
  const { core } = await openWindow("/channels");
  await screen.findByRole("list", { name: "Channels" });
  const headings = screen.getAllByRole("heading", { level: 2 }).map((it) => it.textContent);
  const open = (await channels(core)).filter((it) => it.archivedAt === null);
  for (const { name } of open) expect(headings).toContain(name);
});
