import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { messages } from "../../i18n/messages";
import { openWindow } from "../../testing/open";

const PAGES = [
  ["/memory", "nav.memory"],
  ["/conversations", "nav.conversations"],
  ["/channels", "channels.title"],
  ["/named", "nav.named"],
  ["/world", "nav.world"],
  ["/timeline", "nav.timeline"],
  ["/pages", "nav.pages"],
  ["/activity?page=runs", "nav.activity"],
  ["/activity?page=recall", "nav.activity"],
  ["/activity?page=telemetry&part=measures", "nav.activity"],
  ["/settings", "settings.title"],
  ["/control?part=clients", "control.title"],
  ["/control?part=backups", "control.title"],
] as const;

/** What concerns the things that are on a page: the list that is shown, or what is open in it. */
const OF_WHAT_IS_SHOWN =
  /^(view|list|drift|proposal)\.|^named\.(rename|alias|remove)$|^settings\.(decay|search|model)\.|^pages\.scan\./;

test("what a page offers without anything being open there is in the palette on every other page", async () => {
  const { user, router } = await openWindow("/memory");
  await waitFor(() => expect(document.title).toContain("The Drowned Coast"));
  const offered = new Map<string, Set<string>>();
  for (const [address, heading] of PAGES) {
    router.history.push(address);
    await waitFor(() => expect(router.state.location.href).toContain(address.split("?")[0]));
    await screen.findByRole("heading", { level: 1, name: messages[heading] });
    await waitFor(() => expect(document.querySelector("main .skeleton")).toBeNull());
    await user.keyboard("{Control>}k{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Command palette" });
    const shown = () =>
      within(dialog)
        .getAllByRole("option")
        .map((it) => it.getAttribute("data-value") ?? "");
    // The other world is offered once the worlds are read.
    await waitFor(() => expect(shown().some((it) => it.startsWith("workspace.switch."))).toBe(true));
    const values = shown();
    offered.set(
      address,
      new Set(values.filter((it) => !it.startsWith("recent ") && !OF_WHAT_IS_SHOWN.test(it))),
    );
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
  const all = new Set([...offered.values()].flatMap((ids) => [...ids]));
  expect(all.size).toBeGreaterThan(60);
  for (const [address, ids] of offered)
    expect([address, [...all].filter((id) => !ids.has(id))]).toEqual([address, []]);
});

test("where nothing can be written, no action of another page is offered that writes", async () => {
  const { user } = await openWindow("/settings", { readOnly: true });
  await user.keyboard("{Control>}k{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Command palette" });
  await user.type(within(dialog).getByRole("combobox"), "new memory");
  expect(dialog.querySelector("[data-value='memory.new']")).toBeNull();
});
