import { rmSync } from "node:fs";
import { join } from "node:path";
import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { PageList, WriteResult } from "../../../ipc/bindings.gen";
import { type Core, openWindow } from "../../../testing/open";
import { linkVault, vaultFolder } from "../../../testing/vault";

const PLACE = { scope: "workspace", channelId: null, conversationId: null };

const remember = async (core: Core, content: string, madeOf: string[]) =>
  (
    await core.call<WriteResult>("create_memory", {
      memory: { ...PLACE, lifetime: "long_term", content, importance: 0.5, tags: [], madeOf },
    })
  ).detail.row.id;

/** A window on a linked vault. */
async function openVault() {
  let folder = "";
  const opened = await openWindow("/memory", {
    before: (home) => {
      folder = vaultFolder(home);
    },
  });
  const vault = await linkVault(opened.core, folder);
  const { rows } = await opened.core.call<PageList>("list_pages", {
    request: { vaultId: vault.id, after: null, limit: 50 },
  });
  return { ...opened, vault, folder, page: rows.find((row) => row.title === "Saltmere")?.id ?? "" };
}

test("a memory shows the page that it was made of, and that the page is gone", async () => {
  const { core, user, vault, folder, page } = await openVault();
  await remember(core, "The town of Saltmere was drowned twice.", [`page:${page}`]);
  await user.click(await screen.findByText("The town of Saltmere was drowned twice."));
  const made = await screen.findByRole("region", { name: "What it was made of" });
  expect(within(made).getByText("Its sources say the same as before")).toBeTruthy();
  const link = within(made).getByRole("link", { name: /Saltmere/ });
  expect(link.getAttribute("href")).toContain(page);
  expect(within(made).getByText(/· draft/)).toBeTruthy();
  rmSync(join(folder, "Saltmere.md"));
  await core.call("sync_vault", { id: vault.id });
  await within(made).findByText("No longer there");
  expect(within(made).getByText("Its sources are gone")).toBeTruthy();
  expect(within(made).queryByRole("link")).toBeNull();
});

test("a memory is proposed to a page as a change to copy, and nothing is written", async () => {
  const { core, user } = await openVault();
  await remember(core, "The lanterns of the weir are lit at dusk.", []);
  await user.click(await screen.findByText("The lanterns of the weir are lit at dusk."));
  const detail = await screen.findByRole("region", { name: "The memory" });
  await user.click(await within(detail).findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Propose to a page…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Propose to a page" }));
  await user.type(dialog.getByRole("textbox", { name: "Page" }), "Lanterns");
  const found = within(await dialog.findByRole("list", { name: "Pages found" }));
  await user.click(await found.findByRole("button", { name: /^Lanterns/ }));
  expect(await dialog.findByText(/\+The lanterns of the weir are lit at dusk\./)).toBeTruthy();
});
