import { fireEvent, screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type {
  ConsolidationSettings,
  OrientationSettings,
  SearchResponse,
  SearchSettings,
} from "../../ipc/bindings.gen";
import { openWindow } from "../../testing/open";
import { EVERYTHING } from "../../testing/serve";

test("the numbers of the shares follow the slider, and are saved when it stops", async () => {
  const { user, core } = await openWindow("/settings?section=orientation");
  const slider = await screen.findByRole("slider", { name: "Facts: share" });
  fireEvent.focus(slider);
  await user.type(slider, "{End}");
  const shares = async () => (await core.call<OrientationSettings>("orientation_settings")).shares;
  await waitFor(async () => expect((await shares()).facts).toBe(100));
  const all = Object.values(await shares()).reduce((sum, share) => sum + share, 0);
  const row = slider.closest("li");
  expect(row?.querySelector("output")?.textContent).toBe(`${Math.round((100 * 100) / all)}%`);
});

test("a budget out of bounds is reported at its field and not written", async () => {
  const { user, transport } = await openWindow("/settings?section=orientation");
  const field = await screen.findByRole("textbox", { name: "Token budget" });
  await user.clear(field);
  await user.type(field, "-4{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Choose between 0 and");
  expect(transport.callsOf("set_orientation_settings")).toEqual([]);
});

test("without automatic consolidation its triggers cannot be set, and the rest can", async () => {
  const { user, core } = await openWindow("/settings?section=consolidation");
  const settings = () => core.call<ConsolidationSettings>("consolidation_settings");
  const toggle = await screen.findByRole("switch", { name: "Run automatically" });
  await user.click(toggle);
  await waitFor(async () => expect((await settings()).automatic).toBe(true));
  await user.click(toggle);
  await waitFor(async () => expect((await settings()).automatic).toBe(false));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Start after idle minutes" }).disabled).toBe(
    true,
  );
  const cap = screen.getByRole<HTMLInputElement>("textbox", { name: "Limit for each tier" });
  await user.clear(cap);
  await user.type(cap, "500{Enter}");
  await waitFor(async () => expect((await settings()).cap).toBe(500));
});

test("each tier has a queue of its own, and the instructions for rewriting are the worldbuilder's or the standard", async () => {
  const { user, core } = await openWindow("/settings?section=consolidation");
  const settings = () => core.call<ConsolidationSettings>("consolidation_settings");
  await user.click(await screen.findByRole("switch", { name: "Run automatically" }));
  const depth = screen.getByRole<HTMLInputElement>("textbox", { name: "Start after new channel memories" });
  await waitFor(() => expect(depth.disabled).toBe(false));
  await user.clear(depth);
  await user.type(depth, "7{Enter}");
  await waitFor(async () =>
    expect(await settings()).toMatchObject({ channelDepth: 7, workspaceDepth: 50, accountDepth: 100 }),
  );
  const { instructions: standard } = await settings();
  const text = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Instructions for rewriting" });
  expect(text().value).toBe(standard);
  await user.clear(text());
  await user.type(text(), "Write in the present tense.");
  await user.tab();
  await waitFor(async () => expect((await settings()).instructions).toBe("Write in the present tense."));
  await user.click(screen.getByRole("button", { name: "Use the standard" }));
  await waitFor(() => expect(text().value).toBe(standard));
  expect((await settings()).instructions).toBe(standard);
});

test("instructions that could not be saved stay in their field, and are saved with the page that is left", async () => {
  const { user, core, transport, router } = await openWindow("/settings?section=consolidation");
  const settings = () => core.call<ConsolidationSettings>("consolidation_settings");
  const find = () =>
    screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Instructions for rewriting" });
  const text = await find();
  await waitFor(() => expect(text.disabled).toBe(false));
  transport.failing.add("set_consolidation_settings");
  await user.clear(text);
  await user.type(text, "Write in the present tense.");
  await user.tab();
  await screen.findByText("The database did not answer.");
  expect(text.value).toBe("Write in the present tense.");
  transport.failing.clear();
  await user.type(text, " Keep names.");
  await router.navigate({ to: "/memory", search: {} });
  await waitFor(async () =>
    expect((await settings()).instructions).toBe("Write in the present tense. Keep names."),
  );
  await router.navigate({ to: "/settings", search: { section: "consolidation" } });
  expect((await find()).value).toBe("Write in the present tense. Keep names.");
});

test("the order of search results is chosen from all orders, and applies to the next search", async () => {
  const { user, core } = await openWindow("/settings");
  const group = await screen.findByRole("radiogroup", { name: "Order of search results" });
  const { strategy, strategies } = await core.call<SearchSettings>("search_settings");
  expect(within(group).getAllByRole("radio")).toHaveLength(strategies.length);
  // Each has a name and a line of its own, not the word of the command line.
  for (const name of strategies) expect(within(group).queryByRole("radio", { name })).toBeNull();
  await user.click(within(group).getByRole("radio", { name: "By rank" }));
  await waitFor(async () =>
    expect((await core.call<SearchSettings>("search_settings")).strategy).toBe("rrf"),
  );
  expect(strategy).not.toBe("rrf");
  const request = { query: "harbour", filter: EVERYTHING, limit: 5, first: null, strategy: null };
  expect((await core.call<SearchResponse>("search_memories", { request })).strategy).toBe("rrf");
});

test("an order of search results that could not be saved is reset to the stored one", async () => {
  const { user } = await openWindow("/settings", { failing: ["set_search_strategy"] });
  const rank = await screen.findByRole("radio", { name: "By rank" });
  await user.click(rank);
  await screen.findByText("The database did not answer.");
  expect(rank.getAttribute("aria-checked")).toBe("false");
});
