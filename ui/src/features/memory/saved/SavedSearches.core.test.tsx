import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { WorkspaceView } from "../../../ipc/bindings.gen";
import { type Opened, openWindow } from "../../../testing/open";

const rail = () => within(screen.getByRole("navigation", { name: "Main" }));
const railNames = () => {
  const list = rail().queryByRole("list", { name: "Saved searches" });
  return list
    ? within(list)
        .getAllByRole("link")
        .map((it) => it.textContent)
    : [];
};

async function openList(user: Opened["user"]) {
  await user.click(await screen.findByRole("button", { name: "Saved searches" }));
  return within(await screen.findByRole("dialog", { name: "Saved searches" }));
}

async function save(user: Opened["user"], name: string) {
  const list = await openList(user);
  const field = await list.findByRole("textbox", { name: "Save this search as" });
  await user.clear(field);
  await user.type(field, `${name}{Enter}`);
  await list.findByText(`Saved as “${name}”.`, { selector: "p:not([role])" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

async function act(user: Opened["user"], name: string, what: string) {
  const list = await openList(user);
  await user.click(list.getByRole("button", { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: new RegExp(what) }));
  return list;
}

const SALT = "/memory?scope=workspace&q=salt&f=%5B%22-curator%3Aagent%22%5D&sort=created_asc";
const SALT_SEARCH = { scope: "workspace", q: "salt", f: ["-curator:agent"], sort: "created_asc" };

test("a search is saved with its words, filters and order, and opened from the rail", async () => {
  const { user, router, address } = await openWindow(SALT);
  await save(user, "Salt and oaths");
  await router.navigate({ to: "/settings" });
  await user.click(rail().getByRole("link", { name: "Salt and oaths" }));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: SALT_SEARCH }));
  expect(rail().getByRole("link", { name: "Salt and oaths" }).getAttribute("aria-current")).toBe("page");
});

test("a saved search is opened from its list and from the palette", async () => {
  const { user, router, address } = await openWindow(SALT);
  await save(user, "Salt and oaths");
  await router.navigate({ to: "/memory", search: {} });
  const list = await openList(user);
  await user.click(list.getByRole("button", { name: /^Salt and oaths “salt” · World/ }));
  await waitFor(() => expect(address().search).toEqual(SALT_SEARCH));
  await router.navigate({ to: "/settings" });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "oaths");
  await user.click(await screen.findByRole("option", { name: "Saved search: Salt and oaths" }));
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/memory", search: SALT_SEARCH }));
});

test("there is nothing to save on the page as it opens", async () => {
  const { user } = await openWindow("/memory");
  const list = await openList(user);
  await list.findByText(/^Search or filter, then save it here/);
  expect(list.queryByRole("textbox")).toBeNull();
});

test("a name that is taken is refused at its field", async () => {
  const { user, router } = await openWindow("/memory?q=salt");
  await save(user, "Salt");
  await router.navigate({ to: "/memory", search: { q: "oaths" } });
  const list = await openList(user);
  const field = await list.findByRole("textbox", { name: "Save this search as" });
  await user.clear(field);
  await user.type(field, "salt{Enter}");
  expect((await list.findByRole("alert")).textContent).toBe("Another saved search has this name.");
  expect(railNames()).toEqual(["Salt"]);
});

test("saved searches are renamed, moved and deleted, and a deleted one can come back", async () => {
  const { user, router } = await openWindow("/memory?q=salt");
  await save(user, "Salt");
  await router.navigate({ to: "/memory", search: { q: "oaths" } });
  await save(user, "Oaths");
  const list = await act(user, "Salt", "Rename");
  const field = await list.findByRole("textbox", { name: "Name" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  await user.clear(field);
  await user.type(field, "Salt roads{Enter}");
  await waitFor(() => expect(railNames()).toEqual(["Salt roads", "Oaths"]));
  const row = list.getByRole("button", { name: /^Salt roads/ });
  row.focus();
  await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await waitFor(() => expect(railNames()).toEqual(["Oaths", "Salt roads"]));
  await list.findByText("Salt roads is number 2 of 2.");
  await waitFor(() => expect(document.activeElement?.textContent).toContain("Salt roads"));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await act(user, "Salt roads", "Move up");
  await waitFor(() => expect(railNames()).toEqual(["Salt roads", "Oaths"]));
  await user.click(screen.getByRole("button", { name: "Actions for Salt roads" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await waitFor(() => expect(railNames()).toEqual(["Oaths"]));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(railNames()).toEqual(["Salt roads", "Oaths"]));
});

test("a saved search belongs to its world", async () => {
  const { user, core, router } = await openWindow("/memory?q=salt");
  await save(user, "Salt");
  const other = await core.call<WorkspaceView>("create_workspace", { name: "The High Fells" });
  await core.call("switch_workspace", { id: other.id });
  await router.navigate({ to: "/settings" });
  await waitFor(() => expect(document.title).toContain("The High Fells"));
  await waitFor(() => expect(railNames()).toEqual([]));
});
