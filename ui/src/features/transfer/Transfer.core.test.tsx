import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ChannelView } from "../../ipc/bindings.gen";
import { dragFiles } from "../../ipc/mock";
import {
  constantFile,
  damagedFolder,
  doubtfulFile,
  emptyFile,
  importThirdPartyFile,
  longFile,
  ownFile,
  SOUL,
  thirdPartyFile,
  withSecondaryKeys,
  withVoice,
} from "../../testing/files";
import { conversationId, LEDGER, MAGIC } from "../../testing/fixtures/ids";
import { type Core, memoriesOf, type Opened, openWindow } from "../../testing/open";

const grid = () => screen.findByRole("grid", { name: "Memories" });
const count = async (core: Core) => (await memoriesOf(core)).length;
const inHome = ({ core }: Pick<Opened, "core">, name: string) => join(core.home.path, name);

async function begin({ user }: Opened, item: "Import memory…" | "Export memory…") {
  await grid();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return screen.findByRole("dialog");
}
async function plan(opened: Opened, path = thirdPartyFile(opened.core.home)) {
  const dialog = await begin(opened, "Import memory…");
  await opened.user.type(within(dialog).getByRole("textbox"), `${path}{Enter}`);
  return within(dialog).findByRole("region", { name: "What would happen" });
}
const dialog = () => within(screen.getByRole("dialog"));
/** Imports what the plan of the last choice says. */
async function importNow(opened: Opened, name: string) {
  const button = await dialog().findByRole<HTMLButtonElement>("button", { name });
  await waitFor(() => expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, null]));
  await opened.user.click(button);
}

test("an import first previews the outcome and reason of each item, and changes nothing", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const before = await count(opened.core);
  const region = await plan(opened);
  const groups = within(region)
    .getAllByRole("rowgroup")
    .map((it) => it.textContent);
  expect(groups.slice(1).map((it) => it?.match(/^(New|Changed|Left out|Refused)/)?.[0])).toEqual([
    "Refused",
    "Changed",
    "New",
    "Left out",
  ]);
  expect(region.textContent).toContain("the content is too long");
  expect(screen.getByText(/SillyTavern World Info: /)).toBeTruthy();
  expect(await count(opened.core)).toBe(before);
});

test("another choice for conflicts computes a new plan", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  await plan(opened);
  await opened.user.click(dialog().getByRole("radio", { name: "Mine stays" }));
  expect(await dialog().findByText("yours is kept")).toBeTruthy();
  expect(opened.transport.callsOf("preview_import").at(-1)).toMatchObject({ request: { conflicts: "mine" } });
  expect(await dialog().findByRole("button", { name: "Import 3 items" })).toBeTruthy();
});

test("an import shows progress, reports its results, and is undone as a whole from its message", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const before = await count(opened.core);
  await plan(opened);
  await opened.user.click(dialog().getByRole("button", { name: "Import 4 items" }));
  expect(await screen.findByText("Imported: 3 new, 1 changed.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await count(opened.core)).toBe(before + 3);
  await opened.user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText(/The import is undone/)).toBeTruthy();
  expect(opened.transport.callsOf("revert_run")).toEqual([{ id: expect.any(String) }]);
  expect(await count(opened.core)).toBe(before);
});

test("an import can be cancelled, and then nothing was imported", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const before = await count(opened.core);
  // Long enough that it is still under way when the page has drawn its progress, on a busy machine too.
  await plan(opened, longFile(opened.core.home, 6_000));
  await opened.user.click(dialog().getByRole("button", { name: "Import 6,000 items" }));
  const bar = await screen.findByRole("progressbar", { name: "Progress of the import" });
  await waitFor(() => expect(Number(bar.getAttribute("aria-valuenow"))).toBeGreaterThan(0));
  await opened.user.click(await dialog().findByRole("button", { name: "Cancel" }));
  expect((await dialog().findByRole("alert")).textContent).toContain("Nothing was imported");
  expect(await count(opened.core)).toBe(before);
});

test("a file that changed after its preview is previewed again, not imported", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const before = await count(opened.core);
  await plan(opened);
  thirdPartyFile(opened.core.home, "Saltmouth floods no more.");
  await opened.user.click(dialog().getByRole("button", { name: "Import 4 items" }));
  expect((await dialog().findByRole("alert")).textContent).toContain("changed after you looked");
  expect(await count(opened.core)).toBe(before);
  await opened.user.click(dialog().getByRole("button", { name: "Import 4 items" }));
  expect(await screen.findByText("Imported: 3 new, 1 changed.")).toBeTruthy();
});

