import type { Page } from "@playwright/test";
import type { Core } from "../../src/testing/serve";
import { linkVault, vaultFolder } from "../../src/testing/vault";
import { expect, type View } from "./support";

const link = (core: Core) => linkVault(core, vaultFolder(core.home));

const of = (name: string, ready: View["ready"], hash = "/pages"): View => ({
  name,
  hash,
  seed: link,
  afresh: true,
  ready,
});

const reading = (page: Page) => page.getByRole("region", { name: "The page Saltmere" });

/** The views of pages of linked folders, for the walk through all views. */
export const VAULT_VIEWS: View[] = [
  {
    name: "pages, no folder",
    hash: "/pages",
    ready: async (page) => expect(page.getByText("No folder is linked yet")).toBeVisible(),
  },
  {
    name: "pages, linking",
    hash: "/pages",
    inView: "Link",
    ready: async (page) => {
      await page.getByRole("button", { name: "Link a folder…" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "pages, error",
    hash: "/pages",
    faults: "fail=list_pages,list_vaults",
    ready: async (page) => expect(page.getByRole("alert").first()).toBeVisible(),
  },
  of("pages, reading", async (page) => {
    await page.getByRole("option", { name: /^Saltmere/ }).click();
    await expect(reading(page).getByRole("link", { name: "tower", exact: true })).toBeVisible();
    await expect(
      reading(page).getByRole("region", { name: "Mentioned in memory" }).getByRole("link").first(),
    ).toBeVisible();
  }),
  of("pages, found", async (page) => {
    await page.getByRole("searchbox", { name: "Find a page" }).fill("grey heron fish");
    await expect(page.getByRole("option").first()).toContainText("Lanterns");
  }),
  of(
    "pages, folders",
    async (page) => {
      await page.getByText(/^What was skipped/).click();
      await expect(page.getByText("Lanterns (conflicted copy 2026-01-01).md")).toBeVisible();
    },
    "/pages?show=folders",
  ),
  of(
    "pages, unlinking",
    async (page) => {
      await page.getByRole("button", { name: "Unlink Drowned Notes" }).click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
    },
    "/pages?show=folders",
  ),
];
