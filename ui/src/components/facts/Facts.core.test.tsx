import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { CalendarList, FactPage } from "../../ipc/bindings.gen";
import { type Core, openWindow } from "../../testing/open";

const FACTS = "/conversations/k3T9wPq2LxA?tab=facts";

const add = (core: Core, value: string, holds: string | null) =>
  core.call("set_fact", {
    request: { category: "Ambry", key: "ruler", value, conversation: null, holds, calendar: null },
  });

/** A calendar, and a key with a value until 812 and another one from then on. */
async function ruled(core: Core) {
  const { presets } = await core.call<CalendarList>("list_calendars");
  await core.call("add_calendar", { name: "Common", definition: presets[0]?.definition });
  await add(core, "Aldous", "– 812");
  await add(core, "Bera", "813 –");
}

const OF_AMBRY = {
  category: "Ambry",
  asOf: null,
  within: null,
  calendar: null,
  after: null,
  limit: 50,
};

const rulers = async (core: Core) => {
  const { rows } = await core.call<FactPage>("list_facts", { request: OF_AMBRY });
  return rows.map((row) => [row.value, row.storyTime?.text ?? null]);
};

const group = async () => within(await screen.findByRole("list", { name: "ruler" }));

test("facts of one key are a group, each with its time in the story", async () => {
  const { core } = await openWindow(FACTS);
  await ruled(core);
  const items = (await group()).getAllByRole("listitem");
  expect(items.map((item) => item.textContent)).toEqual([
    "Aldousholds: – 812 Anno Dominiset by you",
    "Beraholds: 813 Anno Domini –set by you",
  ]);
  expect(screen.getByRole("heading", { level: 4, name: "ruler" })).toBeTruthy();
});

test("the time of a fact is changed in its dialog, and one that is taken is refused at the dates", async () => {
  const { user, core } = await openWindow(FACTS);
  await ruled(core);
  await user.click((await group()).getByRole("button", { name: /^Actions on ruler, – 812/ }));
  await user.click(await screen.findByRole("menuitem", { name: "Change the fact" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change the fact" }));
  const dates = await dialog.findByRole<HTMLInputElement>("textbox", { name: "Holds" });
  expect(dates.value).toBe("– 812 Anno Domini");
  await user.clear(dates);
  await user.type(dates, "– 815");
  await dialog.findByText("– 815 Anno Domini");
  await user.click(dialog.getByRole("button", { name: "Set" }));
  expect((await dialog.findByText(/two values never hold at one time/)).getAttribute("role")).toBe("alert");
  await user.clear(dates);
  await user.type(dates, "– 800");
  await dialog.findByText("– 800 Anno Domini");
  await user.clear(dialog.getByRole("textbox", { name: "Ambry, ruler" }));
  await user.type(dialog.getByRole("textbox", { name: "Ambry, ruler" }), "Aldous the Old");
  await user.click(dialog.getByRole("button", { name: "Set" }));
  await waitFor(async () =>
    expect(await rulers(core)).toEqual([
      ["Aldous the Old", "– 800 Anno Domini"],
      ["Bera", "813 Anno Domini –"],
    ]),
  );
});

test("a new fact takes a time, and undo of a value changes the fact that was meant", async () => {
  const { user, core } = await openWindow(FACTS);
  await ruled(core);
  await group();
  await user.click(screen.getByRole("button", { name: "New fact" }));
  const added = within(await screen.findByRole("dialog", { name: "New fact" }));
  await user.type(added.getByRole("textbox", { name: "About" }), "Ambry");
  await user.type(added.getByRole("textbox", { name: "What" }), "river");
  await user.type(added.getByRole("textbox", { name: "Value" }), "Ley");
  await user.type(await added.findByRole("textbox", { name: "Holds" }), "700 –");
  await added.findByText("700 Anno Domini –");
  await user.click(added.getByRole("button", { name: "Set" }));
  expect(await screen.findByText("holds: 700 Anno Domini –")).toBeTruthy();
  await user.click((await group()).getByRole("button", { name: /^Actions on ruler, 813/ }));
  await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
  await waitFor(async () => expect(await rulers(core)).toHaveLength(2));
  const toast = (await screen.findByText("The fact no longer holds.")).closest("li");
  await user.click(within(toast as HTMLElement).getByRole("button", { name: "Undo" }));
  await waitFor(async () =>
    expect(await rulers(core)).toEqual([
      ["Ley", "700 Anno Domini –"],
      ["Aldous", "– 812 Anno Domini"],
      ["Bera", "813 Anno Domini –"],
    ]),
  );
});

test("undo of a new value restores the one before, and removes a fact that was removed before", async () => {
  const { user, core } = await openWindow(FACTS);
  const set = async (value: string) => {
    await user.click(await screen.findByRole("button", { name: "New fact" }));
    const dialog = within(await screen.findByRole("dialog", { name: "New fact" }));
    await user.type(dialog.getByRole("textbox", { name: "About" }), "Ambry");
    await user.type(dialog.getByRole("textbox", { name: "What" }), "ruler");
    await user.type(dialog.getByRole("textbox", { name: "Value" }), value);
    await user.click(dialog.getByRole("button", { name: "Set" }));
    await waitFor(async () => expect(await rulers(core)).toEqual([[value, null]]));
  };
  const undo = async () => {
    const toasts = await screen.findAllByRole("button", { name: "Undo" });
    await user.click(toasts[0] as HTMLElement);
  };
  await add(core, "Aldous", null);
  await set("Bera");
  await undo();
  await waitFor(async () => expect(await rulers(core)).toEqual([["Aldous", null]]));
  const { rows } = await core.call<FactPage>("list_facts", { request: OF_AMBRY });
  await core.call("remove_fact", { id: rows[0]?.id });
  await set("Cadoc");
  await undo();
  await waitFor(async () => expect(await rulers(core)).toEqual([]));
});

test("facts are reached from the world without a conversation, and one is set there", async () => {
  const { user, core } = await openWindow("/world?look=facts");
  await user.click(await screen.findByRole("button", { name: "New fact" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New fact" }));
  await user.type(dialog.getByRole("textbox", { name: "About" }), "Ambry");
  await user.type(dialog.getByRole("textbox", { name: "What" }), "founded");
  await user.type(dialog.getByRole("textbox", { name: "Value" }), "312");
  await user.click(dialog.getByRole("button", { name: "Set" }));
  await within(await screen.findByRole("region", { name: "Ambry" })).findByText("312");
  const { rows } = await core.call<FactPage>("list_facts", { request: OF_AMBRY });
  expect(rows.map(({ key, value, source }) => [key, value, source])).toEqual([["founded", "312", "user"]]);
});
