import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { AuditLog } from "../../ipc/bindings.gen";
import { breakAuditLog } from "../../testing/damage";
import { memoriesOf, openWindow } from "../../testing/open";

const rail = () => screen.getByRole("navigation", { name: "Main" });

test("the control plane is reached from Settings and the palette, and is not in the rail", async () => {
  const { user, address } = await openWindow("/settings");
  expect(within(rail()).queryByText("Data & access")).toBeNull();
  await user.click(await screen.findByRole("link", { name: /^Audit log/ }));
  expect(await screen.findByRole("heading", { name: "Data & access" })).toBeTruthy();
  expect(address().search).toEqual({ part: "audit" });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "backups");
  await waitFor(() => expect(screen.getAllByRole("option")[0]?.textContent).toContain("Backups"));
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("table", { name: /^Backups/ })).toBeTruthy();
});

test("the parts of the control plane are reached from the keyboard, and Back leads back", async () => {
  const { user, history } = await openWindow("/control");
  const overview = await screen.findByRole("tab", { name: "Overview" });
  overview.focus();
  await user.keyboard("{ArrowLeft}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Backups"));
  await user.keyboard("2");
  expect(await screen.findByRole("radiogroup", { name: "What" })).toBeTruthy();
  history.back();
  expect(await screen.findByRole("table", { name: /^Backups/ })).toBeTruthy();
});

test("each tier shows what it holds, by whom, and how much of it fades", async () => {
  const { core } = await openWindow("/control");
  const table = await screen.findByRole("table", { name: "Memory by tier" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map((row) => within(row).getByRole("rowheader").textContent)).toEqual([
    "Account",
    "World",
    "Channel",
    "Conversation",
    "All tiers",
  ]);
  expect(rows[3]?.textContent).toContain("World Agent");
  const active = (await memoriesOf(core)).length;
  expect(rows[4]?.textContent).toContain(String(active));
});

test("data that could not be read are reported, and can be requested again", async () => {
  const { user, transport } = await openWindow("/control", { failing: ["memory_overview"] });
  expect((await screen.findByRole("alert")).textContent).toContain("The database did not answer.");
  transport.failing.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("table", { name: "Memory by tier" })).toBeTruthy();
});

test("a log with valid chains is reported as valid; a broken one as an alert, with the position", async () => {
  const { user, core } = await openWindow("/control?part=audit");
  const table = await screen.findByRole("table", { name: /^Audit log/ });
  expect(
    (await within(table).findByRole("row", { name: /Memory erased: Conversation The first draft/ }))
      .textContent,
  ).toContain("all but entries with a name");
  expect(screen.getByText(/all 2 entries are whole/)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  breakAuditLog(core.home);
  await user.click(screen.getByRole("button", { name: "Check again" }));
  expect((await screen.findByRole("alert")).textContent).toContain("breaks at entry 1 of 1");
  expect(screen.queryByText(/entries are whole/)).toBeNull();
});

test("a log that continues from a backup states the position and the missing rows", async () => {
  const { user, transport } = await openWindow("/control?part=audit");
  expect(await screen.findByText(/entries are whole/)).toBeTruthy();
  transport.change("audit_log", (log: AuditLog) => ({
    ...log,
    chains: log.chains.map((chain) =>
      chain.file === "account"
        ? { ...chain, anew: { row: 2, why: "damaged", lastRow: 9, lastHash: null } }
        : chain,
    ),
  }));
  await user.click(screen.getByRole("button", { name: "Check again" }));
  const sentence = await screen.findByText(/Since entry 2 /);
  expect(sentence.textContent).toContain("it had 9 when it was last read");
});

test("a log without scrubs states that nothing was ever destroyed", async () => {
  await openWindow("/control?part=audit", { folder: "empty" });
  expect(await screen.findByText("Nothing was ever erased")).toBeTruthy();
});

test("on a read-only disk everything can be viewed and nothing changed", async () => {
  const { user, transport } = await openWindow("/control?part=scrub", { readOnly: true });
  await user.click(await screen.findByRole("radio", { name: "Memories of this world" }));
  await user.click(screen.getByRole("button", { name: "See what would be erased" }));
  await screen.findByText(/records would be erased/);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Erase for good" }).disabled).toBe(true);
  await user.click(screen.getByRole("tab", { name: "AI clients" }));
  const client = await screen.findByRole("region", { name: "The client Claude Desktop" });
  await user.click(within(client).getByRole("checkbox", { name: "Read: Account" }));
  expect(within(client).getByRole<HTMLButtonElement>("button", { name: "Revoke…" }).disabled).toBe(true);
  await user.click(screen.getByRole("tab", { name: "Backups" }));
  const now = await screen.findByRole<HTMLButtonElement>("button", { name: "Back up now" });
  expect(now.disabled).toBe(true);
  for (const command of ["execute_scrub", "set_grants", "back_up_now"])
    expect(transport.callsOf(command)).toEqual([]);
});