test("a file that cannot be read is reported at the field with the position", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const box = await begin(opened, "Import memory…");
  const path = inHome(opened, "broken.json");
  writeFileSync(path, '{"schema_version":1,\n"memories":[{}]}');
  await opened.user.type(within(box).getByRole("textbox"), `${path}{Enter}`);
  expect((await within(box).findByRole("alert")).textContent).toMatch(/line 2/i);
});

test("our own format contains its places; for a third-party one they are asked for", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  await plan(opened, ownFile(opened.core.home));
  expect(dialog().queryByRole("combobox", { name: "Into" })).toBeNull();
  await opened.user.click(dialog().getByRole("button", { name: "Back" }));
  const field = dialog().getByRole("textbox");
  await opened.user.clear(field);
  await opened.user.type(field, `${thirdPartyFile(opened.core.home)}{Enter}`);
  await opened.user.click(await dialog().findByRole("combobox", { name: "Into" }));
  await opened.user.click(await screen.findByRole("option", { name: "#tide-magic" }));
  await waitFor(() =>
    expect(opened.transport.callsOf("preview_import").at(-1)).toMatchObject({
      request: { scope: "channel", channelId: MAGIC },
    }),
  );
});

const lines = () => within(dialog().getByRole("region", { name: "Only if you pick it" }));
const voice = /^VOICE \(named entry · World\)/;
const soul = /^SOUL \(named entry · Account\)/;

test("changes of existing texts and account entries are shown with both texts, and not selected", async () => {
  const opened = await openWindow("/memory", { before: withVoice });
  const region = await plan(opened, ownFile(opened.core.home));
  const boxes = lines().getAllByRole("checkbox");
  expect(boxes.map((it) => it.getAttribute("aria-checked"))).toEqual(["false", "false"]);
  expect(lines().getByRole("checkbox", { name: voice })).toBe(boxes[0]);
  const first = lines().getAllByRole("listitem")[0]?.textContent.replaceAll("differs ", "");
  expect(first).toContain("Spare and dry.");
  expect(first).toContain("Loud and merry.");
  expect(lines().getByText("Nothing is here.")).toBeTruthy();
  expect(region.textContent).toContain("Not picked");
  await opened.user.click(dialog().getByRole("button", { name: "Import 4 items" }));
  await screen.findByText("Imported: 4 new, 0 changed. Left out, because it was not picked: 2.");
  expect(opened.transport.callsOf("import_memory").at(-1)).toMatchObject({
    request: { picks: [], pickAll: false },
  });
});

test("a line is picked from the keyboard, and only that line is imported", async () => {
  const opened = await openWindow("/memory", { before: withVoice });
  await plan(opened, ownFile(opened.core.home));
  lines().getByRole("checkbox", { name: soul }).focus();
  await opened.user.keyboard(" ");
  expect(await dialog().findByRole("button", { name: "Import 5 items" })).toBeTruthy();
  const box = lines().getByRole("checkbox", { name: soul });
  expect(box.getAttribute("aria-checked")).toBe("true");
  expect(document.activeElement).toBe(box);
  expect(lines().getByRole("checkbox", { name: voice }).getAttribute("aria-checked")).toBe("false");
  await opened.user.click(dialog().getByRole("button", { name: "Import 5 items" }));
  await screen.findByText(/^Imported: /);
  expect(opened.transport.callsOf("import_memory").at(-1)).toMatchObject({
    request: { picks: ["named_entries/2"], pickAll: false },
  });
});

test("all lines are picked and unpicked at once, and another plan starts with none", async () => {
  const opened = await openWindow("/memory", { before: withVoice });
  await plan(opened, ownFile(opened.core.home));
  await opened.user.click(lines().getByRole("button", { name: "Pick all 2" }));
  expect(await dialog().findByRole("button", { name: "Import 6 items" })).toBeTruthy();
  await opened.user.click(lines().getByRole("button", { name: "Pick none" }));
  expect(await dialog().findByRole("button", { name: "Import 4 items" })).toBeTruthy();
  await opened.user.click(lines().getByRole("button", { name: "Pick all 2" }));
  await dialog().findByRole("button", { name: "Import 6 items" });
  await opened.user.click(dialog().getByRole("radio", { name: "Mine stays" }));
  expect(await dialog().findByRole("button", { name: "Import 4 items" })).toBeTruthy();
  expect(opened.transport.callsOf("preview_import").at(-1)).toMatchObject({ request: { picks: [] } });
});

