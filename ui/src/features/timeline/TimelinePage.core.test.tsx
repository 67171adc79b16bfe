import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { CalendarList, MemoryDetail, WriteResult } from "../../ipc/bindings.gen";
import { type Core, openWindow } from "../../testing/open";

const calendarsOf = (core: Core) => core.call<CalendarList>("list_calendars");

async function withCalendar(core: Core): Promise<void> {
  const { presets } = await calendarsOf(core);
  await core.call("add_calendar", { name: "Common", definition: presets[0]?.definition });
}

const subject = async (core: Core, name: string, kind: string) =>
  (await core.call<WriteResult>("add_subject", { name, kind, content: "" })).detail;

const setTime = (core: Core, { row }: MemoryDetail, text: string, readingNumber: number | null = null) =>
  core.call("set_story_time", {
    id: row.id,
    version: row.version,
    request: { text, calendar: null, readingNumber },
  });

test("the first calendar is added from a preset and edited", async () => {
  const { user, core } = await openWindow("/timeline");
  await user.click(await screen.findByRole("button", { name: "Add a calendar" }));
  await user.click(await screen.findByRole("button", { name: "Add Gregorian" }));
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "Common");
  await user.click(screen.getByRole("button", { name: "Add the calendar" }));
  const form = within(await screen.findByRole("form", { name: "Common" }));
  const january = form.getByRole("textbox", { name: "Name of month 1" });
  await user.clear(january);
  await user.type(january, "Thaw");
  await user.click(form.getByRole("button", { name: "Save the calendar" }));
  await waitFor(async () => {
    const [calendar] = (await calendarsOf(core)).calendars;
    expect(calendar?.definition.months[0]?.name).toBe("Thaw");
  });
});

test("what the core refuses of a calendar is said at the form, and what was typed stays", async () => {
  const { user, core } = await openWindow("/memory");
  await withCalendar(core);
  await user.click(screen.getByRole("link", { name: "Timeline" }));
  await user.click(await screen.findByRole("tab", { name: "Calendars" }));
  const form = within(await screen.findByRole("form", { name: "Common" }));
  const january = form.getByRole<HTMLInputElement>("textbox", { name: "Name of month 1" });
  await user.clear(january);
  await user.type(january, "March");
  await user.click(form.getByRole("button", { name: "Save the calendar" }));
  expect((await form.findByText(/already used in this calendar/)).getAttribute("role")).toBe("alert");
  expect(january.value).toBe("March");
  await user.click(form.getByRole("button", { name: "Cancel" }));
  expect(january.value).toBe("January");
});

test("edits of a calendar stay while another one is open, a new one is begun and the page is left", async () => {
  const { user, core } = await openWindow("/memory");
  await withCalendar(core);
  const { presets } = await calendarsOf(core);
  await core.call("add_calendar", { name: "Other", definition: presets[0]?.definition });
  const choose = async (name: string) => {
    await user.click(await screen.findByRole("combobox", { name: "Calendar" }));
    await user.click(await screen.findByRole("option", { name }));
    return within(await screen.findByRole("form", { name }));
  };
  await user.click(screen.getByRole("link", { name: "Timeline" }));
  await user.click(await screen.findByRole("tab", { name: "Calendars" }));
  await user.type((await choose("Common")).getByRole("textbox", { name: "Name of month 1" }), "-Thaw");
  await choose("Other");
  await user.click(screen.getByRole("button", { name: "Add Gregorian" }));
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "Third");
  await user.click(screen.getByRole("link", { name: "Channels" }));
  await screen.findByRole("heading", { name: "Channels" });
  await user.click(screen.getByRole("link", { name: "Timeline" }));
  await user.click(await screen.findByRole("tab", { name: "Calendars" }));
  expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Name" })).value).toBe("Third");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  const common = await choose("Common");
  const january = common.getByRole<HTMLInputElement>("textbox", { name: "Name of month 1" });
  expect(january.value).toBe("January-Thaw");
  await user.click(common.getByRole("button", { name: "Save the calendar" }));
  await waitFor(async () => {
    const { calendars } = await calendarsOf(core);
    const first = calendars.map(({ name, definition }) => [name, definition.months[0]?.name]);
    expect(first).toEqual([
      ["Common", "January-Thaw"],
      ["Other", "January"],
    ]);
  });
});

