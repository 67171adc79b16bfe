import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { PageView, VaultView } from "../../ipc/bindings.gen";
import { openWindow, type World } from "../../testing/open";
import { linkVault, vaultFolder } from "../../testing/vault";

/** A window on a small vault, which is linked when it opens its pages. */
async function openPages(world: World = {}) {
  let folder = "";
  const opened = await openWindow("/memory", {
    ...world,
    before: (home) => {
      folder = vaultFolder(home);
    },
  });
  const vault = await linkVault(opened.core, folder);
  await opened.user.click(screen.getByRole("link", { name: "Pages" }));
  const list = await screen.findByRole("listbox", { name: "List of pages" });
  return { ...opened, vault, folder, list };
}

const pane = (title: string) => screen.findByRole("region", { name: `The page ${title}` });
const vaultsOf = (core: { call<T>(command: string): Promise<T> }) => core.call<VaultView[]>("list_vaults");

test("the empty page says what linking is, links a folder and shows its pages", async () => {
  let folder = "";
  const { user, core } = await openWindow("/pages", {
    before: (home) => {
      folder = vaultFolder(home);
    },
  });
  await screen.findByText("No folder is linked yet");
  expect(screen.getByText(/reads it where it is/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Link a folder…" }));
  const dialog = await screen.findByRole("dialog", { name: "Link a folder" });
  await user.type(within(dialog).getByRole("textbox"), `${folder}{Enter}`);
  await screen.findByText(/^Drowned Notes is linked/);
  const list = await screen.findByRole("listbox", { name: "List of pages" });
  await waitFor(() =>
    expect(
      within(list)
        .getAllByRole("option")
        .map((row) => row.textContent),
    ).toEqual(["LanternsLanterns.md", "SaltmereSaltmere.md", "Weir Towerplaces/Weir Tower.md"]),
  );
  await waitFor(async () => expect((await vaultsOf(core))[0]?.scannedAt).not.toBeNull());
  expect(await vaultsOf(core)).toMatchObject([{ name: "Drowned Notes", pages: 3, skipped: 1 }]);
});

test("a folder that cannot be linked is refused at its field, and what was typed stays", async () => {
  const { user } = await openWindow("/pages");
  await user.click(await screen.findByRole("button", { name: "Link a folder…" }));
  const dialog = await screen.findByRole("dialog");
  const field = within(dialog).getByRole<HTMLInputElement>("textbox");
  await user.type(field, "/no/such/folder{Enter}");
  expect(await within(dialog).findByRole("alert")).toBeTruthy();
  expect(field.value).toBe("/no/such/folder");
});

test("a page shows what its file says of it, its text, and what is connected to it", async () => {
  const { user, list } = await openPages();
  await user.click(within(list).getByRole("option", { name: /^Saltmere/ }));
  const page = within(await pane("Saltmere"));
  expect(page.getAllByRole("heading", { name: "Saltmere" })).toHaveLength(1);
  expect(page.getByText(/place · draft ·/)).toBeTruthy();
  expect(page.getByText("Also called The Salt Town")).toBeTruthy();
  const tags = within(page.getByRole("list", { name: "Tags" })).getAllByRole("listitem");
  expect(tags.map((tag) => tag.textContent)).toEqual(["#coast", "#guild"]);
  expect(page.getByText("[[Weir Tower]]").tagName).toBe("CODE");
  const backlinks = page.getByRole("region", { name: "Linked from" });
  expect(within(backlinks).getByRole("link").textContent).toContain("Weir Tower");
  const mentions = await page.findByRole("region", { name: "Mentioned in memory" });
  expect((await within(mentions).findAllByRole("link")).length).toBeGreaterThan(0);
});

test("a link in a text leads to its page, an attachment is named, and a name without a page is no link", async () => {
  const { user, list, address, core } = await openPages();
  await user.click(within(list).getByRole("option", { name: /^Saltmere/ }));
  const page = within(await pane("Saltmere"));
  expect(page.getAllByTitle("chart.png")[0]?.textContent).toContain("chart.png");
  expect(page.queryByRole("link", { name: /Nobody Yet/ })).toBeNull();
  await user.click(page.getByRole("link", { name: "tower" }));
  await pane("Weir Tower");
  const { row } = await core.call<PageView>("get_page", { page: "Weir Tower" });
  expect(address().search).toMatchObject({ id: row.id });
});

test("a heading of the list takes the focus where it stands in the text", async () => {
  const { user, list } = await openPages();
  await user.click(within(list).getByRole("option", { name: /^Saltmere/ }));
  const page = within(await pane("Saltmere"));
  await user.click(page.getByText("Headings"));
  const headings = page.getByRole("navigation", { name: "Headings" });
  await user.click(within(headings).getByRole("button", { name: "Trade" }));
  expect(document.activeElement).toBe(page.getByRole("heading", { name: "Trade" }));
});

test("a link to a heading leads to where it stands", async () => {
  const { user, list } = await openPages();
  await user.click(within(list).getByRole("option", { name: /^Saltmere/ }));
  await user.click(within(await pane("Saltmere")).getByRole("link", { name: "Lanterns > Oil" }));
  const page = within(await pane("Lanterns"));
  await waitFor(() => expect(document.activeElement).toBe(page.getByRole("heading", { name: "Oil" })));
});

test("pages are found by their words", async () => {
  const { user } = await openPages();
  await user.type(screen.getByRole("searchbox", { name: "Find a page" }), "grey heron fish");
  await waitFor(() => {
    const first = screen.getAllByRole("option")[0];
    expect(first?.querySelector("mark")).toBeTruthy();
    expect(first?.textContent).toContain("Lanterns");
  });
  await pane("Lanterns");
});

test("a scan on request finds what was written since, and what was skipped is listed with its reason", async () => {
  const { user, list, folder } = await openPages();
  await user.click(screen.getByRole("button", { name: "Linked folders" }));
  const folders = within(await screen.findByRole("region", { name: "Linked folders" }));
  await user.click(folders.getByText("What was skipped: 1 file or folder"));
  const skip = await folders.findByText("Lanterns (conflicted copy 2026-01-01).md");
  expect(skip.nextElementSibling?.textContent).not.toBe("");
  writeFileSync(join(folder, "Reed Queen.md"), "She sleeps under the ice.");
  await user.click(await folders.findByRole("button", { name: "Scan Drowned Notes now" }));
  await within(list).findByRole("option", { name: /^Reed Queen/ });
});

test("the list can be narrowed to one linked folder", async () => {
  const { user, core, folder, address } = await openPages();
  const other = join(dirname(folder), "Other Notes");
  mkdirSync(other);
  writeFileSync(join(other, "Reed Queen.md"), "She sleeps under the ice.");
  const { id } = await linkVault(core, other);
  await user.click(await screen.findByRole("combobox", { name: "Linked folder" }));
  await user.click(await screen.findByRole("option", { name: "Other Notes" }));
  await pane("Reed Queen");
  const list = within(screen.getByRole("listbox", { name: "List of pages" }));
  expect(list.getAllByRole("option").map((row) => row.textContent)).toEqual(["Reed QueenReed Queen.md"]);
  expect(address().search).toMatchObject({ vault: id });
});

test("unlinking asks first, says that the files stay, and removes the pages", async () => {
  const { user, core } = await openPages();
  await user.click(screen.getByRole("button", { name: "Linked folders" }));
  await user.click(await screen.findByRole("button", { name: "Unlink Drowned Notes" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Unlink “Drowned Notes”?" });
  expect(dialog.textContent).toContain("The files in the folder stay as they are.");
  await user.click(within(dialog).getByRole("button", { name: "Unlink" }));
  await screen.findByText("No folder is linked yet");
  expect(await vaultsOf(core)).toEqual([]);
});

test("a page that is gone is reported, with a way back", async () => {
  const { user, router } = await openPages();
  await router.navigate({ to: "/pages", search: { id: "01920000-0000-7000-8000-000000000000" } });
  await user.click(await screen.findByRole("button", { name: "To the first page" }));
  await pane("Lanterns");
});
test("a search within one linked folder finds its pages, however many another folder has", async () => {
  const { user, core, folder } = await openPages();
  const other = join(dirname(folder), "Other Notes");
  mkdirSync(other);
  for (let n = 0; n < 210; n += 1)
    writeFileSync(join(other, `Bell ${n}.md`), `The drowned bell, number ${n}.`);
  writeFileSync(
    join(folder, "Reed Queen.md"),
    `${"She sleeps under the ice. ".repeat(200)}\n\nShe heard a bell that had drowned.\n`,
  );
  await linkVault(core, other);
  await waitFor(() => core.call("get_page", { page: "Reed Queen" }), { timeout: 20_000 });
  await user.click(await screen.findByRole("combobox", { name: "Linked folder" }));
  await user.click(await screen.findByRole("option", { name: "Drowned Notes" }));
  await user.type(screen.getByRole("searchbox", { name: "Find a page" }), "drowned bell");
  await waitFor(() => {
    const rows = within(screen.getByRole("listbox", { name: "List of pages" })).getAllByRole("option");
    expect(rows.some((row) => row.textContent?.includes("Reed Queen"))).toBe(true);
    expect(rows.every((row) => !row.textContent?.includes("number"))).toBe(true);
  });
});

test("a page that was found in the palette opens where it is read", async () => {
  const { user } = await openPages();
  await user.keyboard("{Control>}k{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Command palette" });
  await user.type(within(dialog).getByRole("combobox"), "grey heron fish");
  const group = await within(dialog).findByRole("group", { name: "Pages" });
  const [best] = within(group).getAllByRole("option");
  expect(best?.textContent).toContain("Lanterns.");
  expect(best?.querySelector("mark")).toBeTruthy();
  await user.click(best as HTMLElement);
  await pane("Lanterns");
});

test("where the data folder cannot be written, pages are read and folders stay as they are", async () => {
  await openWindow("/pages", { readOnly: true });
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Link a folder…" });
  expect(button.disabled).toBe(true);
});
