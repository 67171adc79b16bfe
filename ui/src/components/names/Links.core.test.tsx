import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { AppStatus, PageList, WriteResult } from "../../ipc/bindings.gen";
import { idOf, LEDGER } from "../../testing/fixtures/ids";
import { type Core, detailOf, openWindow } from "../../testing/open";
import { setKnownBy, subject } from "../../testing/story";
import { linkVault, vaultFolder } from "../../testing/vault";

/** A memory that the tests write into. */
const NOTE = idOf(12);

async function write(core: Core, content: string) {
  const { version } = (await detailOf(core, NOTE)).row;
  await core.call("update_memory", { id: NOTE, version, patch: { content } });
}

async function memory(core: Core, title: string, content: string) {
  const made = await core.call<WriteResult>("create_memory", {
    memory: {
      scope: "workspace",
      channelId: null,
      conversationId: null,
      lifetime: "long_term",
      title,
      keys: [],
      content,
      importance: 0.5,
      tags: [],
    },
  });
  return made.detail.row.id;
}

const region = () => screen.findByRole("region", { name: "The memory" });
const link = async (name: string) => within(await region()).findByRole("link", { name });
const noLink = async (name: string) =>
  expect(within(await region()).queryByRole("link", { name })).toBeNull();

test("a written link leads to the subject with that name or alias", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  const id = await subject(core, "Łucja", "character", "She rows at night.");
  const { version } = (await detailOf(core, id)).row;
  await core.call("alias_named_entry", { id, version, alias: "The Ferrywoman", rebind: false });
  await write(core, "Ask [[Łucja|her]], or [[the ferrywoman]], but not `[[Łucja]]`.");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await link("the ferrywoman");
  expect((await region()).textContent).toContain("Ask her, or the ferrywoman, but not [[Łucja]].");
  await user.click(await link("her"));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/world", search: { id } }));
});

test("a written link leads to the memory with that name, by Enter, and the list stays", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  const id = await memory(core, "The Salt Road", "It runs from the weir to Corrow Head.");
  await memory(core, "The Salt Road of old", "Nobody walks it.");
  await write(core, "They took [[the salt road]].");
  await router.navigate({ to: "/memory", search: { id: NOTE, scope: "workspace" } });
  (await link("the salt road")).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address().search).toEqual({ id, scope: "workspace" }));
});

test("a written link leads to a page, and to its heading", async () => {
  let folder = "";
  const { user, core, router, address } = await openWindow("/memory", {
    before: (home) => {
      folder = vaultFolder(home);
    },
  });
  await linkVault(core, folder);
  const { rows } = await core.call<PageList>("list_pages", {
    request: { vaultId: null, after: null, limit: 10 },
  });
  const id = rows.find((it) => it.title === "Lanterns")?.id;
  await write(core, "See [[Lanterns#Oil]].");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await user.click(await link("Lanterns > Oil"));
  await waitFor(() =>
    expect(address()).toMatchObject({ pathname: "/pages", search: { id, heading: "Oil" } }),
  );
});

test("a name that nothing has leads to a new subject of that name, and becomes a link to it", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  await memory(core, "The Salt Road", "It runs.");
  await write(core, "Nobody has seen [[Łucja of the Salt Road]].");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await noLink("Łucja of the Salt Road");
  await user.click(await link("Łucja of the Salt Road (Nothing has this name)"));
  const name = await screen.findByRole<HTMLInputElement>("textbox", { name: "Name" });
  expect(name.value).toBe("Łucja of the Salt Road");
  await user.type(name, "{Enter}");
  await screen.findByRole("heading", { name: "Łucja of the Salt Road" });
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/world" }));
  await waitFor(() => expect(address().search).toEqual({ id: expect.any(String) }));
  expect(screen.queryByRole("dialog")).toBeNull();
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await link("Łucja of the Salt Road");
});

test("where nothing can be written, a name that nothing has is no link", async () => {
  const { core, router } = await openWindow("/memory", {
    changes: { app_status: (status: AppStatus) => ({ ...status, readOnly: true }) },
  });
  await write(core, "Nobody has seen [[Łucja of the Salt Road]].");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  const unknown = await within(await region()).findByTitle("Nothing has this name");
  expect(unknown.closest("a")).toBeNull();
});

test("a link shows how what it leads to begins, and Escape closes that alone", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  await memory(core, "The Salt Road", "It runs from the weir to Corrow Head.");
  await write(core, "They took [[The Salt Road]].");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await user.hover(await link("The Salt Road"));
  expect(screen.queryByRole("tooltip")).toBeNull();
  const card = await screen.findByRole("tooltip");
  await within(card).findByText("It runs from the weir to Corrow Head.");
  within(card).getByText("World");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  expect(address().search).toEqual({ id: NOTE });
});

test("what the lens withholds is as if nothing had the name, and has no preview", async () => {
  const { user, core, router } = await openWindow("/memory");
  const king = await subject(core, "The Drowned King", "character", "He sleeps under the weir.");
  const road = await memory(core, "The Salt Road", "It runs.");
  await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  for (const id of [king, road]) await setKnownBy(core, id, [{ subject: "Mira", since: null }]);
  await write(core, "Of [[the Drowned King]] and [[The Salt Road]] and [[Toma]].");
  await router.navigate({ to: "/memory", search: { id: NOTE, as: "Mira" } });
  await link("the Drowned King");
  await link("The Salt Road");
  await router.navigate({ to: "/memory", search: { id: NOTE, as: "Toma" } });
  await link("Toma");
  const unknown = async () => within(await region()).queryAllByTitle("Nothing has this name");
  await waitFor(async () => expect(await unknown()).toHaveLength(2));
  await noLink("the Drowned King");
  await noLink("The Salt Road");
  for (const it of await unknown()) await user.hover(it);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(screen.queryByRole("tooltip")).toBeNull();
});

test("a link that cannot be looked up is plain text, and nothing is claimed of it", async () => {
  const { core, router, transport } = await openWindow("/memory");
  await write(core, "They took [[The Salt Road]].");
  transport.failing.add("search_documents");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await within(await region()).findByText("The Salt Road");
  await waitFor(() => expect(transport.callsOf("search_documents").length).toBeGreaterThan(0));
  await noLink("The Salt Road");
  expect(within(await region()).queryByTitle("Nothing has this name")).toBeNull();
});

test("links in messages lead where they say", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  const id = await subject(core, "Łucja", "character");
  await core.call("say", { conversation: LEDGER, text: "Ask [[Łucja]] of it.", files: [] });
  await router.navigate({ to: "/conversations/$ref", params: { ref: LEDGER } });
  const transcript = within(await screen.findByRole("region", { name: "Transcript" }));
  const links = await transcript.findAllByRole("link", { name: "Łucja" });
  await user.click(links.at(-1) as HTMLElement);
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/world", search: { id } }));
});

test("the preview of what is being written has its links", async () => {
  const { user, core, router } = await openWindow("/memory");
  await subject(core, "Łucja", "character");
  await write(core, "Ask [[Łucja]].");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await link("Łucja");
  await user.keyboard("e");
  await user.click(await within(await region()).findByRole("button", { name: "Preview" }));
  await link("Łucja");
});
