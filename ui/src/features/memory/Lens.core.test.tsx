import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { SALTMERE } from "../../testing/fixtures/ids";
import { type Core, openWindow } from "../../testing/open";
import { chapter, setKnownBy, subject } from "../../testing/story";

const HARBOUR = /harbour town/;
const list = () => screen.findByRole("grid", { name: "Memories" });
const rowOf = async (text: RegExp) =>
  within(await list())
    .getAllByRole("row")
    .find((row) => text.test(row.textContent ?? ""));

/** Mira knows what Toma does not, from the second chapter on. */
async function secret(core: Core) {
  const mira = await subject(core, "Mira", "character");
  const toma = await subject(core, "Toma", "character");
  const chapters = [
    await chapter(core, "The Storm", "", 1),
    await chapter(core, "The Flood", "", 2),
  ] as const;
  await setKnownBy(core, SALTMERE, [{ subject: "Mira", since: "The Flood" }]);
  return { mira, toma, chapters };
}

test("the list and the search show what somebody knows, and one click lifts it", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  const { toma } = await secret(core);
  await router.navigate({ to: "/memory", search: { q: "harbour town" } });
  await waitFor(async () => expect(await rowOf(HARBOUR)).toBeTruthy());
  await user.click(await screen.findByRole("button", { name: "Show as…" }));
  const popup = within(await screen.findByRole("dialog", { name: "Show what somebody knows" }));
  expect(popup.getByText(/learns by the order of reading/)).toBeTruthy();
  expect(popup.getByRole<HTMLButtonElement>("button", { name: "Show" }).disabled).toBe(true);
  await user.click(popup.getByRole("button", { name: "As: Anybody" }));
  await user.click(await screen.findByRole("option", { name: "Toma" }));
  await user.click(popup.getByRole("button", { name: "Show" }));
  await waitFor(() => expect(address().search).toMatchObject({ as: toma }));
  await screen.findByText("As Toma");
  await waitFor(() => expect(screen.queryByText(HARBOUR)).toBeNull());
  await user.click(screen.getByRole("button", { name: "Show everything again" }));
  await waitFor(async () => expect(await rowOf(HARBOUR)).toBeTruthy());
  expect(address().search).toEqual({ q: "harbour town" });
});

test("an address may name a subject and a chapter; facets and counts follow it", async () => {
  const { core, router, transport } = await openWindow("/memory");
  const { chapters } = await secret(core);
  const before = transport.calls.length;
  await router.navigate({ to: "/memory", search: { as: "Mira", by: "chapter 1", scope: "workspace" } });
  await screen.findByText("As Mira · The Storm");
  await waitFor(() => expect(screen.queryByText(HARBOUR)).toBeNull());
  const lens = { knower: "Mira", at: "chapter 1" };
  await waitFor(() => {
    const [last] = transport.callsOf("list_memories").slice(-1) as [object];
    expect(JSON.stringify(last)).toContain(JSON.stringify(lens));
  });
  await waitFor(() => {
    // The page also counts without any filter, to tell an empty memory from an empty answer.
    const counts = transport.calls.slice(before).filter(({ command }) => command === "scope_counts");
    expect(JSON.stringify(counts)).toContain(JSON.stringify(lens));
  });
  await router.navigate({ to: "/memory", search: { as: "Mira", by: chapters[1], scope: "workspace" } });
  await screen.findByText("As Mira · The Flood");
  await waitFor(async () => expect(await rowOf(HARBOUR)).toBeTruthy());
});

test("where nothing is found the page says that something may be withheld", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  await secret(core);
  await router.navigate({ to: "/memory", search: { as: "Toma", q: '"zzzz"' } });
  await screen.findByText(/Some things may be hidden/);
  const [, lift] = screen.getAllByRole("button", { name: "Show everything again" });
  await user.click(lift as HTMLElement);
  await waitFor(() => expect(address().search).toEqual({ q: '"zzzz"' }));
});

test("an address with somebody who is not there says so, and can be left", async () => {
  const { user, core, router } = await openWindow("/memory");
  await secret(core);
  await router.navigate({ to: "/memory", search: { as: "Nobody" } });
  await screen.findByText("As Nobody");
  expect(await screen.findByRole("alert")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show everything again" }));
  await waitFor(async () => expect(await rowOf(HARBOUR)).toBeTruthy());
});
