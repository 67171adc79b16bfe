import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";
import type { BackupList, ConversationPage, ScrubDone, ScrubManifest } from "../../../ipc/bindings.gen";
import { LEDGER, MARGUERITE } from "../../../testing/fixtures/ids";
import { memoriesOf, type Opened, openWindow } from "../../../testing/open";

const count = async ({ core }: Pick<Opened, "core">) => (await memoriesOf(core)).length;

async function look({ user }: Opened, kind = "Memories of this world") {
  await user.click(await screen.findByRole("radio", { name: kind }));
  await user.click(screen.getByRole("button", { name: "See what would be erased" }));
  return screen.findByRole("region", { name: "What would be erased" });
}
const execute = () => screen.getByRole<HTMLButtonElement>("button", { name: "Erase for good" });
const phrase = () => screen.getByRole<HTMLInputElement>("textbox", { name: /^Type/ });

test("previewing a scrub shows counts, remaining and sample rows, moves the focus there, and destroys nothing", async () => {
  const opened = await openWindow("/control?part=scrub");
  const before = await count(opened);
  const manifest = await look(opened);
  expect(manifest.textContent).toContain("World The Drowned Coast");
  expect(manifest.textContent).toContain("2 entries with a name stay.");
  expect(await within(manifest).findByText(/Marguerite Vane has kept/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(manifest));
  expect(await count(opened)).toBe(before);
  expect(opened.transport.callsOf("execute_scrub")).toEqual([]);
});

test("the list of what was chosen before does not appear under another choice, which can be looked at at once", async () => {
  const opened = await openWindow("/control?part=scrub");
  const { user, transport } = opened;
  const answer = vi.fn((it: ScrubManifest) => it);
  transport.change("preview_scrub", answer);
  const release = transport.hold("preview_scrub");
  await user.click(await screen.findByRole("radio", { name: "Memories of the account" }));
  await user.click(screen.getByRole("button", { name: "See what would be erased" }));
  await screen.findByRole("button", { name: "Looking…" });
  await user.click(screen.getByRole("radio", { name: "Memories of this world" }));
  release();
  await waitFor(() => expect(answer).toHaveBeenCalledTimes(1));
  const again = await screen.findByRole("button", { name: "See what would be erased" });
  expect(screen.queryByRole("region", { name: "What would be erased" })).toBeNull();
  await user.click(again);
  const manifest = await screen.findByRole("region", { name: "What would be erased" });
  expect(manifest.textContent).toContain("World The Drowned Coast");
  expect(answer).toHaveBeenCalledTimes(2);
});

test("nothing is destroyed without the phrase; a backup is saved first unless declined; the proof is shown", async () => {
  const opened = await openWindow("/control?part=scrub");
  const { user, core } = opened;
  const backups = async () => (await core.call<BackupList>("list_backups")).rows.length;
  const before = await backups();
  await look(opened);
  expect(execute().disabled).toBe(true);
  expect(screen.getByRole("checkbox", { name: "Save a backup first" }).getAttribute("aria-checked")).toBe(
    "true",
  );
  await user.type(phrase(), "scrub channel{Enter}");
  expect(execute().disabled).toBe(true);
  await user.clear(phrase());
  await user.type(phrase(), "scrub workspace");
  await user.click(execute());
  const done = await screen.findByRole("region", { name: "World The Drowned Coast: erased" });
  expect(done.textContent).toContain("No trace was found");
  expect(within(done).getByRole("list", { name: "Searched" }).textContent).toContain("full-text index");
  expect(await backups()).toBe(before + 1);
  const left = (await memoriesOf(core)).filter((it) => it.scope === "workspace");
  expect(left.every((it) => it.name !== null)).toBe(true);
  await user.click(within(done).getByRole("link", { name: "Entry 2 of the audit log" }));
  expect(await screen.findByRole("row", { name: /Memory erased: World/ })).toBeTruthy();
});

test("the button turns red at the last step and no earlier, and a backup can be declined", async () => {
  const opened = await openWindow("/control?part=scrub");
  await look(opened, "Memories of the account");
  expect(execute().className).not.toContain("text-danger");
  await opened.user.click(screen.getByRole("checkbox", { name: "Save a backup first" }));
  expect(screen.getByText(/No copy is left anywhere/)).toBeTruthy();
  await opened.user.type(phrase(), "scrub account");
  expect(execute().className).toContain("text-danger");
  await opened.user.click(execute());
  await screen.findByRole("region", { name: "Account: erased" });
  expect(opened.transport.callsOf("execute_scrub")[0]).toMatchObject({ request: { backup: false } });
});

test("rows that changed since are not scrubbed: a new manifest says what differs and asks anew", async () => {
  const opened = await openWindow("/control?part=scrub");
  const { user, core } = opened;
  await look(opened);
  const before = await count(opened);
  await core.edit(MARGUERITE, "She left the light.");
  await user.type(phrase(), "scrub workspace{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Something changed after you looked");
  expect(screen.getAllByText(/^was \d+/).length).toBeGreaterThan(0);
  expect(await count(opened)).toBe(before);
  expect(phrase().value).toBe("");
  await user.type(phrase(), "scrub workspace{Enter}");
  expect(await screen.findByRole("region", { name: "World The Drowned Coast: erased" })).toBeTruthy();
});

test("traces found after a scrub are shown as an alert", async () => {
  const opened = await openWindow("/control?part=scrub");
  opened.transport.change("execute_scrub", (done: ScrubDone) => ({
    ...done,
    proof: { ...done.proof, ok: false, residues: 2 },
  }));
  await look(opened);
  await opened.user.type(phrase(), "scrub workspace{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("2 traces were still found");
});

test("a conversation is found by a few letters, and a purge deletes its messages in any mode", async () => {
  const { user, core, transport } = await openWindow("/control?part=scrub");
  await user.click(await screen.findByRole("radio", { name: "Messages of a conversation" }));
  expect(screen.queryByRole("radiogroup", { name: "How" })).toBeNull();
  const go = screen.getByRole<HTMLButtonElement>("button", { name: "See what would be erased" });
  expect(go.disabled).toBe(true);
  await user.click(screen.getByRole("button", { name: "Which conversation" }));
  await user.type(await screen.findByRole("combobox"), "lanternmen");
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
  await user.keyboard("{Enter}");
  await user.click(go);
  const manifest = await screen.findByRole("region", { name: "What would be erased" });
  expect(manifest.textContent).toContain("messages");
  await user.type(phrase(), " Purge conversation{Enter}");
  await screen.findByRole("region", { name: /: erased$/ });
  expect(transport.callsOf("execute_scrub")[0]).toMatchObject({ request: { mode: "full" } });
  const request = { channelId: null, statuses: [], after: null, limit: 100 };
  const { rows } = await core.call<ConversationPage>("list_conversations", { request });
  expect(rows.some((it) => it.refCode === LEDGER)).toBe(false);
});

test("another choice discards the manifest: nothing is confirmed that was not previewed", async () => {
  const opened = await openWindow("/control?part=scrub");
  await look(opened);
  await opened.user.click(screen.getByRole("radio", { name: "Everything" }));
  expect(screen.queryByRole("region", { name: "What would be erased" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Erase for good" })).toBeNull();
});

test("an empty scrub cannot be confirmed", async () => {
  const opened = await openWindow("/control?part=scrub", { folder: "empty" });
  const manifest = await look(opened);
  expect(manifest.textContent).toContain("There is nothing here to erase");
  expect(screen.queryByRole("button", { name: "Erase for good" })).toBeNull();
});

test("everything that names a subject is found by its name, and the messages that keep it are listed", async () => {
  const { user, transport } = await openWindow("/control?part=scrub");
  await user.click(await screen.findByRole("radio", { name: "A subject, wherever it is named" }));
  const see = screen.getByRole<HTMLButtonElement>("button", { name: "See what would be erased" });
  expect(see.disabled).toBe(true);
  await user.type(screen.getByRole("textbox", { name: "Name of the subject" }), " Marguerite ");
  await user.click(see);
  await screen.findByRole("region", { name: "What would be erased" });
  expect(transport.callsOf("preview_scrub")[0]).toMatchObject({
    target: { kind: "subject", id: "Marguerite", account: false },
  });
  const stays = screen.getByRole("region", { name: "Also says this, and stays" });
  expect(within(stays).getByText("1 message, summary or title")).toBeTruthy();
  expect(within(stays).getByRole("link", { name: /backup holds some of it/ })).toBeTruthy();
});

test("one memory is scrubbed from its own menu, whether named or not", async () => {
  const opened = await openWindow(`/memory?id=${MARGUERITE}`);
  const { user, core, transport } = opened;
  const region = await screen.findByRole("region", { name: "The memory" });
  await user.click(await within(region).findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Erase for good…" }));
  await user.click(await screen.findByRole("button", { name: "See what would be erased" }));
  await screen.findByRole("region", { name: "What would be erased" });
  await user.type(phrase(), "scrub entry{Enter}");
  await screen.findByRole("region", { name: "One memory: erased" });
  expect(transport.callsOf("execute_scrub")[0]).toMatchObject({
    request: { target: { kind: "entry", id: MARGUERITE }, mode: "full" },
  });
  expect((await memoriesOf(core)).some((it) => it.id === MARGUERITE)).toBe(false);
});
