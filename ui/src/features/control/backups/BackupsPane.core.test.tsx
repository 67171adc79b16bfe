import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { BackupList, BackupSettings, DamagedFile } from "../../../ipc/bindings.gen";
import {
  damageAccount,
  damageBackup,
  damageEveryWorkspace,
  damageIndex,
  damageWorkspace,
} from "../../../testing/damage";
import { type Core, type Opened, openWindow } from "../../../testing/open";

const backups = async (core: Core) => (await core.call<BackupList>("list_backups")).rows;
const damaged = (core: Core) => core.call<DamagedFile[]>("damaged_files");
const list = () => screen.findByRole("table", { name: /^Backups/ });
const rows = async () =>
  within(await list())
    .getAllByRole("row")
    .slice(1);
const choose = async (user: Opened["user"], n: number, item: string) => {
  const row = (await rows())[n] as HTMLElement;
  await user.click(within(row).getByRole("button", { name: /^Actions on/ }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};

test("a backup shows when, why, of what and how large it is, and whether it is intact", async () => {
  const { user } = await openWindow("/control?part=backups", { before: damageBackup });
  const texts = (await rows()).map((row) => row.textContent);
  expect(texts[0]).toMatch(/when you asked.*Account, The Drowned Coast, and Ember Court.*[\d.]+ MB/);
  expect(texts[1]).toMatch(
    /before an import.*Account and The Drowned Coast.*Not checked since.*[\d.]+ [kM]B/,
  );
  expect(screen.getByText(/[\d.]+ MB of at most [\d.]+ GB/)).toBeTruthy();
  await choose(user, 1, "Check");
  await waitFor(async () => expect((await rows())[1]?.textContent).toContain("Damaged"));
});

test("a restore states its consequences first, can be reverted with one press, and leaves no old data on the page", async () => {
  const { user, core, transport } = await openWindow("/control?part=backups");
  const count = (await rows()).length;
  await choose(user, 0, "Restore…");
  const ask = await screen.findByRole("alertdialog");
  expect(ask.textContent).toContain("Account, The Drowned Coast, and Ember Court will be as they were then");
  expect(ask.textContent).toContain("is backed up first");
  expect(transport.callsOf("restore_backup")).toEqual([]);
  const wanted = (await backups(core))[0]?.id;
  await user.click(within(ask).getByRole("button", { name: "Restore" }));
  expect(await screen.findByText(/Everything is as it was on/)).toBeTruthy();
  expect(transport.callsOf("restore_backup")).toEqual([{ id: wanted, scrubbed: "refuse" }]);
  await waitFor(async () => expect(await rows()).toHaveLength(count + 1));
  const before = (await backups(core))[0]?.id;
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(transport.callsOf("restore_backup").at(-1)).toEqual({ id: before, scrubbed: "refuse" }),
  );
});

test("a backup is checked, made and purged; a damaged one cannot be restored", async () => {
  const { user, core } = await openWindow("/control?part=backups", { before: damageBackup });
  await choose(user, 1, "Check");
  await waitFor(async () => expect((await rows())[1]?.textContent).toContain("Damaged"));
  await choose(user, 0, "Check");
  expect(await screen.findByText("The backup is good.")).toBeTruthy();
  await waitFor(async () => expect((await rows())[0]?.textContent).toContain("Good"));
  const count = (await rows()).length;
  await user.click(screen.getByRole("button", { name: "Back up now" }));
  await waitFor(async () => expect(await rows()).toHaveLength(count + 1));
  expect((await rows())[0]?.textContent).toContain("when you asked");
  const bad = (await rows()).at(-1) as HTMLElement;
  await user.click(within(bad).getByRole("button", { name: /^Actions on/ }));
  const restore = await screen.findByRole("menuitem", { name: "Restore…" });
  expect(restore.getAttribute("aria-disabled")).toBe("true");
  await user.click(screen.getByRole("menuitem", { name: "Erase…" }));
  const ask = await screen.findByRole("alertdialog");
  expect(await backups(core)).toHaveLength(count + 1);
  await user.click(within(ask).getByRole("button", { name: "Erase for good" }));
  await waitFor(async () => expect(await rows()).toHaveLength(count));
});

test("a damaged file is reported on every page, with a link to its newest intact backup", async () => {
  const { user, core } = await openWindow("/memory", { before: damageWorkspace });
  const banner = await screen.findByRole("alert");
  await user.click(within(banner).getByRole("link", { name: "See what can be restored" }));
  const notice = await screen.findByRole("alert");
  expect(notice.textContent).toContain("Nothing was written over it");
  await user.click(within(notice).getByRole("button", { name: "Restore it…" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Restore" }));
  await waitFor(async () => expect(await damaged(core)).toEqual([]));
  await waitFor(() => expect(screen.queryByText(/was damaged or missing when/)).toBeNull());
});

test("backups can be reached even if no workspace can be opened", async () => {
  const { user } = await openWindow("/memory", { before: damageEveryWorkspace });
  await user.click(await screen.findByRole("link", { name: "See what can be restored" }));
  expect(await screen.findAllByRole("button", { name: "Restore it…" })).toHaveLength(2);
  expect(await list()).toBeTruthy();
});

test("a backup from before a scrub is scrubbed first, and restores nothing scrubbed", async () => {
  const { user, core, transport } = await openWindow("/control?part=backups");
  await choose(user, 1, "Restore…");
  const ask = await screen.findByRole("alertdialog");
  const wanted = (await backups(core))[1]?.id;
  expect(ask.textContent).toContain("The same is erased from the copy first");
  await user.click(within(ask).getByRole("button", { name: "Restore" }));
  expect(await screen.findByText(/Everything is as it was on/)).toBeTruthy();
  expect(transport.callsOf("restore_backup")).toEqual([{ id: wanted, scrubbed: "scrub_first" }]);
  expect(screen.queryByRole("button", { name: "Erase it again" })).toBeNull();
});

test("a backup from before a scrub restores scrubbed data only after confirmation", async () => {
  const { user, core, transport } = await openWindow("/control?part=backups");
  expect((await rows())[1]?.textContent).toContain("Memory erased since");
  await choose(user, 1, "Restore…");
  const ask = await screen.findByRole("alertdialog");
  const wanted = (await backups(core))[1]?.id;
  const agree = within(ask).getByRole("checkbox", { name: /Bring back what was erased/ });
  expect(agree.getAttribute("aria-checked")).toBe("false");
  await user.click(agree);
  expect(ask.textContent).toContain("All of it comes back");
  await user.click(within(ask).getByRole("button", { name: "Restore" }));
  await waitFor(() =>
    expect(transport.callsOf("restore_backup")).toEqual([{ id: wanted, scrubbed: "bring_back" }]),
  );
  await user.click(await screen.findByRole("button", { name: "Erase it again" }));
  expect(await screen.findByRole("radio", { name: "Memories of this world" })).toBeTruthy();
});

test("without a backup a new account is created only on request", async () => {
  const { user, core } = await openWindow("/control?part=backups", { before: damageAccount });
  const begin = await screen.findByRole("button", { name: "Start over…" });
  expect(screen.queryByRole("button", { name: "Restore it…" })).toBeNull();
  await user.click(begin);
  const ask = await screen.findByRole("alertdialog");
  expect(await damaged(core)).toHaveLength(1);
  await user.click(within(ask).getByRole("button", { name: "Start over" }));
  await waitFor(async () => expect(await damaged(core)).toEqual([]));
});

test("frequency and retention of backups are stored by the core, and a refusal shows the stored values", async () => {
  const { user, core, transport } = await openWindow("/control?part=backups");
  const minutes = await screen.findByRole<HTMLInputElement>("textbox", {
    name: "Minutes of work between backups",
  });
  await user.clear(minutes);
  await user.type(minutes, "0{Enter}");
  await waitFor(async () =>
    expect((await core.call<BackupSettings>("backup_settings")).everyMinutes).toBe(0),
  );
  transport.failing.add("set_backup_settings");
  await user.clear(minutes);
  await user.type(minutes, "30{Enter}");
  await screen.findByText("The database did not answer.");
  await waitFor(() => expect(minutes.value).toBe("0"));
});

test("the first backup can be made from the empty list", async () => {
  const { user } = await openWindow("/control?part=backups", { folder: "empty" });
  expect(await screen.findByText("No backup yet")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Back up now" }));
  expect(await rows()).toHaveLength(1);
});

test("an inconsistent index of words is rebuilt from the window", async () => {
  const { user } = await openWindow("/control?part=backups", { before: damageIndex });
  const check = await screen.findByRole("button", { name: "Check the search index" });
  await user.click(check);
  expect(await screen.findByText("The search index was rebuilt.")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Check the search index" }));
  expect(await screen.findByText("The search index is good.")).toBeTruthy();
});
