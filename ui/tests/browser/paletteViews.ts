import type { Page } from "@playwright/test";
import { LEDGER, SALTMERE } from "../../src/testing/fixtures/ids";
import { setKnownBy, subject } from "../../src/testing/story";
import { linkVault, vaultFolder } from "../../src/testing/vault";
import { detail, expect, open, type View } from "./support";

export const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" });
export const groupOf = (page: Page, name: string) => palette(page).getByRole("group", { name });

export async function openPalette(page: Page, text = ""): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeVisible();
  if (text === "") return;
  await palette(page).getByRole("combobox").fill(text);
  await expect(palette(page).locator("[aria-busy=true]")).toHaveCount(0);
}

/** Opens some things, so that they are the recent ones. */
export async function visit(page: Page): Promise<void> {
  const kept = (id: string) => page.waitForFunction((id) => JSON.stringify(localStorage).includes(id), id);
  await open(page, `/memory?id=${SALTMERE}`);
  await expect(detail(page)).toBeVisible();
  await kept(SALTMERE);
  await page.goto(`${page.url().split("#")[0]}#/conversations/${LEDGER}`);
  await kept(LEDGER);
  await page.goto(`${page.url().split("#")[0]}#/memory`);
}

/** The views of the palette, for the walk through all views. */
export const PALETTE_VIEWS: View[] = [
  {
    name: "palette, recent",
    ready: async (page) => {
      await visit(page);
      await openPalette(page);
      await expect(groupOf(page, "Recent").getByRole("option")).toHaveCount(2);
    },
  },
  {
    name: "palette, every kind",
    hash: "/settings",
    seed: async (core) => {
      await linkVault(core, vaultFolder(core.home));
      await subject(core, "Harbour wardens", "faction", "They count the lanterns.");
    },
    afresh: true,
    ready: async (page) => {
      await openPalette(page, "harbour");
      for (const name of ["Subjects", "Channels", "Memories", "Messages", "Pages"])
        await expect(groupOf(page, name)).toBeVisible();
    },
  },
  {
    name: "palette, nothing found",
    world: { noModel: true },
    ready: async (page) => {
      await openPalette(page, "xyzzyqq");
      await expect(palette(page).getByText(/^Nothing found. Try/)).toBeVisible();
    },
  },
  {
    name: "palette, a search that fails",
    faults: "fail=search_documents",
    ready: async (page) => {
      await openPalette(page, "harbour");
      await expect(
        palette(page)
          .getByText(/did not answer/)
          .first(),
      ).toBeVisible();
    },
  },
  {
    name: "palette, through a lens",
    hash: "/memory?as=Mira",
    seed: async (core) => {
      const king = await subject(core, "The Drowned King", "character", "He sleeps under the weir.");
      await subject(core, "Mira", "character", "Mira counts the tides of the weir.");
      await setKnownBy(core, king, [{ subject: "Mira", since: null }]);
    },
    afresh: true,
    ready: async (page) => {
      await openPalette(page, "weir");
      await expect(palette(page).getByText("As Mira")).toBeVisible();
      await expect(groupOf(page, "Memories")).toBeVisible();
    },
  },
];
