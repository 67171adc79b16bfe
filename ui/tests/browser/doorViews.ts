import type { Page } from "@playwright/test";
import { expect } from "./support";

const table = (name: string | RegExp) => async (page: Page) =>
  expect(page.getByRole("table", { name })).toBeVisible();

/** The views of the control plane, of export and of import, for the walk through all views. */
export const DOOR_VIEWS = [
  { name: "control, overview", hash: "/control", ready: table("Memory by tier") },
  {
    name: "control, scrub manifest",
    hash: "/control?part=scrub",
    ready: async (page: Page) => {
      await page.getByRole("radio", { name: "Memories of this workspace" }).click();
      await page.getByRole("button", { name: "See what would go" }).click();
      await page.getByRole("textbox", { name: /^Type/ }).fill("scrub workspace");
      await page.evaluate(() => {
        const [, , , , , , , entry] = [...window.inklings.entries.values()];
        window.inklings.foreignEdit(entry?.detail.row.id ?? "", "Somebody else's.");
      });
      await page.keyboard.press("Enter");
      await expect(page.getByText(/The rows changed after you looked/)).toBeVisible();
      await page.getByRole("textbox", { name: /^Type/ }).fill("scrub workspace");
    },
  },
  {
    name: "control, clients",
    hash: "/control?part=clients",
    ready: async (page: Page) => {
      await page.getByRole("switch", { name: "MCP server" }).click();
      await page.getByRole("button", { name: "Add a client" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Zed");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("region", { name: "The token of Zed" })).toBeVisible();
      await page.getByRole("checkbox", { name: "Write: Channel" }).click();
      await expect(page.getByText(/Without a channel/)).toBeVisible();
    },
  },
  {
    name: "control, broken audit log",
    hash: "/control?part=audit",
    ready: async (page: Page) => {
      await page.evaluate(() => {
        window.inklings.keep.brokenAt = 1;
      });
      await page.getByRole("button", { name: "Verify again" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "control, backups after damage",
    hash: "/control?part=backups",
    scenario: "damaged",
    ready: table(/^Backups/),
  },
  {
    name: "memory, import looked at",
    ready: async (page: Page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Import memory…" }).click();
      await page.getByRole("textbox", { name: /^Full path/ }).fill("/home/you/lore.json");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("region", { name: "What would happen" })).toBeVisible();
    },
  },
  {
    name: "memory, export",
    scenario: "damaged",
    ready: async (page: Page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Export memory…" }).click();
      await expect(page.getByRole("dialog", { name: "Export memory" })).toBeVisible();
    },
  },
];
