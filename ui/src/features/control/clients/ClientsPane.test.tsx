import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { callsOf, openWindow } from "../../../testing/open";
import { idOf } from "../../../testing/store";

const few = { extra: 0, talks: 0 };
const MARGUERITE = idOf(8);
const client = (name: string) => screen.findByRole("region", { name: `The client ${name}` });
const checked = (box: HTMLElement) => box.getAttribute("aria-checked") === "true";

test("a new client may read its workspace and nothing else, and its token is shown once", async () => {
  const { user, backend } = await openWindow("/control?part=clients", { ...few, untouched: true });
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
  expect(boxes).toEqual([within(detail).getByRole("checkbox", { name: "Read: Workspace" })]);
  await user.click(within(token).getByRole("button", { name: "I have it" }));
  await waitFor(() => expect(document.body.textContent).not.toContain(secret));
  expect(backend.clients.clients).toHaveLength(1);
});

test("a name that is taken is refused at its field, and what was typed stays", async () => {
  const { user } = await openWindow("/control?part=clients", few);
  await client("Claude Desktop");
  await user.keyboard("n");
  const dialog = await screen.findByRole("dialog");
  const field = within(dialog).getByRole<HTMLInputElement>("textbox", { name: "Name" });
  await user.type(field, "cursor{Enter}");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("a client of that name");
  expect(field.value).toBe("cursor");
});

test("a grant holds at once, and goes back if the core refuses it", async () => {
  const { user, backend } = await openWindow("/control?part=clients&client=client-2", few);
  const detail = await client("Cursor");
  const read = within(detail).getByRole("checkbox", { name: "Read: Channel" });
  await user.click(read);
  await waitFor(() =>
    expect(backend.clients.clients[1]?.grants.tiers).toContainEqual({
      scope: "channel",
      read: true,
      write: false,
    }),
  );
  expect(await within(detail).findByText(/Without a channel/)).toBeTruthy();
  await user.click(within(detail).getByRole("checkbox", { name: "#tide-magic" }));
  await waitFor(() => expect(backend.clients.clients[1]?.grants.channels).toEqual(["ch-magic"]));
  backend.failing.add("set_grants");
  const scrub = within(detail).getByRole("checkbox", { name: /^Scrub/ });
  await user.click(scrub);
  await screen.findByText("The database did not answer.");
  await waitFor(() => expect(checked(scrub)).toBe(false));
});

test("a client takes part in conversations one by one, and in none by its channel", async () => {
  const { user, backend } = await openWindow("/control?part=clients&client=client-2", { extra: 0 });
  const detail = await client("Cursor");
  await user.click(within(detail).getByRole("checkbox", { name: "Read: Conversation" }));
  expect(await within(detail).findByText(/Without a conversation/)).toBeTruthy();
  expect(within(detail).queryByRole("checkbox", { name: "#tide-magic" })).toBeNull();
  const granted = () => backend.clients.clients[1]?.grants.conversations ?? [];
  await user.click(within(detail).getByRole("button", { name: "Which conversation" }));
  const options = await screen.findAllByRole("option");
  const title = options[0]?.firstElementChild?.textContent ?? "";
  await user.click(options[0] as HTMLElement);
  await waitFor(() => expect(granted()).toHaveLength(1));
  const list = within(detail).getByRole("list", { name: "Conversations it takes part in" });
  const box = await within(list).findByRole("checkbox", { name: new RegExp(title.slice(0, 12)) });
  await user.click(box);
  await waitFor(() => expect(granted()).toEqual([]));
});

test("everything a client wrote is listed and taken back in one action, but for what somebody changed since", async () => {
  const { user, backend } = await openWindow("/control?part=clients", few);
  const detail = await client("Claude Desktop");
  backend.clients.writesAs("client-1", 8, "She never kept the light.");
  backend.clients.writesAs("client-1", 9, "Nobody did.");
  backend.foreignEdit(idOf(9), "Somebody did.");
  const wrote = within(detail).getByRole("region", { name: "What it wrote" });
  await waitFor(() => expect(within(wrote).getAllByText("1 memory edited")).toHaveLength(2));
  await user.click(within(wrote).getByRole("button", { name: "Take all of it back" }));
  const ask = await screen.findByRole("alertdialog");
  expect(ask.textContent).toContain("2 changes will be undone");
  await user.click(within(ask).getByRole("button", { name: "Take all of it back" }));
  expect(await within(wrote).findByText("1 memory is as it was before.")).toBeTruthy();
  expect(within(wrote).getByText("1 memory was changed since, and stays as it is:")).toBeTruthy();
  expect(backend.entries.get(MARGUERITE)?.detail.content).toContain("thirty-one");
  await waitFor(() =>
    expect(within(wrote).queryByRole("button", { name: "Take all of it back" })).toBeNull(),
  );
});

