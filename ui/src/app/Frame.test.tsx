import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { callsOf, openWindow } from "../testing/open";

test("the palette reaches an action by a few letters of its name", async () => {
  const { user } = await openWindow("/memory", { extra: 0 });
  await screen.findByRole("grid");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "go settings");
  await waitFor(() => expect(screen.getAllByRole("option")[0]?.textContent).toContain("Go to Settings"));
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "Settings" })).toBeTruthy();
});

test("every action with a key is listed among the shortcuts", async () => {
  const { user } = await openWindow("/memory", { extra: 0 });
  await screen.findByRole("grid");
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog");
  for (const label of ["New memory", "Search memories", "Undo the last change", "Go to Settings"]) {
    expect(within(dialog).getByText(label)).toBeTruthy();
  }
});

test("single keys are left alone while someone writes", async () => {
  const { user } = await openWindow("/memory", { extra: 0 });
  await screen.findByRole("grid");
  await user.type(screen.getByRole("textbox", { name: "Search memories" }), "nu?");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("u takes back the last change", async () => {
  const { user, backend } = await openWindow("/memory", { extra: 0 });
  (await screen.findByRole("grid")).focus();
  await user.keyboard("{Delete}");
  await screen.findByText("Memory forgotten.");
  await user.keyboard("u");
  await waitFor(() => expect(callsOf(backend, "undo_last")).toHaveLength(1));
  await waitFor(() => expect([...backend.entries.values()].some((it) => it.detail.forgotten)).toBe(false));
});

test("the way back from Settings leads to the view one left", async () => {
  const { user, address } = await openWindow("/memory?scope=workspace&q=harbour", { extra: 0 });
  await screen.findByRole("grid");
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { name: "Settings" });
  await user.click(screen.getByRole("link", { name: "Memory" }));
  await screen.findByRole("grid");
  expect(address().search).toMatchObject({ scope: "workspace", q: "harbour" });
});

test("pages that do not exist yet are not offered", async () => {
  await openWindow();
  const links = within(screen.getByRole("navigation")).getAllByRole("link");
  expect(links.map((link) => link.textContent?.replace(/\d.*$/, ""))).toEqual([
    "Memory",
    "Conversations",
    "Channels",
    "Named entries",
    "Activity",
    "Settings",
  ]);
});

test("the way back from Settings leads to the conversation one left", async () => {
  const { user, address } = await openWindow("/conversations/Zb71mNc0QeR?tab=notes", { extra: 0 });
  await screen.findByRole("region", { name: "Transcript" });
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { name: "Settings" });
  await user.click(screen.getByRole("link", { name: "Conversations" }));
  await screen.findByRole("region", { name: "Transcript" });
  expect(address().pathname).toBe("/conversations/Zb71mNc0QeR");
  expect(address().search).toMatchObject({ tab: "notes" });
});