test("a calendar that is changed elsewhere takes no edit away, and is replaced only after it was said", async () => {
  const { user, core } = await openWindow("/timeline?page=calendars");
  await withCalendar(core);
  const form = within(await screen.findByRole("form", { name: "Common" }));
  const january = form.getByRole<HTMLInputElement>("textbox", { name: "Name of month 1" });
  await user.type(january, "-Mine");
  const first = async () => (await calendarsOf(core)).calendars[0];
  const { id, version, definition } = (await first()) ?? { id: "", version: 0, definition: undefined };
  await core.call("define_calendar", { id, version, definition: { ...definition, hours_per_day: 20 } });
  await user.type(january, "!");
  expect(january.value).toBe("January-Mine!");
  await user.click(form.getByRole("button", { name: "Save the calendar" }));
  await waitFor(() => expect(form.getByRole("alert").textContent).not.toBe(""));
  expect((await first())?.definition).toMatchObject({ hours_per_day: 20 });
  expect(january.value).toBe("January-Mine!");
  await user.click(form.getByRole("button", { name: "Save the calendar" }));
  await waitFor(async () => expect((await first())?.definition.months[0]?.name).toBe("January-Mine!"));
});

test("text typed while a calendar is saved stays, and Cancel brings the saved week back", async () => {
  const { user, core, transport } = await openWindow("/timeline?page=calendars");
  await withCalendar(core);
  const form = within(await screen.findByRole("form", { name: "Common" }));
  const january = form.getByRole<HTMLInputElement>("textbox", { name: "Name of month 1" });
  await user.type(january, "-Thaw");
  const release = transport.hold("define_calendar");
  await user.click(form.getByRole("button", { name: "Save the calendar" }));
  await user.type(january, "ing");
  release();
  await waitFor(async () =>
    expect((await calendarsOf(core)).calendars[0]?.definition.months[0]?.name).toBe("January-Thaw"),
  );
  expect(january.value).toBe("January-Thawing");
  const week = form.getByRole<HTMLInputElement>("textbox", { name: "Weekdays, with commas between them" });
  const before = week.value;
  await user.clear(week);
  await user.type(week, "Oneday, Twoday, ");
  expect(week.value).toBe("Oneday, Twoday, ");
  await user.click(form.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(week.value).toBe(before));
  expect(january.value).toBe("January-Thaw");
});

test("a subject gets a time, and the timeline is in the order of the story", async () => {
  const { user, core } = await openWindow("/memory");
  await withCalendar(core);
  await setTime(core, await subject(core, "The Flood", "event"), "May 812");
  await subject(core, "Mira", "character");
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("option", { name: /^Mira/ }));
  await screen.findByRole("region", { name: "The entry Mira" });
  await user.click(await screen.findByRole("button", { name: "Set a time" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Time in the story" }));
  await user.type(dialog.getByRole("textbox", { name: "Dates" }), "3 May, 788 –");
  await dialog.findByText("3 May, 788 Anno Domini –");
  await user.click(dialog.getByRole("button", { name: "Set" }));
  await user.click(await screen.findByRole("link", { name: "Timeline" }));
  const list = within(await screen.findByRole("listbox", { name: "In the order of the story" }));
  const rows = await list.findAllByRole("option");
  expect(rows.map((row) => row.textContent)).toEqual([
    "3 May, 788 Anno Domini –MiraCharacter",
    "May, 812 Anno DominiThe FloodEvent",
  ]);
  const dates = screen.getByRole("searchbox", { name: "Only what holds in these dates" });
  await user.type(dates, "700");
  await screen.findByText("Nothing holds then");
  await user.clear(dates);
  await user.type(dates, "the whale");
  await screen.findByText(/are not understood/);
});

test("a date that is not understood is said at the field and cannot be set", async () => {
  const { user, core } = await openWindow("/memory");
  await withCalendar(core);
  await subject(core, "Mira", "character");
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("option", { name: /^Mira/ }));
  await user.click(await screen.findByRole("button", { name: "Set a time" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Time in the story" }));
  await user.type(dialog.getByRole("textbox", { name: "Dates" }), "3 Ymber, 788");
  await dialog.findByText(/expected a month of this calendar/);
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Set" }).disabled).toBe(true);
});

test("chapters are in the order of reading, and a flashback is marked", async () => {
  const { user, core } = await openWindow("/memory");
  await withCalendar(core);
  await setTime(core, await subject(core, "Before", "chapter"), "788", 2);
  await setTime(core, await subject(core, "The Flood", "chapter"), "812", 1);
  await user.click(screen.getByRole("link", { name: "Timeline" }));
  await user.click(await screen.findByRole("tab", { name: "Chapters" }));
  const table = within(await screen.findByRole("table", { name: "Chapters" }));
  const rows = table.getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    "1The Flood812 Anno Domini",
    "2BeforeFlashback788 Anno Domini",
  ]);
});

test("an empty page of the timeline leads to what can have a time", async () => {
  const { user, core, address } = await openWindow("/timeline?page=chapters");
  await withCalendar(core);
  await user.click(await screen.findByRole("button", { name: "Go to Subjects" }));
  await waitFor(() => expect(address().pathname).toBe("/world"));
  await user.click(screen.getByRole("link", { name: "Timeline" }));
  await user.click(await screen.findByRole("button", { name: "Go to Memory" }));
  await waitFor(() => expect(address().pathname).toBe("/memory"));
});
