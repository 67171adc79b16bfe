import { screen, waitFor } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { WorkspaceView } from "../../../ipc/bindings.gen";
import { memoriesOf, type Opened, openWindow } from "../../../testing/open";
import { makeShell } from "../../../testing/shell";

const open = async (before?: (opened: Opened) => Promise<void>) => {
  const shell = makeShell("capture");
  const opened = await openWindow("/capture", { shell });
  await before?.(opened);
  const field = await screen.findByRole("textbox", { name: "Text of the memory" });
  await screen.findByRole("combobox", { name: "World" });
  await waitFor(() => expect(screen.getByRole("combobox", { name: "World" }).textContent).not.toBe(""));
  return { ...opened, shell, field };
};

test("Ctrl+Enter saves by the command of the editor and closes the window", async () => {
  const { user, field, core, shell, transport } = await open();
  expect(document.activeElement).toBe(field);
  await user.type(field, "A heron stood on the weir.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(shell.destroyed).toBe(1));
  const row = (await memoriesOf(core)).find(({ preview }) => preview === "A heron stood on the weir.");
  expect(row).toMatchObject({ scope: "workspace", curator: "author" });
  expect(transport.callsOf("create_memory")).toHaveLength(1);
});

test("world and tier are chosen from lists, and the last choice is kept", async () => {
  const { user, field, core, shell } = await open(async ({ core }) => {
    await core.call("create_workspace", { name: "The High Fells" });
  });
  await user.click(screen.getByRole("combobox", { name: "World" }));
  await user.click(await screen.findByRole("option", { name: "The High Fells" }));
  await user.click(screen.getByRole("combobox", { name: "Tier" }));
  await user.click(await screen.findByRole("option", { name: "Channel" }));
  await user.type(field, "Snow in June.");
  await user.click(screen.getByRole("button", { name: "Remember" }));
  await waitFor(() => expect(shell.destroyed).toBe(1));

  const previews = async () => (await memoriesOf(core)).map(({ preview }) => preview);
  expect(await previews()).not.toContain("Snow in June.");
  const all = await core.call<WorkspaceView[]>("list_workspaces");
  const fells = all.find(({ name }) => name === "The High Fells");
  expect(all.find(({ current }) => current)?.name).toBe("The Drowned Coast");
  expect(JSON.parse(localStorage.getItem("inklings.capture") ?? "")).toEqual({
    world: fells?.id,
    tier: "channel",
  });
  await core.call("switch_workspace", { id: fells?.id });
  expect(await previews()).toContain("Snow in June.");
});

test("Escape puts what was begun aside, and closes an empty window", async () => {
  const { user, field, shell, transport } = await open();
  await user.type(field, "Half a thou");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(transport.callsOf("put_aside_capture")).toHaveLength(1));
  expect(shell.destroyed).toBe(0);
  expect(field).toHaveProperty("value", "Half a thou");
  await user.clear(field);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(shell.destroyed).toBe(1));
});

test("text typed while a memory is saved keeps the window open", async () => {
  const { user, field, core, shell, transport } = await open();
  await user.type(field, "A heron.");
  const release = transport.hold("create_memory");
  await user.click(screen.getByRole("button", { name: "Remember" }));
  await user.type(field, " An otter.");
  release();
  const previews = async () => (await memoriesOf(core)).map(({ preview }) => preview);
  await waitFor(async () => expect(await previews()).toContain("A heron."));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Remember" })).toHaveProperty("disabled", false),
  );
  expect(field).toHaveProperty("value", "A heron. An otter.");
  expect(shell.destroyed).toBe(0);
});

test("the last window of the program asks before words are lost", async () => {
  const { user, field, shell } = await open();
  shell.others = false;
  await user.type(field, "Half a thou");
  await user.keyboard("{Escape}");
  await screen.findByRole("alertdialog");
  await user.click(screen.getByRole("button", { name: "Stay" }));
  expect(shell.destroyed).toBe(0);
  await user.click(field);
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Close and lose them" }));
  await waitFor(() => expect(shell.destroyed).toBe(1));
});

test("what the core refuses is said, and the words stay", async () => {
  const { user, field, shell, transport } = await open();
  transport.failing.add("create_memory");
  await user.type(field, "A heron stood on the weir.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect((await screen.findByRole("alert")).textContent).toBe("The database did not answer.");
  expect(field).toHaveProperty("value", "A heron stood on the weir.");
  expect(shell.destroyed).toBe(0);
});
