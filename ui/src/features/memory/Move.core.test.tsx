import { fireEvent, screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { detailOf, memoriesOf, type Opened, openWindow } from "../../testing/open";

const noteOf = (rows: Awaited<ReturnType<typeof memoriesOf>>) => {
  const row = rows.find((it) => it.name === null && it.scope === "workspace" && it.forgottenAt === null);
  if (!row) throw new Error("no memory of the world without a name");
  return row;
};

/** Opens a memory and the dialog that moves it. */
async function askToMove({ user, core, router }: Opened) {
  const row = noteOf(await memoriesOf(core));
  await router.navigate({ to: "/memory", search: { id: row.id } });
  const pane = within(await screen.findByRole("region", { name: "The memory" }));
  await user.click(await pane.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Move…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Move 1 memory" }));
  return { row, dialog };
}

test("an open memory moves to another tier and comes back with Undo", async () => {
  const opened = await openWindow();
  const { user, core } = opened;
  const { row, dialog } = await askToMove(opened);
  await user.click(dialog.getByRole("combobox", { name: "Tier" }));
  await user.click(await screen.findByRole("option", { name: "Channel" }));
  await user.click(dialog.getByRole("button", { name: "Move" }));
  await waitFor(async () => expect((await detailOf(core, row.id)).row.scope).toBe("channel"));
  expect(await screen.findByText("Memory moved.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(async () => expect((await detailOf(core, row.id)).row.scope).toBe("workspace"));
});

test("selected memories are pinned, weighed and moved at once", async () => {
  const { user, core, transport } = await openWindow("/memory?scope=workspace&f=-lifetime%3Ashort_term");
  const grid = await screen.findByRole("grid", { name: "Memories" });
  const rows = (await memoriesOf(core))
    .filter((it) => it.name === null && it.scope === "workspace")
    .slice(0, 2);
  const select = async () => {
    for (const { preview } of rows) {
      const row = within(grid)
        .getAllByRole("row")
        .find((it) => it.textContent?.includes(preview.slice(0, 20)));
      if (!row) throw new Error("the memory is not in the list");
      fireEvent.click(row, { ctrlKey: true });
    }
    return within(await screen.findByRole("toolbar", { name: "Actions on the selected memories" }));
  };
  const all = async () => Promise.all(rows.map(async ({ id }) => (await detailOf(core, id)).row));

  let bar = await select();
  await user.click(bar.getByRole("button", { name: "Properties" }));
  await user.click(await screen.findByRole("menuitem", { name: "Pin" }));
  await waitFor(async () => expect((await all()).every((row) => row.pinned)).toBe(true));

  bar = await select();
  await user.click(bar.getByRole("button", { name: "Properties" }));
  await user.click(await screen.findByRole("menuitem", { name: "Importance…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Importance of 2 memories" }));
  await user.click(dialog.getByRole("button", { name: "Apply" }));
  await waitFor(async () => expect((await all()).every((row) => row.importance === 0.5)).toBe(true));

  bar = await select();
  await user.click(bar.getByRole("button", { name: "Move" }));
  const mover = within(await screen.findByRole("dialog", { name: "Move 2 memories" }));
  await user.click(mover.getByRole("combobox", { name: "Tier" }));
  await user.click(await screen.findByRole("option", { name: "Account" }));
  await user.click(mover.getByRole("button", { name: "Move" }));
  await waitFor(() => expect(transport.callsOf("move_memories")).toHaveLength(1));
  await waitFor(async () => expect((await all()).every((row) => row.forgottenAt !== null)).toBe(true));
  const texts = (await memoriesOf(core)).filter((it) => it.scope === "account").map((it) => it.preview);
  expect(texts).toEqual(expect.arrayContaining(rows.map((row) => row.preview)));
});

test("an open memory moves to another world, and its own names that world", async () => {
  const opened = await openWindow();
  const { user, core } = opened;
  const other = await core.call<{ id: string }>("create_workspace", { name: "Westmark" });
  const { row, dialog } = await askToMove(opened);
  await user.click(await dialog.findByRole("combobox", { name: "World" }));
  await user.click(await screen.findByRole("option", { name: "Westmark" }));
  expect(dialog.getByText(/Undo brings it back here and leaves the one in that world/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Move" }));
  await waitFor(async () => expect((await detailOf(core, row.id)).row.forgottenAt).not.toBeNull());
  expect((await detailOf(core, row.id)).forgotten).toMatchObject({ reason: "moved", note: "Westmark" });
  expect(await screen.findByText("Memory moved to the other world. Undo leaves it there, too.")).toBeTruthy();
  await core.call("switch_workspace", { id: other.id });
  expect((await memoriesOf(core)).map((it) => it.preview)).toContain(row.preview);
});
