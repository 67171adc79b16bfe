import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { OrientationView } from "../../../../ipc/bindings.gen";
import { openWindow } from "../../../../testing/open";

const LEDGER = "/conversations/k3T9wPq2LxA";
const panel = () => screen.findByRole("tabpanel");

test("each turn has a ledger, newest first, whose layers add up", async () => {
  const { user } = await openWindow(`${LEDGER}?tab=shown`);
  await user.click(await screen.findByRole("button", { name: "Each turn" }));
  const turns = within(await screen.findByRole("list", { name: "Turns, newest first" })).getAllByRole(
    "button",
  );
  expect(turns[0]?.textContent).toContain("The clerk who copies it");
  await user.click(turns[0] as HTMLElement);
  const table = await screen.findByRole("table", { name: "Tokens by layer" });
  const used = within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => Number(within(row).getAllByRole("cell")[0]?.textContent?.replace(",", "")));
  expect(used).toHaveLength(11);
  const total = used.reduce((sum, it) => sum + it, 0);
  expect((await panel()).textContent).toMatch(new RegExp(`${total.toLocaleString("en")} of [\\d,]+ tokens`));
});

test("an answer links to the context the agent was shown for it", async () => {
  const { user, address } = await openWindow(LEDGER);
  const answer = (await screen.findAllByRole("article", { name: /^World Agent/ })).at(-1) as HTMLElement;
  await user.click(within(answer).getByRole("button", { name: "What the agent saw" }));
  expect(await screen.findByText(/things shown/)).toBeTruthy();
  expect((await panel()).textContent).toContain("The clerk who copies it");
  expect(address().search).toMatchObject({ tab: "shown" });
});

test("omitted items state the rule in words", async () => {
  const { user } = await openWindow(`${LEDGER}?tab=shown&shown=try`, { folder: "usual" });
  await user.type(
    await screen.findByRole("textbox", { name: "A question to try" }),
    "the missing ledger{Enter}",
  );
  expect(
    await screen.findAllByRole("region", {
      name: /^(No room left|Beyond the best|Says the same|Dropped by)/,
    }),
  ).toBeTruthy();
  expect((await panel()).textContent).toContain("left out");
});

test("a message that goes on shows what is searched for with it", async () => {
  const { user } = await openWindow(`${LEDGER}?tab=shown&shown=try`);
  await user.type(await screen.findByRole("textbox", { name: "A question to try" }), "Why?{Enter}");
  const label = await within(await panel()).findByText("Searched for");
  expect(label.nextElementSibling?.textContent).toMatch(/^Why\?\n\S/);
});

test("a candidate shows its provenance, and the parts of its score on request", async () => {
  const { user } = await openWindow(`${LEDGER}?tab=shown&shown=try`);
  await user.type(
    await screen.findByRole("textbox", { name: "A question to try" }),
    "lanternmen dusk{Enter}",
  );
  const channel = await screen.findByRole("region", { name: "Channel memories" });
  expect(channel.textContent).toMatch(/by you.*importance 0\.\d\d.*relevance.*days old.*tokens/);
  await user.click(within(channel).getAllByRole("button", { name: /^Why it ranks there/ })[0] as HTMLElement);
  expect(within(channel).getByRole("rowheader", { name: "Words" })).toBeTruthy();
});

test("a thinned ledger and a failed layer are marked as such", async () => {
  const thinned = <T extends { thinned: boolean }>(it: T) => ({ ...it, thinned: true });
  const { user, transport } = await openWindow(`${LEDGER}?tab=shown&shown=turns`, {
    changes: { get_orientation: thinned<OrientationView> },
  });
  const turns = within(await screen.findByRole("list", { name: "Turns, newest first" })).getAllByRole(
    "button",
  );
  await user.click(turns.at(-1) as HTMLElement);
  expect(await screen.findByText(/was shortened/)).toBeTruthy();
  transport.change("orient", (view: OrientationView) => ({
    ...view,
    layers: view.layers.map((it) => (it.layer === "facts" ? { ...it, failed: true } : it)),
  }));
  await user.click(screen.getByRole("button", { name: "Try a question" }));
  await user.type(await screen.findByRole("textbox", { name: "A question to try" }), "ledger{Enter}");
  expect(await screen.findByText(/Facts could not be read for this turn/)).toBeTruthy();
});

test("an answer without a ledger states it instead of showing another one", async () => {
  await openWindow(`${LEDGER}?tab=shown&shown=message%3Anone`);
  await waitFor(() => expect(screen.getByText("Nothing is recorded for this answer")).toBeTruthy());
});
