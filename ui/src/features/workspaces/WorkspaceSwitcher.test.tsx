import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openWindow } from "../../testing/open";

const menu = async (user: Awaited<ReturnType<typeof openWindow>>["user"], item: string) => {
  await user.click(await screen.findByRole("button", { name: /^Workspace: The Drowned Coast/ }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return screen.findByRole("dialog");
};

test("a new workspace is entered at once", async () => {
  const { user, backend } = await openWindow();
  const dialog = await menu(user, "New workspace…");
  await user.type(within(dialog).getByRole("textbox"), "The Salt Coast{Enter}");
  await waitFor(() => expect(backend.workspaces.find((it) => it.current)?.name).toBe("The Salt Coast"));
  expect(await screen.findByRole("button", { name: "Workspace: The Salt Coast" })).toBeTruthy();
});

test("an unsafe name is refused at its field with the reason", async () => {
  const { user, backend } = await openWindow();
  const dialog = await menu(user, "New workspace…");
  await user.type(within(dialog).getByRole("textbox"), "../x{Enter}");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("cannot hold");
  expect(backend.workspaces).toHaveLength(2);
});

test("deleting a workspace asks for its name first", async () => {
  const { user, backend } = await openWindow();
  const dialog = await menu(user, "Delete…");
  const button = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Delete workspace" });
  expect(button.disabled).toBe(true);
  await user.type(within(dialog).getByRole("textbox"), "The Drowned Coast");
  await user.click(button);
  await waitFor(() => expect(backend.workspaces.map((it) => it.name)).toEqual(["Ember Court"]));
});

test("entering another world leaves filters and selection behind", async () => {
  const { user, address } = await openWindow("/memory?scope=account&f=%5B%22tag:style%22%5D");
  await user.click(await screen.findByRole("button", { name: /^Workspace: The Drowned Coast/ }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Ember Court" }));
  await screen.findByRole("button", { name: "Workspace: Ember Court" });
  expect(address().search).toEqual({});
});

test("without any workspace the first thing is to name one", async () => {
  const { user, backend } = await openWindow("/memory", { noWorkspace: true });
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "First Light{Enter}");
  await waitFor(() => expect(backend.workspaces).toHaveLength(1));
});

test("a damaged workspace is listed apart, with why and its ways out", async () => {
  const { user, backend } = await openWindow("/memory", { damagedWorkspace: true });
  await user.click(await screen.findByRole("button", { name: /^Workspace: The Drowned Coast/ }));
  expect(screen.queryByRole("menuitemradio", { name: /truoC/ })).toBeNull();
  await user.click(await screen.findByRole("menuitem", { name: "Ember truoC (damaged)" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("Its name is not allowed");
  expect(within(dialog).getByRole("link", { name: "Restore a backup of it" })).toBeTruthy();
  expect(within(dialog).getByRole("button", { name: "Set it aside…" })).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Give it another name…" }));
  const naming = await screen.findByRole("dialog", { name: "Rename workspace" });
  const field = within(naming).getByRole("textbox");
  await user.clear(field);
  await user.type(field, "Mended{Enter}");
  await waitFor(() => expect(backend.workspaces.find((it) => it.id === "ws-3")?.name).toBe("Mended"));
});