test("facts, messages and working notes are among what a client wrote, and what stays of them says why", async () => {
  const { user, backend } = await openWindow("/control?part=clients", few);
  const detail = await client("Claude Desktop");
  const talk = "conv-1";
  const { clients } = backend;
  clients.writesBeside("client-1", { kind: "fact", label: "harbour / bell", conversationId: null });
  clients.writesBeside("client-1", { kind: "fact", label: "keeper / age", conversationId: null }, "changed");
  clients.writesBeside("client-1", { kind: "message", label: "The storm", conversationId: talk });
  clients.writesBeside("client-1", { kind: "message", label: "", conversationId: null }, "summarised");
  clients.writesBeside("client-1", { kind: "note", label: "The storm / plan", conversationId: talk });
  clients.writesBeside("client-1", { kind: "setting", label: "", conversationId: null });
  const wrote = within(detail).getByRole("region", { name: "What it wrote" });
  expect(await within(wrote).findByText("Fact set: harbour / bell")).toBeTruthy();
  for (const text of [
    "Message in The storm",
    "Message in gone since",
    "Working note: The storm / plan",
    "Memory switched on or off",
  ])
    expect(within(wrote).getByText(text)).toBeTruthy();
  await user.click(within(wrote).getByRole("button", { name: "Take all of it back" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Take all of it back" }));
  const status = await within(wrote).findByRole("status");
  for (const text of [
    "1 fact is as it was before.",
    "1 message was withdrawn; the answer to one of them stays.",
    "1 working note is as it was before.",
    "Memory is switched as it was before.",
    "2 things stay as they are:",
  ])
    expect(within(status).getByText(text)).toBeTruthy();
  const stays = within(status).getAllByRole("listitem");
  expect(stays.map((it) => it.textContent)).toEqual([
    "Fact set: keeper / age: somebody changed it since",
    "Message in gone since: a summary stands for it by now",
  ]);
});

test("what a client wrote long ago is a press away, each change once", async () => {
  const { user, backend } = await openWindow("/control?part=clients", few);
  const detail = await client("Claude Desktop");
  for (let n = 0; n < 45; n += 1) backend.clients.writesAs("client-1", 8, `Version ${n}.`);
  const wrote = within(detail).getByRole("region", { name: "What it wrote" });
  await waitFor(() => expect(within(wrote).getAllByRole("listitem")).toHaveLength(20));
  await user.click(within(wrote).getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(within(wrote).getAllByRole("listitem")).toHaveLength(40));
  await user.click(within(wrote).getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(within(wrote).getAllByRole("listitem")).toHaveLength(45));
  expect(within(wrote).queryByRole("button", { name: "Show more" })).toBeNull();
});

test("revoking asks first, then the client can only be read about, and a new token lets it in again", async () => {
  const { user, backend } = await openWindow("/control?part=clients&client=client-2", few);
  const detail = await client("Cursor");
  await user.click(within(detail).getByRole("button", { name: "Revoke…" }));
  expect(backend.clients.clients[1]?.revokedAt).toBeNull();
  await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Revoke" }));
  expect(await within(detail).findByText(/A new token lets it in again/)).toBeTruthy();
  await user.click(within(detail).getByRole("checkbox", { name: "Write: Workspace" }));
  expect(callsOf(backend, "set_grants")).toEqual([]);
  await user.click(within(detail).getByRole("button", { name: "New token" }));
  const ask = await screen.findByRole("alertdialog");
  expect(ask.textContent).toContain("lets Cursor in again");
  await user.click(within(ask).getByRole("button", { name: "Make a new token" }));
  expect(await within(detail).findByRole("region", { name: /^The token of/ })).toBeTruthy();
  expect(backend.clients.clients[1]?.revokedAt).toBeNull();
});

test("a new token takes the place of the old one, and is shown", async () => {
  const { user } = await openWindow("/control?part=clients", few);
  const detail = await client("Claude Desktop");
  expect(await within(detail).findByText(/THE_TOKEN_OF_THIS_CLIENT/)).toBeTruthy();
  await user.click(within(detail).getByRole("button", { name: "New token" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Make a new token" }));
  expect(await within(detail).findByRole("region", { name: /^The token of/ })).toBeTruthy();
  await waitFor(() => expect(within(detail).queryByText(/THE_TOKEN_OF_THIS_CLIENT/)).toBeNull());
});

test("the server is off until switched on, and says when it had to take another port", async () => {
  const { user, backend } = await openWindow("/control?part=clients", few);
  backend.clients.taken.add(7862);
  const server = await screen.findByRole("region", { name: "MCP server" });
  expect(server.textContent).toContain("Off.");
  await user.click(within(server).getByRole("switch", { name: "MCP server" }));
  expect(await within(server).findByText("http://127.0.0.1:7863/mcp")).toBeTruthy();
  expect(within(server).getByRole("status").textContent).toContain("Port 7862 is taken");
  const port = within(server).getByRole("textbox", { name: "Port" });
  await user.clear(port);
  await user.type(port, "80{Enter}");
  expect((await within(server).findByRole("alert")).textContent).toContain("Between 1,024 and 65,535");
  expect(callsOf(backend, "set_mcp")).toHaveLength(1);
});
