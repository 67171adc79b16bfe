import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { SALTMERE } from "../../../testing/fixtures/ids";
import { detailOf, memoriesOf, openWindow } from "../../../testing/open";

const grid = () => screen.findByRole("grid", { name: "Memories" });
const bar = async () => within(await screen.findByRole("toolbar"));

/** Opens a memory and selects the first two others of the list; the focus is in the bar. */
async function select() {
  const opened = await openWindow(`/memory?id=${SALTMERE}`);
  const { user, core } = opened;
  await screen.findByRole("button", { name: "Edit" });
  const chosen = (await memoriesOf(core)).map(({ id }) => id).slice(0, 2);
  expect(chosen).not.toContain(SALTMERE);
  (await grid()).focus();
  await user.keyboard("{Home}x{Shift>}{ArrowDown}{/Shift}");
  await screen.findByText("2 selected");
  (await bar()).getByRole("button", { name: "Tag" }).focus();
  return { ...opened, chosen };
}

test("Delete in the bar forgets what is selected, and not the open memory", async () => {
  const { user, core, transport, chosen } = await select();
  await user.keyboard("{Delete}");
  await screen.findByText("2 memories forgotten.");
  expect(transport.callsOf("forget_memories").map(({ ids }) => ids)).toEqual([chosen]);
  expect((await detailOf(core, SALTMERE)).forgotten).toBeNull();
});

test("the key forgets no open memory while others are selected", async () => {
  const { user, transport } = await select();
  (await screen.findByRole("region", { name: "The memory" })).focus();
  await user.keyboard("{Delete}");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "forget");
  expect(await screen.findByRole("option", { name: /Forget the selected memories/ })).toBeTruthy();
  expect(transport.callsOf("forget_memories")).toEqual([]);
});

test("Ctrl+A and Escape in the bar select all and nothing, and the list has the focus again", async () => {
  const { user, core } = await select();
  await user.keyboard("{Control>}a{/Control}");
  await screen.findByText(`${(await memoriesOf(core)).length} selected`);
  // The first one closes the hint of the button that has the focus.
  await user.keyboard("{Escape}{Escape}");
  await waitFor(() => expect(screen.queryByRole("toolbar")).toBeNull());
  const list = await grid();
  await waitFor(() => expect(document.activeElement).toBe(list));
});

test("keys in a dialog of the bar are its own", async () => {
  const { user, transport } = await select();
  await user.click((await bar()).getByRole("button", { name: "Tag" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getAllByRole("textbox")[0] as HTMLElement, "red{Control>}a{/Control}{Delete}");
  expect(transport.callsOf("forget_memories")).toEqual([]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("2 selected")).toBeTruthy();
});
