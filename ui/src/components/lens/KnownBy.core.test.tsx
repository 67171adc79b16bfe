import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { SALTMERE } from "../../testing/fixtures/ids";
import { detailOf, type Opened, openWindow } from "../../testing/open";
import { addCalendar, chapter, setKnownBy, subject } from "../../testing/story";

const detail = () => screen.findByRole("region", { name: "The memory" });
const dialog = async () => within(await screen.findByRole("dialog", { name: "Who knows of it" }));

/** Adds Toma to those who know, and leaves the others as they are. */
async function addToma(user: Opened["user"], router: Opened["router"]) {
  await router.navigate({ to: "/memory", search: { id: SALTMERE } });
  await user.click(await screen.findByRole("button", { name: "Change who knows" }));
  const box = await dialog();
  await user.click(box.getByRole("button", { name: "Add who knows" }));
  await user.click(await screen.findByRole("option", { name: "Toma" }));
  await user.click(box.getByRole("button", { name: "Save" }));
  await screen.findByRole("link", { name: "Toma" });
}

test("without anybody in the world nothing is asked about who knows", async () => {
  const { core, router } = await openWindow("/memory");
  await chapter(core, "The Flood", "", 1);
  await router.navigate({ to: "/memory", search: { id: SALTMERE } });
  await within(await detail()).findByRole("article");
  expect(screen.queryByText("Everybody knows of it")).toBeNull();
});

test("who knows is set with a time that is read while it is typed, and can be taken back", async () => {
  const { user, core, router } = await openWindow("/memory");
  await addCalendar(core);
  const mira = await subject(core, "Mira", "character");
  await subject(core, "The Reader", "audience");
  const flood = await chapter(core, "The Flood", "812", 12);
  await router.navigate({ to: "/memory", search: { id: SALTMERE } });
  await screen.findByText("Everybody knows of it");
  const set = screen.getByRole("button", { name: "Set who knows" });
  await user.click(set);
  const box = await dialog();
  box.getByText("Nobody is in the list: everybody knows of it.");
  for (const name of ["Mira", "The Reader"]) {
    await user.click(box.getByRole("button", { name: "Add who knows" }));
    await user.click(await screen.findByRole("option", { name }));
  }
  await user.type(box.getByRole("textbox", { name: "Since when Mira knows" }), "chapter 12");
  await box.findByText("Chapter: The Flood");
  await user.click(box.getByRole("button", { name: "Save" }));
  await waitFor(async () =>
    expect((await detailOf(core, SALTMERE)).knownBy).toEqual([
      { id: mira, name: "Mira", since: "The Flood", chapterId: flood },
      expect.objectContaining({ name: "The Reader", since: null }),
    ]),
  );
  await screen.findByText("since The Flood");
  expect(document.activeElement?.textContent).toBe("Change");
  expect(screen.getByRole("link", { name: "Mira" }).getAttribute("href")).toContain(mira);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await screen.findByText("Everybody knows of it");
});

test("a time that is not understood is said at its field and cannot be saved; it can be removed", async () => {
  const { user, core, router } = await openWindow("/memory");
  await addCalendar(core);
  await subject(core, "Mira", "character");
  await setKnownBy(core, SALTMERE, [{ subject: "Mira", since: "812" }]);
  await router.navigate({ to: "/memory", search: { id: SALTMERE } });
  await user.click(await screen.findByRole("button", { name: "Change who knows" }));
  const box = await dialog();
  const since = box.getByRole("textbox", { name: "Since when Mira knows" });
  const save = box.getByRole<HTMLButtonElement>("button", { name: "Save" });
  await user.clear(since);
  await user.type(since, "chapter 99");
  await waitFor(() => expect(save.disabled).toBe(true));
  expect(since.getAttribute("aria-invalid")).toBe("true");
  await user.click(box.getByRole("button", { name: "Remove Mira" }));
  await user.click(box.getByRole("button", { name: "Save" }));
  await screen.findByText("Everybody knows of it");
  expect((await detailOf(core, SALTMERE)).knownBy).toEqual([]);
});

test("what nobody changed is saved as it was", async () => {
  const { user, core, router } = await openWindow("/memory");
  await addCalendar(core);
  await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  await setKnownBy(core, SALTMERE, [{ subject: "Mira", since: "3 May, 812" }]);
  const before = (await detailOf(core, SALTMERE)).knownBy;
  await addToma(user, router);
  expect((await detailOf(core, SALTMERE)).knownBy).toEqual([
    ...before,
    expect.objectContaining({ name: "Toma", since: null }),
  ]);
});

test("a chapter that nobody changed stays, also if its name is the number of another one", async () => {
  const { user, core, router } = await openWindow("/memory");
  await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  for (const [at, name] of ["Prologue", "Chapter 1", "Chapter 2"].entries())
    await chapter(core, name, "", at + 1);
  await setKnownBy(core, SALTMERE, [{ subject: "Mira", since: "Chapter 2" }]);
  const before = (await detailOf(core, SALTMERE)).knownBy;
  expect(before).toEqual([expect.objectContaining({ name: "Mira", since: "Chapter 2" })]);
  await addToma(user, router);
  expect((await detailOf(core, SALTMERE)).knownBy).toEqual([
    ...before,
    expect.objectContaining({ name: "Toma", since: null }),
  ]);
});

test("a subject has a line of its own, and its page lists what it knows", async () => {
  const { user, core, router } = await openWindow("/memory");
  const mira = await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  await setKnownBy(core, SALTMERE, [{ subject: "Mira", since: null }]);
  await router.navigate({ to: "/world", search: { id: mira } });
  await user.click(await screen.findByRole("button", { name: "Set who knows" }));
  (await dialog()).getByText("Nobody is in the list: everybody knows of it.");
  await user.click((await dialog()).getByRole("button", { name: "Cancel" }));
  const knows = within(await screen.findByRole("region", { name: "Knows, which not everybody does" }));
  expect(knows.getByRole("link").getAttribute("href")).toContain(SALTMERE);
});
