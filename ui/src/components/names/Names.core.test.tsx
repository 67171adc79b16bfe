import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ConversationView } from "../../ipc/bindings.gen";
import { idOf, LEDGER } from "../../testing/fixtures/ids";
import { type Core, detailOf, openWindow } from "../../testing/open";
import { setKnownBy, subject } from "../../testing/story";

/** A memory that the tests write into. */
const NOTE = idOf(12);

async function write(core: Core, content: string) {
  const { version } = (await detailOf(core, NOTE)).row;
  await core.call("update_memory", { id: NOTE, version, patch: { content } });
}

const region = () => screen.findByRole("region", { name: "The memory" });
const link = async (name: string) => within(await region()).findByRole("link", { name });
const noLink = async (name: string) =>
  expect(within(await region()).queryByRole("link", { name })).toBeNull();

test("a name in a memory leads to the page of its subject", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  const id = await subject(core, "Łucja", "character", "# Łucja\n\nShe rows at night.");
  await write(core, "Nobody has seen ŁUCJA but `Łucja`, twice.");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  const name = await link("ŁUCJA");
  expect(within(await region()).getAllByRole("link", { name: /łucja/i })).toHaveLength(1);
  await user.click(name);
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/world", search: { id } }));
});

test("on a name a card comes after a moment, describes it, and Escape closes the card alone", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  await subject(core, "Łucja", "character", "# Łucja\n\nShe rows at night.");
  await write(core, "Nobody has seen Łucja.");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  const name = await link("Łucja");
  await user.hover(name);
  expect(screen.queryByRole("tooltip")).toBeNull();
  const card = await screen.findByRole("tooltip");
  await within(card).findByText("She rows at night.");
  within(card).getByText("Character");
  expect(name.getAttribute("aria-describedby")).toBe(card.id);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  expect(address().search).toEqual({ id: NOTE });
  expect(name.hasAttribute("aria-describedby")).toBe(false);
  await user.unhover(name);
  await user.hover(name);
  await screen.findByRole("tooltip");
  await user.unhover(name);
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
});

test("a new subject, a new alias and a removal change what is a link", async () => {
  const { core, router } = await openWindow("/memory");
  await write(core, "Nobody has seen Łucja, the Ferrywoman.");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await within(await region()).findByText(/Nobody has seen/);
  await noLink("Łucja");
  const id = await subject(core, "Łucja", "character");
  await link("Łucja");
  await noLink("Ferrywoman");
  const { version } = (await detailOf(core, id)).row;
  await core.call("alias_named_entry", { id, version, alias: "Ferrywoman", rebind: false });
  await link("Ferrywoman");
  await core.call("forget_memories", { ids: [id], note: null });
  await waitFor(() => noLink("Ferrywoman"));
  await noLink("Łucja");
});

test("a name that the lens of the search withholds is no link", async () => {
  const { core, router } = await openWindow("/memory");
  const secret = await subject(core, "The Drowned King", "character");
  await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  await setKnownBy(core, secret, [{ subject: "Mira", since: null }]);
  await write(core, "Toma has never seen the Drowned King.");
  await router.navigate({ to: "/memory", search: { id: NOTE, as: "Toma" } });
  await link("Toma");
  await noLink("the Drowned King");
  await router.navigate({ to: "/memory", search: { id: NOTE, as: "Mira" } });
  await link("the Drowned King");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await link("the Drowned King");
});

test("without an answer for the lens no name is a link", async () => {
  const { core, router, transport } = await openWindow("/memory");
  await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  await write(core, "Toma has never seen Mira.");
  await router.navigate({ to: "/memory", search: { id: NOTE } });
  await link("Mira");
  await router.navigate({ to: "/memory", search: { id: NOTE, as: "Nobody at all" } });
  await waitFor(() => noLink("Mira"));
  await router.navigate({ to: "/memory", search: { id: NOTE, as: "Toma" } });
  await link("Mira");
  // An answer that is there already does not count once a later one failed.
  transport.failing.add("world_graph");
  await subject(core, "Hepzibah", "character");
  await waitFor(() => noLink("Mira"));
});

test("between a change and the next answer for the lens no name is a link", async () => {
  const { core, router, transport } = await openWindow("/memory");
  const king = await subject(core, "The Drowned King", "character");
  await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  await write(core, "Toma has never seen the Drowned King.");
  await router.navigate({ to: "/memory", search: { id: NOTE, as: "Toma" } });
  await link("the Drowned King");
  transport.delay = 3000;
  transport.slow.add("world_graph");
  const asked = transport.callsOf("world_graph").length;
  await setKnownBy(core, king, [{ subject: "Mira", since: null }]);
  await waitFor(() => expect(transport.callsOf("world_graph").length).toBeGreaterThan(asked));
  // What it shows as well is no link either: the earlier answer does not count.
  await waitFor(() => noLink("Toma"));
  await noLink("the Drowned King");
  await waitFor(() => link("Toma"), { timeout: 20_000 });
  await noLink("the Drowned King");
});

test("names in messages are links that Tab passes over", async () => {
  const { core, router } = await openWindow("/memory");
  const id = await subject(core, "The Lanternmen", "faction");
  await router.navigate({ to: "/conversations/$ref", params: { ref: LEDGER } });
  const transcript = within(await screen.findByRole("region", { name: "Transcript" }));
  const [name] = await transcript.findAllByRole("link", { name: "The Lanternmen" });
  expect(name?.tabIndex).toBe(-1);
  expect(name?.getAttribute("href")).toContain(id);
});

test("in a conversation with a lens only names that it shows are links", async () => {
  const { user, core, router } = await openWindow("/memory");
  const secret = await subject(core, "The Drowned King", "character");
  await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  await setKnownBy(core, secret, [{ subject: "Mira", since: null }]);
  const start = { channelId: null, title: "A ghost" };
  const { refCode } = await core.call<ConversationView>("start_conversation", start);
  await core.call("set_conversation_lens", { conversation: refCode, lens: { knower: "Toma", at: null } });
  await router.navigate({ to: "/conversations/$ref", params: { ref: refCode } });
  const field = await screen.findByRole("textbox", { name: "Your message" });
  await user.type(field, "Toma asks of the Drowned King.{Enter}");
  const transcript = within(await screen.findByRole("region", { name: "Transcript" }));
  await transcript.findByRole("link", { name: "Toma" });
  expect(transcript.queryByRole("link", { name: /Drowned King/ })).toBeNull();
});
