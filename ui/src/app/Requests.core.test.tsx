import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fireEvent, screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { Address, MemoryDetail, Target, WorkspaceView } from "../ipc/bindings.gen";
import { memoriesOf, openWindow } from "../testing/open";
import { makeShell } from "../testing/shell";

const to = (target: Target, value: string, world: string | null = null): Address => ({
  target,
  value,
  world,
});
const link = (address: Address) => ({ kind: "open" as const, address });

test("a link of the first start is followed as soon as the page is there", async () => {
  const shell = makeShell();
  shell.requests.push(link(to("search", "the tide")));
  const { address } = await openWindow("/settings", { shell });
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: { q: "the tide" } }));
});

test("a link of a later start is followed from any page, and an id that nothing has is said", async () => {
  const shell = makeShell();
  const { core, address } = await openWindow("/settings", { shell });
  const [row] = await memoriesOf(core);
  await shell.ask(link(to("memory", row?.id ?? "")));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: { id: row?.id } }));
  await shell.ask(link(to("conversation", "CNONE")));
  await waitFor(() => expect(address().pathname).toBe("/conversations/CNONE"));
  await shell.ask(link(to("subject", row?.id ?? "")));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/world", search: { id: row?.id } }));
});

test("a link to another world asks before it is opened", async () => {
  const shell = makeShell();
  const { core, user, address } = await openWindow("/settings", { shell });
  const fells = await core.call<WorkspaceView>("create_workspace", { name: "The High Fells" });
  const there = link(to("search", "snow", fells.id));
  await shell.ask(there);
  const question = await screen.findByRole("alertdialog", { name: "Open the world The High Fells?" });
  await user.click(within(question).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(address().pathname).toBe("/settings");
  await shell.ask(there);
  await user.click(await screen.findByRole("button", { name: "Open it" }));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: { q: "snow" } }));
  const worlds = await core.call<WorkspaceView[]>("list_workspaces");
  expect(worlds.find(({ current }) => current)?.name).toBe("The High Fells");
});

test("a link to a world that is not there says so", async () => {
  const shell = makeShell();
  const { user, address } = await openWindow("/settings", { shell });
  await shell.ask(link(to("search", "snow", "0190a5c6-8f2e-7c3d-9b1a-5e4f3a2b1c0d")));
  const notice = await screen.findByRole("dialog", { name: "The world of this link is not here" });
  await user.click(within(notice).getByRole("button", { name: "Close" }));
  expect(address().pathname).toBe("/settings");
});

test("what is no link is refused with a reason", async () => {
  const shell = makeShell();
  const { address } = await openWindow("/settings", { shell });
  await shell.ask({ kind: "refuse", why: "unknown_target" });
  await screen.findByText("This link leads nowhere.");
  await screen.findByText("It names nothing that a link can show.");
  expect(address().pathname).toBe("/settings");
});

test("a file that was opened with the program is offered, and nothing is imported before it is asked for", async () => {
  const shell = makeShell();
  const { core, transport } = await openWindow("/settings", { shell });
  const path = join(core.home.path, "herons.json");
  writeFileSync(path, JSON.stringify([{ id: "1", memory: "A heron nests under the weir." }]));
  await shell.ask({ kind: "import", paths: [path] });
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText(/herons/);
  expect(transport.callsOf("import_memory")).toEqual([]);
});

test("what is shown, a link and a memory open in windows of their own", async () => {
  const shell = makeShell();
  const { core, user } = await openWindow("/memory?q=tide", { shell });
  const [row] = await memoriesOf(core);
  await user.keyboard("{Control>}{Alt>}n{/Alt}{/Control}");
  await waitFor(() => expect(shell.opened).toEqual(["/memory?q=tide"]));
  await shell.ask(link(to("memory", row?.id ?? "")));
  const region = await screen.findByRole("region", { name: "The memory" });
  await user.click(await within(region).findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Open in a new window" }));
  await waitFor(() => expect(shell.opened[1]).toBe(`/memory?id=${row?.id}&own=true`));
});

test("the link to a memory names it and its world", async () => {
  const { core, user } = await openWindow("/memory");
  const [row] = await memoriesOf(core);
  const detail = await core.call<MemoryDetail>("get_memory", { id: row?.id });
  const worlds = await core.call<WorkspaceView[]>("list_workspaces");
  const world = worlds.find(({ current }) => current);
  fireEvent.click(await screen.findByRole("row", { name: new RegExp(detail.content.slice(0, 20)) }));
  const region = await screen.findByRole("region", { name: "The memory" });
  await user.click(await within(region).findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Copy link" }));
  await screen.findByText("Link copied.");
  expect(await navigator.clipboard.readText()).toBe(`inklings://memory/${row?.id}?world=${world?.id}`);
});

test("another window that switches the world takes this one with it", async () => {
  const { core, address } = await openWindow("/settings");
  await waitFor(() => expect(document.title).toContain("The Drowned Coast"));
  const fells = await core.call<WorkspaceView>("create_workspace", { name: "The High Fells" });
  await core.call("switch_workspace", { id: fells.id });
  await waitFor(() => expect(address().pathname).toBe("/memory"));
  await screen.findByText("Another window switched to The High Fells.");
});
