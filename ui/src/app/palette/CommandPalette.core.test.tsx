import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { DocumentSearch } from "../../ipc/bindings.gen";
import { type Opened, openWindow } from "../../testing/open";
import { documentKey } from "./DocumentItem";

const QUERY = "what the Lanternmen want from the fair";
/** The order of hits changes when the model has loaded, so a test that compares two searches waits for it. */
const LOADED = { meaning: true };

async function openPalette({ user }: Opened) {
  await user.keyboard("{Control>}k{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Command palette" });
  await user.type(within(dialog).getByRole("combobox"), QUERY);
  const group = (name: string) => within(dialog).findByRole("group", { name });
  return { dialog, group };
}

const search = (kinds: string[]) => ({
  request: { query: QUERY, kinds, channelId: null, archived: true, limit: 30, strategy: null },
});

test("the palette finds memories and messages in the order of the core", async () => {
  const opened = await openWindow("/memory", LOADED);
  const { group } = await openPalette(opened);
  const found = await opened.core.call<DocumentSearch>("search_documents", search([]));
  expect(new Set(found.hits.map((hit) => hit.kind))).toEqual(new Set(["memory", "message"]));
  const shown = within(await group("Memories, messages and pages")).getAllByRole("option");
  const ids = found.hits.map(documentKey);
  expect(shown.map((option) => option.getAttribute("data-value"))).toEqual(ids);
});

test("a message that was found opens where it was said", async () => {
  const opened = await openWindow("/memory", LOADED);
  const { user, core, address } = opened;
  const { dialog, group } = await openPalette(opened);
  await user.click(within(dialog).getByRole("tab", { name: "Messages" }));
  await group("Messages");
  expect(within(dialog).queryByRole("group", { name: "Memories, messages and pages" })).toBeNull();
  const { hits } = await core.call<DocumentSearch>("search_documents", search(["message"]));
  const [best] = hits;
  if (best?.kind !== "message") throw new Error("the first hit is no message");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address().pathname).toBe(`/conversations/${best.conversation.refCode}`));
  expect(address().search).toMatchObject({ at: best.message.position });
  expect(screen.queryByRole("dialog", { name: "Command palette" })).toBeNull();
});

test("a memory that was found opens on its page", async () => {
  const opened = await openWindow("/settings");
  const { user, address } = opened;
  const { dialog, group } = await openPalette(opened);
  await user.click(within(dialog).getByRole("tab", { name: "Memories" }));
  const [first] = within(await group("Memories")).getAllByRole("option");
  const id = first?.getAttribute("data-value")?.replace("memory ", "");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address().pathname).toBe("/memory"));
  expect(address().search).toMatchObject({ id });
});

test("an action is found by a word of its name, above what memory says of it", async () => {
  const { user } = await openWindow();
  await user.keyboard("{Control>}k{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Command palette" });
  await user.type(within(dialog).getByRole("combobox"), "settings");
  await waitFor(() =>
    expect(within(dialog).getAllByRole("option")[0]?.textContent).toContain("Go to Settings"),
  );
  await user.click(within(dialog).getByRole("tab", { name: "Commands" }));
  const [best] = within(dialog).getAllByRole("option");
  expect(best?.textContent).toContain("Go to Settings");
});