test("a truncated text is shown completely on request", async () => {
  const opened = await openWindow("/memory", { before: withVoice });
  await plan(opened, ownFile(opened.core.home));
  expect(lines().getAllByRole("listitem")[1]?.textContent).toContain("…");
  await opened.user.click(lines().getByRole("button", { name: "Show all of “SOUL”" }));
  await waitFor(() => expect(lines().queryByRole("button", { name: /Show all/ })).toBeNull());
  expect(lines().getAllByRole("listitem")[1]?.textContent).toContain(SOUL);
});

test("a file with nothing new offers nothing to import", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const region = await plan(opened, emptyFile(opened.core.home));
  expect(region.textContent).toContain("Everything in the file is already here");
  expect(dialog().getByRole<HTMLButtonElement>("button", { name: "Import" }).disabled).toBe(true);
});

test("a file dropped on the window is previewed at once, on any page", async () => {
  const { core, transport } = await openWindow("/settings");
  const path = thirdPartyFile(core.home);
  await screen.findByRole("heading", { name: "Settings" });
  // Listened to once it is known that the folder can be written.
  await waitFor(async () => {
    await dragFiles.enter([path]);
    expect(screen.getByText("Drop to import")).toBeTruthy();
  });
  await dragFiles.drop([path, `${path}.other`]);
  expect(await screen.findByRole("region", { name: "What would happen" })).toBeTruthy();
  expect(screen.queryByText("Drop to import")).toBeNull();
  expect(screen.getByText(/One file at a time/)).toBeTruthy();
  expect(transport.callsOf("preview_import")).toHaveLength(1);
});

test("on a read-only disk nothing is imported, and exporting works", async () => {
  const { user, transport } = await openWindow("/memory", { readOnly: true });
  await grid();
  await dragFiles.drop(["/home/you/lore.json"]);
  await user.click(screen.getByRole("button", { name: "More actions" }));
  const item = await screen.findByRole("menuitem", { name: "Import memory…" });
  expect(item.getAttribute("aria-disabled")).toBe("true");
  expect(transport.callsOf("preview_import")).toEqual([]);
  await user.click(screen.getByRole("menuitem", { name: "Export memory…" }));
  expect(await screen.findByRole("dialog")).toBeTruthy();
});

test("an export writes what was chosen, in the chosen format, and shows its path", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const path = inHome(opened, "all.json");
  const box = await begin(opened, "Export memory…");
  await opened.user.click(within(box).getByRole("checkbox", { name: "With the history of all changes" }));
  await opened.user.click(within(box).getByRole("checkbox", { name: "With the memories of the account" }));
  await opened.user.type(within(box).getByRole("textbox"), `${path}{Enter}`);
  expect((await dialog().findByRole("status")).textContent).toMatch(/\d [kM]B/);
  expect(dialog().getByText(path)).toBeTruthy();
  // In words, and without what there is none of.
  expect(dialog().getByText("entries with a name: 1")).toBeTruthy();
  expect(dialog().queryByText(/vectors: /)).toBeNull();
  const request = {
    path,
    format: "inklings",
    scope: { account: true, workspace: true, channelId: null, conversationId: null },
    embeddings: false,
    journal: true,
    picture: null,
    replace: false,
  };
  // A look at what would stay behind comes first, and there is nothing.
  expect(opened.transport.callsOf("export_memory")).toEqual([
    { request: { ...request, dryRun: true } },
    { request: { ...request, dryRun: false } },
  ]);
});

