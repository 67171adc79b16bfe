import { createServer } from "node:http";
import { screen, waitFor, within } from "@testing-library/dom";
import { expect, onTestFinished, test } from "vitest";
import { EVERYTHING, grant } from "../../../../../e2e/lib/mcp.mjs";
import type { ClientView } from "../../../ipc/bindings.gen";
import { asClient } from "../../../testing/client";
import { CHAPTER, idOf, LEDGER, MAGIC } from "../../../testing/fixtures/ids";
import { type Core, contentOf, openWindow } from "../../../testing/open";

const HERONS = idOf(16);
const ROAD = idOf(18);
const clients = (core: Core) => core.call<ClientView[]>("list_clients");
const cursor = async (core: Core) => (await clients(core)).find(({ name }) => name === "Cursor");

async function openCursor() {
  const opened = await openWindow("/control?part=clients");
  const client = (await cursor(opened.core))?.id;
  await opened.router.navigate({ to: "/control", search: { part: "clients", client } });
  return opened;
}

const client = (name: string) => screen.findByRole("region", { name: `The client ${name}` });
const checked = (box: HTMLElement) => box.getAttribute("aria-checked") === "true";

test("a new client may read its workspace and nothing else, and its token is shown once", async () => {
  const { user, core } = await openWindow("/control?part=clients", { folder: "empty" });
  await user.click(await screen.findByRole("button", { name: "Add a client" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "Zed{Enter}");
  const detail = await client("Zed");
  const token = within(detail).getByRole("region", { name: "The token of Zed" });
  const secret = token.querySelector("code")?.textContent ?? "";
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect((await within(detail).findByRole("region", { name: /^Settings for/ })).textContent).toContain(
    secret,
  );
  const boxes = within(detail).getAllByRole("checkbox").filter(checked);
  expect(boxes).toEqual([within(detail).getByRole("checkbox", { name: "Read: World" })]);
  await user.click(within(token).getByRole("button", { name: "I have it" }));
  await waitFor(() => expect(document.body.textContent).not.toContain(secret));
  expect(await clients(core)).toHaveLength(1);
});

test("a client that is named before the worlds are read is added to the one in use", async () => {
  const late = { delay: 3_000, slow: ["list_workspaces"] };
  const { user, core } = await openWindow("/control?part=clients", { folder: "empty", ...late });
  await user.click(await screen.findByRole("button", { name: "Add a client" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "Zed{Enter}");
  expect(await clients(core)).toEqual([]);
  await client("Zed");
  expect((await clients(core)).map((it) => it.name)).toEqual(["Zed"]);
});

test("a client name in use is refused at its field, and the typed text stays", async () => {
  const { user } = await openWindow("/control?part=clients");
  await client("Claude Desktop");
  await user.keyboard("n");
  const dialog = await screen.findByRole("dialog");
  const field = within(dialog).getByRole<HTMLInputElement>("textbox", { name: "Name" });
  await user.type(field, "cursor{Enter}");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("a client of this name");
  expect(field.value).toBe("cursor");
});

test("a grant applies at once, and is reset if the core refuses it", async () => {
  const { user, core, transport } = await openCursor();
  const detail = await client("Cursor");
  const read = within(detail).getByRole("checkbox", { name: "Read: Channel" });
  await user.click(read);
  await waitFor(async () =>
    expect((await cursor(core))?.grants.tiers).toContainEqual({
      scope: "channel",
      read: true,
      write: false,
    }),
  );
  expect(await within(detail).findByText(/Choose a channel, or/)).toBeTruthy();
  await user.click(within(detail).getByRole("checkbox", { name: "#tide-magic" }));
  await waitFor(async () => expect((await cursor(core))?.grants.channels).toEqual([MAGIC]));
  transport.failing.add("set_grants");
  const scrub = within(detail).getByRole("checkbox", { name: /^Erase for good/ });
  await user.click(scrub);
  await screen.findByText("The database did not answer.");
  await waitFor(() => expect(checked(scrub)).toBe(false));
});

test("a client takes part in individual conversations, and in none by its channel", async () => {
  const { user, core } = await openCursor();
  const detail = await client("Cursor");
  await user.click(within(detail).getByRole("checkbox", { name: "Read: Conversation" }));
  expect(await within(detail).findByText(/Choose a conversation, or/)).toBeTruthy();
  expect(within(detail).queryByRole("checkbox", { name: "#tide-magic" })).toBeNull();
  const granted = async () => (await cursor(core))?.grants.conversations ?? [];
  await user.click(within(detail).getByRole("button", { name: "Which conversation" }));
  const options = await screen.findAllByRole("option");
  const title = options[0]?.firstElementChild?.textContent ?? "";
  await user.click(options[0] as HTMLElement);
  await waitFor(async () => expect(await granted()).toHaveLength(1));
  const list = within(detail).getByRole("list", { name: "Conversations it takes part in" });
  const box = await within(list).findByRole("checkbox", { name: new RegExp(title.slice(0, 12)) });
  await user.click(box);
  await waitFor(async () => expect(await granted()).toEqual([]));
});

test("everything a client wrote is listed and undone in one action, except for later changes by others", async () => {
  const { user, core } = await openWindow("/control?part=clients");
  const detail = await client("Claude Desktop");
  await asClient(core, "Claude Desktop", [
    ["memory_update", { id: HERONS, content: "Herons are lucky." }],
    ["memory_update", { id: ROAD, content: "The road never floods." }],
  ]);
  await core.edit(ROAD, "The road floods at times.");
  const wrote = within(detail).getByRole("region", { name: "What it wrote" });
  await waitFor(() => expect(within(wrote).getAllByText("1 memory edited")).toHaveLength(2));
  await user.click(await within(wrote).findByRole("button", { name: "Undo all of it" }));
  const ask = await screen.findByRole("alertdialog");
  expect(ask.textContent).toContain("2 changes will be undone");
  await user.click(within(ask).getByRole("button", { name: "Undo all of it" }));
  expect(await within(wrote).findByText("1 memory is as it was before.")).toBeTruthy();
  expect(within(wrote).getByText("1 memory was changed since, and stays as it is:")).toBeTruthy();
  expect(await contentOf(core, HERONS)).toContain("unlucky");
  await waitFor(() => expect(within(wrote).queryByRole("button", { name: "Undo all of it" })).toBeNull());
});

test("facts, messages and working notes are among a client's writes, and those that stay show the reason", async () => {
  const { user, core } = await openWindow("/control?part=clients");
  const detail = await client("Claude Desktop");
  await grant(core.home, "Claude Desktop", { allow: EVERYTHING, joinConversation: [LEDGER, CHAPTER] });
  await asClient(core, "Claude Desktop", [
    ["fact", { action: "set", category: "harbour", key: "bell", value: "cracked" }],
    ["fact", { action: "set", category: "keeper", key: "age", value: "thirty" }],
    ["conversation", { action: "append", conversation: LEDGER, text: "Who lit the first lantern?" }],
    ["conversation", { action: "append", conversation: CHAPTER, text: "Let the gulls be counted twice." }],
    ["scratchpad", { action: "write", conversation: LEDGER, key: "plan", value: [1] }],
  ]);
  await core.cli("fact", "set", "keeper", "age", "forty");
  for (let n = 0; n < 12; n += 1)
    await core.call("say", { conversation: CHAPTER, text: `Gull ${n} sits on the ${n}th post.`, files: [] });
  const compaction = { conversation: CHAPTER, retain: 4, name: "the gulls" };
  expect(await core.call("compact_conversation", compaction)).not.toBeNull();
  await asClient(core, "Claude Desktop", [["memory_switch", { enabled: false }]]);
  const wrote = within(detail).getByRole("region", { name: "What it wrote" });
  expect(await within(wrote).findByText("Fact set: harbour / bell")).toBeTruthy();
  for (const text of [
    "Message in What the Lanternmen want from the fair",
    "Message in Chapter four, from the lighthouse to the causeway",
    "Working note: What the Lanternmen want from the fair / plan",
    "Memory switched on or off",
  ])
    expect(await within(wrote).findByText(text)).toBeTruthy();
  await user.click(await within(wrote).findByRole("button", { name: "Undo all of it" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Undo all of it" }));
  const status = await within(wrote).findByRole("status");
  for (const text of [
    "1 fact is as it was before.",
    /^1 message was withdrawn/,
    "1 working note is as it was before.",
    "Memory is switched as it was before.",
    "2 things stay as they are:",
  ])
    expect(within(status).getByText(text)).toBeTruthy();
  const stays = within(status).getAllByRole("listitem");
  expect(stays.map((it) => it.textContent).sort()).toEqual([
    "Fact set: keeper / age: somebody changed it since",
    "Message in Chapter four, from the lighthouse to the causeway: it is summarised by now",
  ]);
});

test("older writes of a client are loaded on request, each change once", async () => {
  const { user, core, router } = await openWindow();
  await asClient(
    core,
    "Claude Desktop",
    Array.from({ length: 45 }, (_, n) => ["memory_update", { id: HERONS, content: `Version ${n}.` }]),
  );
  await router.navigate({ to: "/control", search: { part: "clients" } });
  const detail = await client("Claude Desktop");
  const wrote = await within(detail).findByRole("region", { name: "What it wrote" });
  await waitFor(() => expect(within(wrote).getAllByRole("listitem")).toHaveLength(20));
  await user.click(within(wrote).getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(within(wrote).getAllByRole("listitem")).toHaveLength(40));
  await user.click(within(wrote).getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(within(wrote).getAllByRole("listitem")).toHaveLength(45));
  expect(within(wrote).queryByRole("button", { name: "Show more" })).toBeNull();
});

test("revoking asks first, then the client is read-only, and a new token admits it again", async () => {
  const { user, core, transport } = await openCursor();
  const detail = await client("Cursor");
  await user.click(within(detail).getByRole("button", { name: "Revoke…" }));
  expect((await cursor(core))?.revokedAt).toBeNull();
  await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Revoke" }));
  expect(await within(detail).findByText(/A new token lets it in again/)).toBeTruthy();
  await user.click(within(detail).getByRole("checkbox", { name: "Write: World" }));
  expect(transport.callsOf("set_grants")).toEqual([]);
  await user.click(within(detail).getByRole("button", { name: "New token" }));
  const ask = await screen.findByRole("alertdialog");
  expect(ask.textContent).toContain("lets Cursor in again");
  await user.click(within(ask).getByRole("button", { name: "Make a new token" }));
  expect(await within(detail).findByRole("region", { name: /^The token of/ })).toBeTruthy();
  expect((await cursor(core))?.revokedAt).toBeNull();
});

test("a new token replaces the old one, and is shown", async () => {
  const { user } = await openWindow("/control?part=clients");
  const detail = await client("Claude Desktop");
  expect(await within(detail).findByText(/THE_TOKEN_OF_THIS_CLIENT/)).toBeTruthy();
  await user.click(within(detail).getByRole("button", { name: "New token" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Make a new token" }));
  expect(await within(detail).findByRole("region", { name: /^The token of/ })).toBeTruthy();
  await waitFor(() => expect(within(detail).queryByText(/THE_TOKEN_OF_THIS_CLIENT/)).toBeNull());
});

test("the server is off until switched on, and reports when it uses another port", async () => {
  const { user, transport } = await openWindow("/control?part=clients");
  const other = createServer();
  // Taken by the test, or by whoever else has it already.
  await new Promise<void>((resolve) => {
    other.once("error", () => resolve());
    other.listen(7862, "127.0.0.1", resolve);
  });
  onTestFinished(() => void other.close());
  const server = await screen.findByRole("region", { name: "MCP server" });
  expect(server.textContent).toContain("Off.");
  await user.click(within(server).getByRole("switch", { name: "MCP server" }));
  expect(await within(server).findByText(/^http:\/\/127\.0\.0\.1:78\d\d\/mcp$/)).toBeTruthy();
  expect(within(server).getByRole("status").textContent).toContain("Port 7862 is taken");
  const port = within(server).getByRole("textbox", { name: "Port" });
  await user.clear(port);
  await user.type(port, "80{Enter}");
  expect((await within(server).findByRole("alert")).textContent).toContain("Choose between 1,024 and 65,535");
  expect(transport.callsOf("set_mcp")).toHaveLength(1);
});
