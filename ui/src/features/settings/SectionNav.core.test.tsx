import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { openWindow } from "../../testing/open";

const search = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Find a setting" });
const sections = () => screen.getByRole("navigation", { name: "Sections of the settings" });
const results = () =>
  within(sections())
    .getAllByRole("button")
    .map((it) => it.textContent);

test("a setting is found by its words, and Enter goes to its control", async () => {
  const { user } = await openWindow("/settings");
  const toggle = await screen.findByRole("switch", { name: "Run automatically" });
  await user.type(await search(), "automat");
  expect(results()).toEqual(["Run automaticallyTidying"]);
  expect(screen.getByText("1 setting found")).toBeTruthy();
  await user.keyboard("{Enter}");
  expect(document.activeElement).toBe(toggle);
});

test("a key leads to the search, arrow keys through what it found, and Escape back to the sections", async () => {
  const { user } = await openWindow("/settings");
  await screen.findByRole("switch", { name: "Run automatically" });
  await user.keyboard("/");
  expect(document.activeElement).toBe(await search());
  await user.keyboard("start after");
  await waitFor(() => expect(results().length).toBeGreaterThan(2));
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toBe(results()[1]);
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(document.activeElement).toBe(await search());
  await user.keyboard("{Escape}");
  expect(results()).toContain("Appearance");
});

test("every setting on the page is found by its name", async () => {
  const { user } = await openWindow("/settings");
  await screen.findByRole("switch", { name: "Run automatically" });
  const names = [...document.querySelectorAll<HTMLElement>("[data-setting]")].map(
    (it) => it.dataset.setting ?? "",
  );
  expect(names.length).toBeGreaterThan(20);
  const box = await search();
  for (const name of names) {
    await user.clear(box);
    await user.click(box);
    await user.paste(name);
    await waitFor(() => expect(results().some((it) => it?.startsWith(name))).toBe(true));
  }
});

test("words that no setting has are answered, and the search can be cleared", async () => {
  const { user } = await openWindow("/settings");
  await user.type(await search(), "zeppelin");
  expect(await screen.findByText("No setting has these words. Try fewer or other words.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Clear the search" }));
  expect(results()).toContain("Your data");
});

test("a section that is chosen has the focus and stands in the address, without a step for Back", async () => {
  const { user, address, history } = await openWindow("/settings");
  await screen.findByRole("heading", { name: "Your data" });
  const before = history.length;
  await user.click(within(sections()).getByRole("button", { name: "Your data" }));
  await waitFor(() => expect(address().search).toEqual({ section: "data" }));
  expect(history.length).toBe(before);
  expect(document.activeElement?.textContent).toBe("Your data");
});

test("backups are managed from Your data", async () => {
  const { user } = await openWindow("/settings?section=data");
  await user.click(await screen.findByRole("link", { name: "Manage backups" }));
  expect(await screen.findByRole("table", { name: /^Backups/ })).toBeTruthy();
});
