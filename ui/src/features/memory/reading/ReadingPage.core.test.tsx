import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";
import { MARGUERITE, SALTMERE } from "../../../testing/fixtures/ids";
import { detailOf, memoriesOf, openWindow } from "../../../testing/open";
import { addCalendar, setKnownBy, setStoryTime, subject } from "../../../testing/story";

const reading = async () => within(await screen.findByRole("region", { name: "Reading view" }));

test("selected memories are read as one text in the order of the list, and Back leads to it", async () => {
  const { user, address, history } = await openWindow("/memory?scope=workspace");
  const list = await screen.findByRole("grid");
  list.focus();
  await user.keyboard("{ArrowDown}x{ArrowUp}x");
  const rows = within(list).getAllByRole("row").slice(0, 2);
  const titles = rows.map((row) => row.getAttribute("id")?.replace("memory-", ""));
  await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Read" }));
  const page = await reading();
  await waitFor(() => expect(page.getAllByRole("article")).toHaveLength(2));
  expect(address().pathname).toBe("/memory/read");
  expect(address().search).toEqual({ scope: "workspace", ids: titles });
  expect(page.getByRole("heading", { level: 1, name: "The Drowned Coast" })).toBeTruthy();
  expect(document.activeElement?.textContent).toBe("The Drowned Coast");
  history.back();
  await screen.findByRole("grid");
  expect(address().search).toEqual({ scope: "workspace" });
});

test("an entry has its title, tier, time in the story, whole text and sources", async () => {
  const { core, router } = await openWindow("/memory");
  await addCalendar(core);
  await setStoryTime(core, SALTMERE, "12 March 1203");
  await router.navigate({ to: "/memory/read", search: { ids: [SALTMERE] } });
  const entry = within(await (await reading()).findByRole("article"));
  const { content } = await detailOf(core, SALTMERE);
  expect(entry.getByText(/^World · .*1203/)).toBeTruthy();
  // The heading of the text only repeats its title.
  expect(content.startsWith("# Saltmere")).toBe(true);
  expect(entry.getAllByRole("heading", { name: "Saltmere" })).toHaveLength(1);
  expect(entry.getByText(/slack water/)).toBeTruthy();
  expect(entry.getByText(/^by you, /)).toBeTruthy();
});

test("without a selection the list is read as it is filtered, from the palette", async () => {
  const { user, core, address } = await openWindow("/memory?scope=account");
  await screen.findByRole("grid");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "read the list");
  await user.keyboard("{Enter}");
  const page = await reading();
  const account = (await memoriesOf(core)).filter((it) => it.scope === "account");
  await waitFor(() => expect(page.getAllByRole("article")).toHaveLength(account.length));
  expect(address().search).toEqual({ scope: "account" });
});

test("of a long list the first hundred are read, and the page says so", async () => {
  const { router } = await openWindow("/memory", { folder: "usual" });
  await screen.findByRole("grid");
  await router.navigate({ to: "/memory/read", search: {} });
  const page = await reading();
  await waitFor(() => expect(page.getAllByRole("article")).toHaveLength(100));
  expect(page.getByText(/^These are the first 100 of \d+, in the order of the list/)).toBeTruthy();
});

test("what a lens withholds is not read, although it is named in the address", async () => {
  const { core, router } = await openWindow("/memory");
  await subject(core, "Mira", "character");
  const toma = await subject(core, "Toma", "character");
  await setKnownBy(core, SALTMERE, [{ subject: "Mira", since: null }]);
  await router.navigate({ to: "/memory/read", search: { ids: [SALTMERE, MARGUERITE], as: toma } });
  const page = await reading();
  await waitFor(() => expect(page.getAllByRole("article")).toHaveLength(1));
  expect(page.queryByText(/harbour town/)).toBeNull();
  expect(page.getByText("1 that you selected is not there any more, or is hidden.")).toBeTruthy();
  expect(page.getByText(/As Toma/)).toBeTruthy();
  await router.navigate({ to: "/memory/read", search: { ids: [SALTMERE, MARGUERITE] } });
  await waitFor(() => expect(page.getAllByRole("article")).toHaveLength(2));
});

test("a change elsewhere is read at once, and what is gone is left out", async () => {
  const { core, router } = await openWindow("/memory");
  await router.navigate({
    to: "/memory/read",
    search: { ids: [SALTMERE, "0193f0c0-0000-7000-8000-00000000ffff"] },
  });
  const page = await reading();
  await waitFor(() => expect(page.getAllByRole("article")).toHaveLength(1));
  await core.edit(SALTMERE, "Written elsewhere.");
  expect(await page.findByText("Written elsewhere.")).toBeTruthy();
});

test("the page is printed by its button and from the palette", async () => {
  const print = vi.fn();
  vi.stubGlobal("print", print);
  try {
    const { user, router } = await openWindow("/memory");
    await router.navigate({ to: "/memory/read", search: { ids: [SALTMERE] } });
    const page = await reading();
    await page.findByRole("article");
    await user.click(page.getByRole("button", { name: "Print" }));
    expect(print).toHaveBeenCalledTimes(1);
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "print");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(print).toHaveBeenCalledTimes(2));
  } finally {
    vi.unstubAllGlobals();
  }
});
