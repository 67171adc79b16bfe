import { chmodSync } from "node:fs";
import { join } from "node:path";
import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { memoriesOf, openWindow } from "../testing/open";

test("the palette finds an action by a few letters of its name", async () => {
  const { user } = await openWindow();
  await screen.findByRole("grid");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "go settings");
  await waitFor(() => expect(screen.getAllByRole("option")[0]?.textContent).toContain("Go to Settings"));
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "Settings" })).toBeTruthy();
});

test("every action with a key is listed among the shortcuts", async () => {
  const { user } = await openWindow();
  await screen.findByRole("grid");
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog");
  for (const label of ["New memory", "Search memories", "Undo the last change", "Go to Settings"]) {
    expect(within(dialog).getByText(label)).toBeTruthy();
  }
});

test("single keys do nothing while someone writes", async () => {
  const { user } = await openWindow();
  await screen.findByRole("grid");
  await user.type(screen.getByRole("textbox", { name: "Search memories" }), "nu?");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("u undoes the last change", async () => {
  const { user, core, transport } = await openWindow();
  const before = (await memoriesOf(core)).length;
  (await screen.findByRole("grid")).focus();
  await user.keyboard("{Delete}");
  await screen.findByText("Memory forgotten.");
  await user.keyboard("u");
  await waitFor(() => expect(transport.callsOf("undo_last")).toHaveLength(1));
  await waitFor(async () => expect(await memoriesOf(core)).toHaveLength(before));
});

test("Back from Settings leads to the earlier view", async () => {
  const { user, address } = await openWindow("/memory?scope=workspace&q=harbour");
  await screen.findByRole("grid");
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { name: "Settings" });
  await user.click(screen.getByRole("link", { name: "Memory" }));
  await screen.findByRole("grid");
  expect(address().search).toMatchObject({ scope: "workspace", q: "harbour" });
});

test("pages that do not exist are not offered", async () => {
  await openWindow();
  const links = within(screen.getByRole("navigation")).getAllByRole("link");
  expect(links.map((link) => link.textContent?.replace(/\d.*$/, ""))).toEqual([
    "Memory",
    "Conversations",
    "Channels",
    "Subjects",
    "Timeline",
    "Always in mind",
    "Pages",
    "Activity",
    "Settings",
  ]);
});

test("Back from Settings leads to the earlier conversation", async () => {
  const { user, address } = await openWindow("/conversations/Zb71mNc0QeR?tab=notes");
  await screen.findByRole("region", { name: "Transcript" });
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { name: "Settings" });
  await user.click(screen.getByRole("link", { name: "Conversations" }));
  await screen.findByRole("region", { name: "Transcript" });
  expect(address().pathname).toBe("/conversations/Zb71mNc0QeR");
  expect(address().search).toMatchObject({ tab: "notes" });
});

test("the title of the window names its page and its world", async () => {
  const { user } = await openWindow();
  await waitFor(() => expect(document.title).toBe("Memory · The Drowned Coast · Inklings"));
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await waitFor(() => expect(document.title).toBe("Settings · The Drowned Coast · Inklings"));
});

test("a truncated name of the world has its full name as a tooltip", async () => {
  await openWindow();
  const switcher = await screen.findByRole("button", { name: "World: The Drowned Coast" });
  expect(switcher.title).toBe("The Drowned Coast");
});

test("shortcuts of a single key can be switched off, and those with Ctrl stay active", async () => {
  const { user } = await openWindow();
  await screen.findByRole("grid");
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  const everywhere = within(dialog).getByRole("region", { name: "Everywhere" });
  const here = within(dialog).getByRole("region", { name: "On this page" });
  expect(everywhere.textContent).not.toContain("New memory");
  expect(everywhere.textContent).toContain("Command palette");
  expect(here.textContent).toContain("New memory");
  await user.click(within(dialog).getByRole("switch", { name: "Single-key shortcuts" }));
  expect(here.textContent).not.toContain("New memory");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  for (const key of ["n", "?", "f", "/"]) await user.keyboard(key);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement?.matches("input")).toBe(false);
  await user.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("dialog", { name: "Command palette" })).toBeTruthy();
});

test("a message about one page does not stay on the next", async () => {
  const { user } = await openWindow();
  (await screen.findByRole("grid")).focus();
  await user.keyboard("{Delete}");
  expect(await screen.findByText("Memory forgotten.")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await waitFor(() => expect(screen.queryByText("Memory forgotten.")).toBeNull());
});

test("files that others could read until this start are reported once", async () => {
  const { user } = await openWindow("/memory", {
    before: ({ data }) => {
      chmodSync(join(data, "agents.db"), 0o644);
      chmodSync(join(data, "backups"), 0o755);
    },
  });
  const notice = await screen.findByText(/could read your memory \(agents\.db and backups\)/);
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(notice.isConnected).toBe(false);
});

test("where nothing can be read, the heading of the page states the fault", async () => {
  await openWindow("/memory", { failing: ["app_status"] });
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByRole("heading", { level: 1 })).toBeTruthy();
});
