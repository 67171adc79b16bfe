import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { openWindow } from "../../testing/open";
import { subject } from "../../testing/story";

type User = Awaited<ReturnType<typeof openWindow>>["user"];

const tour = (title: string) => screen.findByRole("dialog", { name: title });
const isOver = () => waitFor(() => expect(document.querySelector("[data-passive]")).toBeNull());

async function begin(user: User) {
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "take the tour");
  await user.keyboard("{Enter}");
  return tour("A memory");
}

const pointedAt = () => document.querySelector("[data-pointed]");

test("the tour goes through five pages, points at each, and gives the focus back", async () => {
  const { user, core, address } = await openWindow("/settings");
  await subject(core, "The Lanternmen", "faction");
  const link = await screen.findByRole("link", { name: "Settings" });
  link.focus();
  await begin(user);
  const steps = [
    ["A memory", "/memory", "row"],
    ["Find it again", "/memory", null],
    ["A subject has a page", "/world", "option"],
    ["What the agent sees", "/conversations", "tab"],
    ["Who may read", "/control", "tab"],
  ] as const;
  for (const [n, [title, page, role]] of steps.entries()) {
    const dialog = await tour(title);
    expect(within(dialog).getByText(`${n + 1} of 5`)).toBeTruthy();
    await waitFor(() => expect(address().pathname).toContain(page));
    if (role) await waitFor(() => expect(pointedAt()?.getAttribute("role")).toBe(role));
    else await waitFor(() => expect(pointedAt()?.tagName).toBe("SEARCH"));
    if (n > 0) expect(within(dialog).getByRole("status").textContent).toContain(title);
    const on = within(dialog).getByRole("button", { name: n < 4 ? "Next" : "Done" });
    await waitFor(() => expect(document.activeElement).toBe(on));
    await user.keyboard("{Enter}");
  }
  await isOver();
  expect(pointedAt()).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(link));
});

test("Escape or a button leaves it at any step, and a step can be gone back", async () => {
  const { user } = await openWindow();
  const first = await begin(user);
  await user.click(within(first).getByRole("button", { name: "Next" }));
  const second = await tour("Find it again");
  await user.click(within(second).getByRole("button", { name: "Back" }));
  await tour("A memory");
  await user.keyboard("{Escape}");
  await isOver();
  const again = await begin(user);
  await user.click(within(again).getByRole("button", { name: "Leave the tour" }));
  await isOver();
});

test("the page stays usable under it", async () => {
  const { user } = await openWindow();
  await begin(user);
  const row = (await screen.findAllByRole("row"))[1] as HTMLElement;
  await user.click(row);
  expect(await screen.findByRole("region", { name: "The memory" })).toBeTruthy();
  await tour("A memory");
  (await screen.findByRole("grid")).focus();
  await user.keyboard("n");
  const form = await screen.findByRole("dialog", { name: "New memory" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(form.isConnected).toBe(false));
  await tour("A memory");
  await user.keyboard("{Escape}");
  await isOver();
});

test("it comes by itself after the sample world is loaded, once on a computer", async () => {
  const { user } = await openWindow("/memory", { folder: "fresh" });
  await user.click(await screen.findByRole("button", { name: "Load the sample world" }));
  const dialog = await tour("A memory");
  await user.click(within(dialog).getByRole("button", { name: "Leave the tour" }));
  await isOver();
  expect(localStorage.getItem("inklings.tour")).toBe("yes");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "load the sample");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Command palette" })).toBeNull());
  await screen.findAllByText("The sample world is here.");
  expect(document.querySelector("[data-passive]")).toBeNull();
});
