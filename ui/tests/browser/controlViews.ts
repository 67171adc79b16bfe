import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { LOREBOOK } from "../../../e2e/lib/third-party.mjs";
import { breakAuditLog, damageWorkspace } from "../../src/testing/damage";
import { idOf } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";
import { expect, type View } from "./support";

const table = (name: string | RegExp) => async (page: Page) =>
  expect(page.getByRole("table", { name })).toBeVisible();

/** The views of the control plane, of export and of import, for the walk through all views. */
export const CONTROL_VIEWS: View[] = [
  { name: "control, overview", hash: "/control", ready: table("Memory by tier") },
  {
    name: "control, scrub manifest",
    hash: "/control?part=scrub",
    writes: true,
    ready: async (page: Page, core: Core) => {
      await page.getByRole("radio", { name: "Memories of this world" }).click();
      await page.getByRole("button", { name: "See what would be erased" }).click();
      await page.getByRole("textbox", { name: /^Type/ }).fill("scrub workspace");
      await core.edit(idOf(8), "Somebody else's.");
      await page.keyboard.press("Enter");
      await expect(page.getByText(/Something changed after you looked/)).toBeVisible();
      await page.getByRole("textbox", { name: /^Type/ }).fill("scrub workspace");
    },
  },
  {
    name: "control, clients",
    hash: "/control?part=clients",
    writes: true,
    ready: async (page: Page) => {
      await page.getByRole("switch", { name: "MCP server" }).click();
      await page.getByRole("button", { name: "Add a client" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Zed");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("region", { name: "The token of Zed" })).toBeVisible();
      await page.getByRole("checkbox", { name: "Write: Channel" }).click();
      await expect(page.getByText(/Choose a channel, or/)).toBeVisible();
    },
  },
  {
    name: "control, broken audit log",
    hash: "/control?part=audit",
    world: { before: breakAuditLog },
    writes: true,
    ready: async (page: Page) => {
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "control, backups after damage",
    hash: "/control?part=backups",
    world: { before: damageWorkspace },
    writes: true,
    ready: async (page: Page) => {
      await table(/^Backups/)(page);
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "memory, import looked at",
    ready: async (page: Page, core: Core) => {
      const file = join(core.home.path, "lore.json");
      writeFileSync(file, JSON.stringify(LOREBOOK));
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Import memory…" }).click();
      await page.getByRole("textbox", { name: /^Full path/ }).fill(file);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("region", { name: "What would happen" })).toBeVisible();
    },
  },
  {
    name: "memory, export",
    ready: async (page: Page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Export memory…" }).click();
      await expect(page.getByRole("dialog", { name: "Export memory" })).toBeVisible();
    },
    inView: "Export",
  },
];
