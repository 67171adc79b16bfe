import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { AppStatus, WorkspaceView } from "../../ipc/bindings.gen";
import { damagedName } from "../../testing/damage";
import { type Core, openWindow } from "../../testing/open";

const workspaces = (core: Core) => core.call<WorkspaceView[]>("list_workspaces");

const menu = async (user: Awaited<ReturnType<typeof openWindow>>["user"], item: string) => {
  await user.click(await screen.findByRole("button", { name: /^World: The Drowned Coast/ }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return screen.findByRole("dialog");
};

test("a new workspace is opened at once", async () => {
  const { user, core } = await openWindow();
  const dialog = await menu(user, "New world…");
  await user.type(within(dialog).getByRole("textbox"), "The Salt Coast{Enter}");
  await waitFor(async () =>
    expect((await workspaces(core)).find((it) => it.current)?.name).toBe("The Salt Coast"),
  );
  expect(await screen.findByRole("button", { name: "World: The Salt Coast" })).toBeTruthy();
});

test("an unsafe name is refused at its field with the reason", async () => {
  const { user, core } = await openWindow();
  const dialog = await menu(user, "New world…");
  await user.type(within(dialog).getByRole("textbox"), "../x{Enter}");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("cannot contain");
  expect(await workspaces(core)).toHaveLength(2);
});

test("deleting a workspace asks for its name first", async () => {
  const { user, core } = await openWindow();
  const dialog = await menu(user, "Delete…");
  const button = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Delete world" });
  expect(button.disabled).toBe(true);
  await user.type(within(dialog).getByRole("textbox"), "The Drowned Coast");
  await user.click(button);
  await waitFor(async () => expect((await workspaces(core)).map((it) => it.name)).toEqual(["Ember Court"]));
});

test("switching the workspace resets filters and selection", async () => {
  const { user, address } = await openWindow("/memory?scope=account&f=%5B%22tag:style%22%5D");
  await user.click(await screen.findByRole("button", { name: /^World: The Drowned Coast/ }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Ember Court" }));
  await screen.findByRole("button", { name: "World: Ember Court" });
  expect(address().search).toEqual({});
});

test("without any workspace the page asks for the name of one", async () => {
  const { user, core } = await openWindow("/memory", {
    changes: {
      // The core makes one where it can write; this is what it says where it cannot.
      app_status: (status: AppStatus) => ({ ...status, workspace: null }),
      list_workspaces: () => [],
    },
  });
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "First Light{Enter}");
  await waitFor(async () => expect((await workspaces(core)).map((it) => it.name)).toContain("First Light"));
});

test("a damaged workspace is listed separately, with the reason and its remedies", async () => {
  const { user, core } = await openWindow("/memory", { before: damagedName });
  await user.click(await screen.findByRole("button", { name: /^World: The Drowned Coast/ }));
  expect(screen.queryByRole("menuitemradio", { name: /truoC/ })).toBeNull();
  await user.click(await screen.findByRole("menuitem", { name: "Ember truoC (damaged)" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("Its name has characters");
  expect(within(dialog).getByRole("link", { name: "Restore a backup of it" })).toBeTruthy();
  expect(within(dialog).getByRole("button", { name: "Set it aside…" })).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Give it another name…" }));
  const naming = await screen.findByRole("dialog", { name: "Rename world" });
  const field = within(naming).getByRole("textbox");
  await user.clear(field);
  await user.type(field, "Mended{Enter}");
  await waitFor(async () =>
    expect((await workspaces(core)).find((it) => it.name === "Mended")?.damaged).toBeNull(),
  );
});
