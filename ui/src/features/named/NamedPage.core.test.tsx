import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { NamedEntryView } from "../../ipc/bindings.gen";
import { SALTMERE } from "../../testing/fixtures/ids";
import { type Core, detailOf, historyOf, type Opened, openWindow } from "../../testing/open";

const text = (name: string) => screen.findByRole<HTMLTextAreaElement>("textbox", { name: `Text of ${name}` });
const rows = async () =>
  within(await screen.findByRole("listbox", { name: "Always in mind" })).getAllByRole("option");
const state = async (name: string) =>
  within(await screen.findByRole("region", { name: `The entry ${name}` })).getByRole("status");
const voice = async (core: Core) =>
  (await core.call<NamedEntryView[]>("list_named_entries")).find(({ name }) => name === "VOICE");
const act = async (user: Opened["user"], name: string, item: string) => {
  await user.click(await screen.findByRole("button", { name: `Actions on ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};

test("VOICE and SOUL are first, empty, and VOICE is open", async () => {
  await openWindow("/named");
  const names = (await rows()).map((row) => row.textContent ?? "");
  expect(names[0]).toContain("VOICE");
  expect(names[1]).toContain("SOUL");
  expect(names[2]).toContain("Saltmere");
  expect((await text("VOICE")).value).toBe("");
});

test("typed text is saved automatically, and that is stated", async () => {
  const { user, core, transport } = await openWindow("/named");
  await user.type(await text("VOICE"), "Dry, a little salt.");
  expect((await state("VOICE")).textContent).toBe("Saving…");
  await waitFor(async () => expect((await voice(core))?.content).toBe("Dry, a little salt."));
  await waitFor(async () => expect((await state("VOICE")).textContent).toBe("Saved"));
  expect(transport.callsOf("write_named_entry")).toHaveLength(1);
});

test("leaving saves pending text at once", async () => {
  const { user, core } = await openWindow("/named");
  await user.type(await text("VOICE"), "Dry");
  await user.click(screen.getByRole("link", { name: "Channels" }));
  await waitFor(async () => expect((await voice(core))?.content).toBe("Dry"));
});

test("text that could not be saved shows the reason, is kept, and is saved on retry", async () => {
  const { user, core, transport } = await openWindow("/named");
  transport.failing.add("write_named_entry");
  await user.type(await text("VOICE"), "Dry");
  await waitFor(async () => expect((await state("VOICE")).textContent).toContain("Not saved: The database"));
  await user.click((await rows())[1] as HTMLElement);
  await user.click((await rows())[0] as HTMLElement);
  expect((await text("VOICE")).value).toBe("Dry");
  transport.failing.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(async () => expect((await voice(core))?.content).toBe("Dry"));
});

test("typed text survives a stale write, and either version can be chosen", async () => {
  const { user, core } = await openWindow(`/named?id=${SALTMERE}`);
  const box = await text("Saltmere");
  await user.clear(box);
  await user.type(box, "Mine");
  await core.edit(SALTMERE, "Theirs");
  await screen.findByRole("heading", { name: "Two versions of Saltmere" });
  expect(screen.getAllByText("Mine").length).toBeGreaterThan(0);
  expect((await state("Saltmere")).textContent).toContain("changed elsewhere");
  await user.click(screen.getByRole("button", { name: "Keep theirs" }));
  await waitFor(async () => expect((await text("Saltmere")).value).toBe("Theirs"));
  const history = (await historyOf(core, SALTMERE)).map((it) => it.content);
  expect(history).toContain("Mine");
});

test("the old name becomes an alias after a rename, and the dialog states it", async () => {
  const { user, core } = await openWindow(`/named?id=${SALTMERE}`);
  await act(user, "Saltmere", "Rename…");
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("“Saltmere” stays as another name");
  const name = within(dialog).getByRole("textbox");
  await user.clear(name);
  await user.type(name, "VOICE{Enter}");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("already");
  await user.clear(name);
  await user.type(name, "Saltmouth{Enter}");
  await screen.findByRole("region", { name: "The entry Saltmouth" });
  expect((await detailOf(core, SALTMERE)).aliases).toContain("Saltmere");
});

test("an alias of another entry is moved only after confirmation", async () => {
  const { user, core } = await openWindow("/named");
  await text("VOICE");
  await user.click(screen.getByRole("button", { name: "Add another name" }));
  await user.type(screen.getByRole("textbox", { name: "Another name for VOICE" }), "the salt town{Enter}");
  const ask = await screen.findByRole("alertdialog");
  expect(ask.textContent).toContain("Another named entry goes by this name already");
  expect((await voice(core))?.aliases).toEqual([]);
  await user.click(within(ask).getByRole("button", { name: "Give it to VOICE" }));
  await waitFor(async () => expect((await voice(core))?.aliases).toEqual(["the salt town"]));
  expect((await detailOf(core, SALTMERE)).aliases).toEqual([]);
});

test("a removed entry can be restored from the message of its removal", async () => {
  const { user } = await openWindow(`/named?id=${SALTMERE}`);
  await act(user, "Saltmere", "Remove");
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await rows()).toHaveLength(3));
});

test("a new entry opens with the focus in its text", async () => {
  const { user } = await openWindow("/named");
  await text("VOICE");
  await user.click(screen.getByRole("button", { name: "New entry" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox"), "The Quay Council{Enter}");
  const box = await text("The Quay Council");
  await waitFor(() => expect(document.activeElement).toBe(box));
});

test("on a read-only disk the entries can be read", async () => {
  await openWindow(`/named?id=${SALTMERE}`, { readOnly: true });
  expect(
    await screen.findByText(/A harbour town on the drowned coast/, {
      selector: "p.memory-prose, .memory-prose p",
    }),
  ).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("typing during a save loses no letter, and is saved after it", async () => {
  const { user, core, transport } = await openWindow("/named");
  const box = await text("VOICE");
  await user.type(box, "Dry");
  transport.delay = 60;
  await user.keyboard("{Control>}s{/Control}");
  await user.type(box, ", a little salt");
  await waitFor(async () => expect((await voice(core))?.content).toBe("Dry, a little salt"));
  expect(box.value).toBe("Dry, a little salt");
  const { id } = (await voice(core)) ?? { id: "" };
  expect((await historyOf(core, id)).map((it) => it.content)).toContain("Dry");
});

test("a merge by hand that is typed on while it is saved loses no letter, and is saved after it", async () => {
  const { user, core, transport } = await openWindow(`/named?id=${SALTMERE}`);
  await user.type(await text("Saltmere"), " Mine");
  await core.edit(SALTMERE, "Theirs");
  await screen.findByRole("heading", { name: "Two versions of Saltmere" });
  await user.click(screen.getByRole("button", { name: "Merge by hand" }));
  const box = await screen.findByRole("textbox", { name: "Your merged version" });
  await user.clear(box);
  await user.type(box, "Both");
  const release = transport.hold("write_named_entry");
  await user.click(screen.getByRole("button", { name: "Save the merged version" }));
  await user.type(box, ", and more");
  release();
  expect((await text("Saltmere")).value).toBe("Both, and more");
  await waitFor(async () => expect((await detailOf(core, SALTMERE)).content).toBe("Both, and more"));
  expect((await historyOf(core, SALTMERE)).map((it) => it.content)).toContain("Both");
});

test("typed text stays available when its entry is removed meanwhile", async () => {
  const { user, core } = await openWindow(`/named?id=${SALTMERE}`);
  await user.type(await text("Saltmere"), " More");
  await core.cli("named", "remove", "Saltmere");
  expect(await screen.findByText("This entry is no longer there")).toBeTruthy();
  expect(await screen.findByText(/slack water\* More$/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy the text" })).toBeTruthy();
});
