import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { callsOf, openWindow } from "../../../testing/open";

const few = { extra: 0, talks: 0 };
type Opened = Awaited<ReturnType<typeof openWindow>>;
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

test("a backup says when, why, of what, how large, and whether it is good", async () => {
  await openWindow("/control?part=backups", few);
  const texts = (await rows()).map((row) => row.textContent);
  expect(texts[2]).toMatch(/before an import.*Account and The Drowned Coast.*Not checked since.*39 MB/);
  expect(texts[4]).toContain("Damaged");
  expect(screen.getByText(/181 MB of at most 2 GB/)).toBeTruthy();
});

test("a restore says its consequences first, is one press to take back, and nothing old stays on the page", async () => {
  const { user, backend } = await openWindow("/control?part=backups", few);
  await choose(user, 1, "Restore…");
  const ask = await screen.findByRole("alertdialog");
  expect(ask.textContent).toContain("Account and The Drowned Coast will be as they were then");
  expect(ask.textContent).toContain("is backed up first");
  expect(callsOf(backend, "restore_backup")).toEqual([]);
  const wanted = backend.keep.backups[1]?.id;
  await user.click(within(ask).getByRole("button", { name: "Restore" }));
  expect(await screen.findByText(/Everything is as it was on/)).toBeTruthy();
  expect(callsOf(backend, "restore_backup")).toEqual([{ id: wanted, withScrubbed: false }]);
  await waitFor(async () => expect(await rows()).toHaveLength(6));
  const before = backend.keep.backups[0]?.id;
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(callsOf(backend, "restore_backup").at(-1)).toEqual({ id: before, withScrubbed: false }),
  );
});

test("a backup is checked, made and purged; a damaged one cannot be restored", async () => {
  const { user, backend } = await openWindow("/control?part=backups", few);
  await choose(user, 2, "Check");
  expect(await screen.findByText("The backup is good.")).toBeTruthy();
  await waitFor(async () => expect((await rows())[2]?.textContent).toContain("Good"));
  await user.click(screen.getByRole("button", { name: "Back up now" }));
  await waitFor(async () => expect((await rows())[0]?.textContent).toContain("asked for"));
  const damaged = (await rows()).at(-1) as HTMLElement;
  await user.click(within(damaged).getByRole("button", { name: /^Actions on/ }));
  const restore = await screen.findByRole("menuitem", { name: "Restore…" });
  expect(restore.getAttribute("aria-disabled")).toBe("true");
  await user.click(screen.getByRole("menuitem", { name: "Purge…" }));
  const ask = await screen.findByRole("alertdialog");
  expect(backend.keep.backups).toHaveLength(6);
  await user.click(within(ask).getByRole("button", { name: "Purge" }));
  await waitFor(async () => expect(await rows()).toHaveLength(5));
});

test("a damaged file is said wherever one is, with the way to its newest good backup", async () => {
  const { user, backend } = await openWindow("/memory", { ...few, damaged: true });
  const banner = await screen.findByRole("alert");
  await user.click(within(banner).getByRole("link", { name: "See what can be restored" }));
  const notice = await screen.findByRole("alert");
  expect(notice.textContent).toContain("Nothing was written over it");
  await user.click(within(notice).getByRole("button", { name: "Restore it…" }));
  const ask = await screen.findByRole("alertdialog");
  await user.click(within(ask).getByRole("button", { name: "Restore" }));
  await waitFor(() => expect(backend.keep.damaged).toEqual([]));
  await waitFor(() => expect(screen.queryByText(/was damaged or missing when/)).toBeNull());
});

test("the way to a backup is open also where no workspace could be opened", async () => {
  const { user } = await openWindow("/memory", { ...few, damaged: true, noWorkspace: true });
  await user.click(await screen.findByRole("link", { name: "See what can be restored" }));
  expect(await screen.findByRole("button", { name: "Restore it…" })).toBeTruthy();
  expect(await list()).toBeTruthy();
});

test("a backup from before a scrub says so and is restored only when that is agreed to", async () => {
  const { user, backend } = await openWindow("/control?part=backups", few);
  expect((await rows())[3]?.textContent).toContain("From before a scrub");
  await choose(user, 3, "Restore…");
  const ask = await screen.findByRole("alertdialog");
  const wanted = backend.keep.backups[3]?.id;
  const button = within(ask).getByRole<HTMLButtonElement>("button", { name: "Restore" });
  expect(button.disabled).toBe(true);
  await user.click(within(ask).getByRole("checkbox", { name: /Bring back what it destroyed/ }));
  await user.click(button);
  await waitFor(() =>
    expect(callsOf(backend, "restore_backup")).toEqual([{ id: wanted, withScrubbed: true }]),
  );
  await user.click(await screen.findByRole("button", { name: "Scrub it again" }));
  expect(await screen.findByRole("radio", { name: "Memories of this workspace" })).toBeTruthy();
});

test("an account without a backup begins anew only when asked", async () => {
  const { user, backend } = await openWindow("/control?part=backups", { ...few, damaged: "account" });
  const notice = await screen.findByRole("alert");
  expect(within(notice).queryByRole("button", { name: "Restore it…" })).toBeNull();
  await user.click(within(notice).getByRole("button", { name: "Begin anew…" }));
  const ask = await screen.findByRole("alertdialog");
  expect(backend.keep.damaged).toHaveLength(1);
  await user.click(within(ask).getByRole("button", { name: "Begin anew" }));
  await waitFor(() => expect(backend.keep.damaged).toEqual([]));
});

test("how often and how much is kept by the core, and a refusal shows what is true", async () => {
  const { user, backend } = await openWindow("/control?part=backups", few);
  const minutes = await screen.findByRole<HTMLInputElement>("textbox", {
    name: "Minutes of work between backups",
  });
  await user.clear(minutes);
  await user.type(minutes, "0{Enter}");
  await waitFor(() => expect(backend.keep.settings.everyMinutes).toBe(0));
  backend.failing.add("set_backup_settings");
  await user.clear(minutes);
  await user.type(minutes, "30{Enter}");
  await screen.findByText("The database did not answer.");
  await waitFor(() => expect(minutes.value).toBe("0"));
});

test("where there is no backup yet, one can be made", async () => {
  const { user } = await openWindow("/control?part=backups", { ...few, untouched: true });
  expect(await screen.findByText("No backup yet")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Back up now" }));
  expect(await rows()).toHaveLength(1);
});