test("third-party formats get no vectors and no journal, and one channel is exported alone", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const box = await begin(opened, "Export memory…");
  await opened.user.click(within(box).getByRole("checkbox", { name: "With the history of all changes" }));
  await opened.user.click(within(box).getByRole("radio", { name: "Markdown folder" }));
  expect(within(box).queryByRole("checkbox", { name: /search by meaning/ })).toBeNull();
  await opened.user.click(within(box).getByRole("radio", { name: "One channel" }));
  await opened.user.type(
    within(box).getByRole("textbox", { name: "Full path of the folder" }),
    `${inHome(opened, "out")}{Enter}`,
  );
  await dialog().findByRole("status");
  const channels = await opened.core.call<ChannelView[]>("list_channels");
  const general = channels.find((it) => it.isDefault);
  expect(opened.transport.callsOf("export_memory")[0]).toMatchObject({
    request: {
      format: "markdown",
      journal: false,
      scope: { account: false, workspace: false, channelId: general?.id },
    },
  });
});

test("an export can be cancelled, and a wrong path is refused at its field", async () => {
  const opened = await openWindow("/memory", { folder: "memories100k", noModel: true });
  const box = await begin(opened, "Export memory…");
  await opened.user.type(within(box).getByRole("textbox"), `${inHome(opened, "nowhere")}/out.json{Enter}`);
  expect((await dialog().findByRole("alert")).textContent).toMatch(/nowhere|folder|file/i);
  const field = dialog().getByRole("textbox");
  await opened.user.clear(field);
  await opened.user.type(field, `${inHome(opened, "out.json")}{Enter}`);
  expect(await screen.findByRole("progressbar", { name: "Progress of the export" })).toBeTruthy();
  await opened.user.click(await dialog().findByRole("button", { name: "Cancel" }));
  expect((await dialog().findByRole("alert")).textContent).toContain("No file was left behind");
});

test("one conversation is found by a few letters and exported alone", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const box = await begin(opened, "Export memory…");
  await opened.user.type(within(box).getByRole("textbox"), inHome(opened, "conversation.json"));
  await opened.user.click(within(box).getByRole("radio", { name: "One conversation" }));
  // Without one there is nothing to write.
  expect(within(box).getByRole("button", { name: "Export" })).toHaveProperty("disabled", true);
  await opened.user.click(within(box).getByRole("button", { name: "Which conversation" }));
  await opened.user.type(await screen.findByRole("combobox", { name: "Find a conversation" }), "lantern");
  const found = await screen.findAllByRole("option");
  expect(found[0]?.textContent).toContain("#harbour");
  await opened.user.keyboard("{Enter}");
  await opened.user.click(await screen.findByRole("button", { name: "Export" }));
  await dialog().findByRole("status");
  expect(opened.transport.callsOf("export_memory")[0]).toMatchObject({
    request: {
      scope: { account: false, workspace: false, channelId: null, conversationId: conversationId(1) },
    },
  });
});

test("a conversation is exported from its own menu, already selected", async () => {
  const opened = await openWindow(`/conversations/${LEDGER}`);
  const region = await screen.findByRole("region", { name: "The conversation" });
  await opened.user.click(await within(region).findByRole("button", { name: "More actions" }));
  await opened.user.click(await screen.findByRole("menuitem", { name: "Export this conversation…" }));
  const box = within(await screen.findByRole("dialog"));
  expect(box.getByRole("radio", { name: "One conversation" }).getAttribute("aria-checked")).toBe("true");
  await opened.user.type(box.getByRole("textbox"), `${inHome(opened, "conversation.json")}{Enter}`);
  await dialog().findByRole("status");
  expect(opened.transport.callsOf("export_memory")[0]).toMatchObject({
    request: { scope: { workspace: false, conversationId: conversationId(1) } },
  });
});

test("always shown entries over the budget are reported, and can be imported as shown only when mentioned", async () => {
  const opened = await openWindow("/memory");
  await plan(opened, constantFile(opened.core.home));
  expect(await dialog().findByText(/40 entries are always in mind and take [\d,]+ tokens/)).toBeTruthy();
  await opened.user.click(dialog().getByRole("checkbox", { name: "Show them only when they are named" }));
  await waitFor(() =>
    expect(opened.transport.callsOf("preview_import").at(-1)).toMatchObject({
      request: { onlyWhenNamed: true },
    }),
  );
  await importNow(opened, "Import 40 items");
  expect(await screen.findByText("Imported: 40 new, 0 changed.")).toBeTruthy();
  const buoys = (await memoriesOf(opened.core)).filter((it) => it.title?.startsWith("Buoy"));
  expect(buoys).toHaveLength(40);
  expect(buoys.every((it) => it.name === null)).toBe(true);
});

