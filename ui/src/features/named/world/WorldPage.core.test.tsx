import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { SubjectView, WriteResult } from "../../../ipc/bindings.gen";
import { SALTMERE } from "../../../testing/fixtures/ids";
import { type Core, openWindow } from "../../../testing/open";
import { linkVault, vaultFolder } from "../../../testing/vault";

const subject = async (core: Core, name: string, kind: string) =>
  (await core.call<WriteResult>("add_subject", { name, kind, content: "" })).detail.row.id;
const viewOf = (core: Core, id: string) => core.call<SubjectView>("get_subject", { id });
const pane = (name: string) => screen.findByRole("region", { name: `The entry ${name}` });
const relations = async (name: string) =>
  within(await screen.findByRole("list", { name: `Relations of ${name}` }));

test("the empty page says what a subject is, and makes the first one", async () => {
  const { user, core } = await openWindow("/world");
  await screen.findByText("No subjects yet");
  const [first] = screen.getAllByRole("button", { name: "New subject" });
  await user.click(first as HTMLElement);
  const dialog = await screen.findByRole("dialog", { name: "New subject" });
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "Mira{Enter}");
  await pane("Mira");
  const rows = within(await screen.findByRole("listbox", { name: "Subjects" })).getAllByRole("option");
  expect(rows.map((row) => row.textContent)).toEqual(["MiraCharacter"]);
  const found = await core.call<{ rows: { name: string; kind: string }[] }>("list_subjects", { kind: null });
  expect(found.rows.map(({ name, kind }) => [name, kind])).toEqual([["Mira", "character"]]);
});

test("a name that recurs is suggested, and is no longer once it is a subject", async () => {
  const { user, core } = await openWindow("/memory");
  for (const n of [1, 2, 3]) {
    const content = `On day ${n} of the storm they met Brannoch there.`;
    const place = { scope: "workspace", channelId: null, conversationId: null };
    await core.call("create_memory", {
      memory: { ...place, lifetime: "long_term", content, importance: 0.5, tags: [] },
    });
  }
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("button", { name: /recurs? without a page/ }));
  await user.click(await screen.findByRole("button", { name: "Add Brannoch" }));
  const dialog = await screen.findByRole("dialog", { name: "New subject" });
  expect(within(dialog).getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("Brannoch");
  await user.click(within(dialog).getByRole("button", { name: "Create" }));
  await pane("Brannoch");
  const left = await core.call<{ name: string }[]>("suggest_subjects");
  expect(left.map(({ name }) => name)).not.toContain("Brannoch");
});

test("a relation is added as a sentence and is seen from both ends", async () => {
  const { user, core } = await openWindow("/memory");
  const [mira, toma] = [await subject(core, "Mira", "character"), await subject(core, "Toma", "character")];
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await pane("Mira");
  await user.click(await screen.findByRole("button", { name: "Add a relation" }));
  await user.type(screen.getByRole("textbox", { name: "What Mira is to the other" }), "is the sister of");
  await user.click(screen.getByRole("button", { name: "Other subject" }));
  await user.click(await screen.findByRole("option", { name: "Toma" }));
  await user.click(screen.getByRole("button", { name: "Add" }));
  await (await relations("Mira")).findByRole("link", { name: "Toma" });
  const [stated] = (await viewOf(core, toma)).relations;
  expect(stated).toMatchObject({ relation: "is the sister of", outgoing: false, other: { id: mira } });
  await user.click((await relations("Mira")).getByRole("link", { name: "Toma" }));
  await pane("Toma");
  expect((await relations("Toma")).getByRole("listitem").textContent).toContain("Mira is the sister of Toma");
});

test("a refused relation is said at the field, and what was typed stays", async () => {
  const { user, core } = await openWindow("/memory");
  const [mira, toma] = [await subject(core, "Mira", "character"), await subject(core, "Toma", "character")];
  const relation = { from: mira, relation: "knows", to: toma, content: null, channelId: null };
  await core.call("add_relation", { request: relation });
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("button", { name: "Add a relation" }));
  const word = screen.getByRole<HTMLInputElement>("textbox", { name: "What Mira is to the other" });
  await user.type(word, "Knows");
  await user.click(screen.getByRole("button", { name: "Other subject" }));
  await user.click(await screen.findByRole("option", { name: "Toma" }));
  await user.click(screen.getByRole("button", { name: "Add" }));
  expect((await screen.findByRole("alert")).textContent).toContain("related like this already");
  expect(word.value).toBe("Knows");
});

test("a relation that is removed can be taken back", async () => {
  const { user, core } = await openWindow("/memory");
  const [mira, toma] = [await subject(core, "Mira", "character"), await subject(core, "Toma", "character")];
  const relation = { from: mira, relation: "knows", to: toma, content: null, channelId: null };
  await core.call("add_relation", { request: relation });
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("button", { name: "Remove: Mira knows Toma" }));
  await screen.findByText("Not related to another subject yet.");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await (await relations("Mira")).findByRole("link", { name: "Toma" });
});

test("a named entry that gets a kind stands on the World page, and no longer among the named entries", async () => {
  const { user, core } = await openWindow(`/named?id=${SALTMERE}`);
  await user.click(await screen.findByRole("combobox", { name: "Kind" }));
  await user.click(await screen.findByRole("option", { name: "Place" }));
  await screen.findByRole("listbox", { name: "Subjects" });
  await pane("Saltmere");
  await waitFor(async () => expect((await viewOf(core, SALTMERE)).row.kind).toBe("place"));
  await user.click(screen.getByRole("link", { name: "Always in mind" }));
  const rows = within(await screen.findByRole("listbox", { name: "Always in mind" }));
  await waitFor(() => expect(rows.queryByText("Saltmere")).toBeNull());
});

test("pages with a type stand beside the subjects, and a page with the name of one is on its page", async () => {
  let folder = "";
  const { user, core } = await openWindow("/memory", {
    before: (home) => {
      folder = vaultFolder(home, { "Heron.md": "---\naliases: [Grey Heron]\n---\nIt fishes at the weir.\n" });
    },
  });
  await subject(core, "Grey Heron", "item");
  await linkVault(core, folder);
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  const pages = await screen.findByRole("region", { name: "Pages of linked folders" });
  const titles = within(pages)
    .getAllByRole("link")
    .map((link) => link.textContent);
  expect(titles).toContain("Weir TowerPlace");
  expect(titles.join(" ")).not.toMatch(/Heron|Lanterns/);
  const own = await within(await pane("Grey Heron")).findByRole("region", { name: "Its pages" });
  await user.click(within(own).getByRole("link", { name: /Heron/ }));
  await screen.findByRole("region", { name: "The page Heron" });
});
