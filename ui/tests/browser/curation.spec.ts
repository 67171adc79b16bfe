import type { NamedEntryView } from "../../src/ipc/bindings.gen";
import { idOf } from "../../src/testing/fixtures/ids";
import { callsOf, expect, open, openId, test } from "./support";

test("VOICE is written, survives a stale write, and is found again, by keyboard", async ({ page, core }) => {
  await open(page, "/named");
  const list = page.getByRole("listbox", { name: "Always in mind" });
  await list.focus();
  await page.keyboard.press("Enter");
  const voice = page.getByRole("textbox", { name: "Text of VOICE" });
  await expect(voice).toBeFocused();
  await page.keyboard.type("Dry, a little salt.");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.keyboard.type(" Never arch.");
  await core.edit(await openId(page), "Somebody else's.");
  await expect(page.getByRole("heading", { name: "Two versions of VOICE" })).toBeVisible();
  await expect(page.getByText("Dry, a little salt. Never arch.").first()).toBeVisible();
  await page.getByRole("button", { name: "Keep mine" }).press("Enter");
  await expect(voice).toContainText("Never arch.");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("saltmere");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "The entry Saltmere" })).toBeVisible();
  await page.goBack();
  await expect(voice).toContainText("Never arch.");
});

test("typed text is on disk when the page is left at once", async ({ page, core }) => {
  await open(page, "/named");
  await page.getByRole("textbox", { name: "Text of VOICE" }).pressSequentially("Half a thought");
  await page.getByRole("link", { name: "Memory" }).click();
  const voice = async () => {
    const entries = await core.call<NamedEntryView[]>("list_named_entries");
    return entries.find(({ name }) => name === "VOICE")?.content;
  };
  await expect.poll(voice).toBe("Half a thought");
});

test("an inbox of proposals is emptied from the keyboard, and the focus is never lost", async ({ page }) => {
  await open(page, "/activity");
  const inbox = page.getByRole("listbox", { name: "Proposals" });
  await expect(inbox.getByRole("option")).toHaveCount(5);
  await inbox.focus();
  for (const key of ["a", "r", "a", "r", "r"]) {
    const left = await inbox.getByRole("option").count();
    await page.keyboard.press(key);
    if (left > 1) await expect(inbox.getByRole("option")).toHaveCount(left - 1);
    if (left > 1) await expect(inbox).toBeFocused();
  }
  await expect(page.getByText("Nothing to decide")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Proposals", exact: true })).toBeVisible();
});

test("an answer links to its ledger, and a link to a ledger opens it", async ({ page }) => {
  await open(page, "/conversations/k3T9wPq2LxA");
  const answer = page.getByRole("article", { name: /^World Agent/ }).last();
  await answer.getByRole("button", { name: "What the agent saw" }).press("Enter");
  await expect(page.getByRole("table", { name: "Tokens by layer" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("table", { name: "Tokens by layer" })).toBeVisible();
});

test("a long journal renders few rows while scrolling, and keeps the focused one", async ({ page, core }) => {
  for (let n = 0; n < 260; n += 1)
    await core.call("tag_memories", {
      ids: [idOf(8)],
      add: n % 2 ? [] : ["long"],
      remove: n % 2 ? ["long"] : [],
    });
  await open(page, "/activity?page=changes");
  const journal = page.getByRole("region", { name: "Changes" });
  const first = journal.getByRole("button", { name: /^Undo/ }).first();
  await first.focus();
  await journal.evaluate(async (box) => {
    for (let i = 0; i < 40; i += 1) {
      box.scrollTop += 600;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  });
  expect(await journal.getByRole("listitem").count()).toBeLessThan(60);
  expect(await callsOf(page, "list_changes")).toBeGreaterThan(2);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BUTTON");
});