test("the plan of a memory graph shows the kinds of its entities and the ends of its relations", async () => {
  const opened = await openWindow("/memory");
  const path = inHome(opened, "graph.jsonl");
  const lines = [
    { type: "entity", name: "Brackwater", entityType: "place", observations: ["A salt marsh."] },
    { type: "entity", name: "Old Tam", entityType: "character", observations: ["Cuts reed."] },
    { type: "relation", from: "Old Tam", to: "Brackwater", relationType: "lives_in" },
  ];
  writeFileSync(path, lines.map((it) => JSON.stringify(it)).join("\n"));
  const region = await plan(opened, path);
  expect(within(region).getByText("Kind: place")).toBeTruthy();
  expect(within(region).getByText("Old Tam – lives in – Brackwater")).toBeTruthy();
  await importNow(opened, "Import 3 items");
  expect(await screen.findByText("Imported: 3 new, 0 changed.")).toBeTruthy();
});

test("the plan of a lorebook shows who knows of its entries, and whom the import adds for it", async () => {
  const opened = await openWindow("/memory");
  const path = inHome(opened, "lore.json");
  const entry = (uid: number, comment: string, content: string, names: string[], isExclude = false) => ({
    uid,
    key: [comment],
    comment,
    content,
    characterFilter: { isExclude, names, tags: [] },
  });
  const entries = {
    0: entry(0, "The sluice key", "It hangs behind the altar.", ["Old Tam", "Wren Hale"]),
    1: entry(1, "The second sluice", "It has rusted shut.", ["Old Tam"], true),
  };
  writeFileSync(path, JSON.stringify({ entries }));
  const region = await plan(opened, path);
  expect(within(region).getByText("Known by Old Tam, Wren Hale")).toBeTruthy();
  expect(within(region).getAllByText("Kind: character")).toHaveLength(2);
  const lines = within(await dialog().findByRole("region", { name: "Only if you pick it" }));
  expect(lines.getByText(/more would know of it than do here or in the file/)).toBeTruthy();
  await importNow(opened, "Import 3 items");
  expect(await screen.findByText(/^Imported: 3 new, 0 changed/)).toBeTruthy();
});

test("a file that may be an earlier book or another one needs a choice before the import", async () => {
  const opened = await openWindow("/memory", { before: importThirdPartyFile });
  const before = await count(opened.core);
  await plan(opened, doubtfulFile(opened.core.home));
  const book = within(await dialog().findByRole("region", { name: "Which book it is" }));
  expect((await book.findByRole("alert")).textContent).toContain("This may be a book");
  expect(
    dialog()
      .queryByRole("button", { name: /^Import \d/ })
      ?.hasAttribute("disabled") ?? true,
  ).toBe(true);
  await opened.user.click(book.getByRole("radio", { name: /Another book/ }));
  await importNow(opened, "Import 2 items");
  expect(await screen.findByText("Imported: 2 new, 0 changed.")).toBeTruthy();
  expect(await count(opened.core)).toBe(before + 2);
});

test("the intact files of a folder with a damaged one are imported on request", async () => {
  const opened = await openWindow("/memory");
  const region = await plan(opened, damagedFolder(opened.core.home));
  expect(region.textContent).toContain("Keel.md");
  await opened.user.click(dialog().getByRole("checkbox", { name: "Import the others" }));
  await importNow(opened, "Import 1 item");
  expect(await screen.findByText("Imported: 1 new, 0 changed.")).toBeTruthy();
});

test("an export to a format with losses states them before it writes", async () => {
  const opened = await openWindow("/memory", { before: withSecondaryKeys });
  const path = inHome(opened, "graph.jsonl");
  const box = await begin(opened, "Export memory…");
  await opened.user.click(within(box).getByRole("radio", { name: "MCP memory (JSONL)" }));
  await opened.user.type(within(box).getByRole("textbox"), `${path}{Enter}`);
  expect(await dialog().findByText("secondary keys: 1")).toBeTruthy();
  expect(existsSync(path)).toBe(false);
  await opened.user.click(dialog().getByRole("button", { name: "Export without it" }));
  expect(await dialog().findByText(path)).toBeTruthy();
  expect(existsSync(path)).toBe(true);
});
