import { fireEvent, screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { addClient, call, grant, overStdio } from "../../../../../e2e/lib/mcp.mjs";
import type { AgentActionFilter, AgentPatternView, MetricSeriesView } from "../../../ipc/bindings.gen";
import { measured, recurringRefusals, refusedClient } from "../../../testing/agents";
import { asClient } from "../../../testing/client";
import { WORLD } from "../../../testing/fixtures/folders";
import { type Core, openWindow, type World } from "../../../testing/open";
import { subject } from "../../../testing/story";

const ACTIONS = "/activity?page=telemetry";
const list = () => screen.findByRole("region", { name: "What agents did" });
const rows = async () => within(await list()).getAllByRole("listitem");
const texts = async () => (await rows()).map((row) => row.textContent ?? "");

/** The window on a workspace in which no agent did anything. */
const openEmpty = (address = ACTIONS, world: World = {}) =>
  openWindow(address, { folder: "empty", ...world });

const patternsOf = (core: Core) => core.call<AgentPatternView[]>("list_agent_patterns");
const go = async (router: Awaited<ReturnType<typeof openWindow>>["router"], part: "patterns" | "measures") =>
  router.navigate({ to: "/activity", search: { page: "telemetry", part } });

test("before an agent did anything the page says what will be listed, and that nothing leaves the machine", async () => {
  await openEmpty();
  expect(await screen.findByText("No actions yet")).toBeTruthy();
  expect(screen.getByText(/No text of yours is kept with it, and nothing leaves this computer/)).toBeTruthy();
});

test("what an agent does appears with who, what, to what, how it ended and why not, newest first", async () => {
  const { core } = await openEmpty();
  await screen.findByText("No actions yet");
  await refusedClient(core, "Ada");
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  const [search, update] = await rows();
  expect(search?.textContent).toMatch(/Ada.*Search memories.*Nothing found.*\d+ ms/);
  expect(update?.textContent).toMatch(/Ada.*Change a memory.*Refused.*It belongs to you/);
  const link = within(update as HTMLElement).getByRole("link", { name: /Saltmere is built on herring/ });
  expect(link.getAttribute("href")).toMatch(/^\/memory\?id=/);
});

test("actions are filtered by outcome and by agent, the address keeps the filter, and a way leads back to all", async () => {
  const { user, core, address } = await openEmpty();
  await refusedClient(core, "Ada");
  await refusedClient(core, "Brin");
  await waitFor(async () => expect(await rows()).toHaveLength(4));
  await user.click(screen.getByRole("combobox", { name: "Outcome" }));
  await user.click(await screen.findByRole("option", { name: "Refused" }));
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  await user.click(screen.getByRole("combobox", { name: "By whom" }));
  await user.click(await screen.findByRole("option", { name: "By Brin" }));
  await waitFor(async () => expect(await texts()).toEqual([expect.stringMatching(/Brin.*Refused/)]));
  expect(address().search).toMatchObject({ page: "telemetry", outcome: "refused" });
  await user.click(screen.getByRole("combobox", { name: "By whom" }));
  await user.click(await screen.findByRole("option", { name: "By World Agent" }));
  await user.click(await screen.findByRole("button", { name: "Show all actions" }));
  await waitFor(async () => expect(await rows()).toHaveLength(4));
});

test("more actions are read as the list is scrolled, by the key of the last one", async () => {
  const { core, router, transport } = await openEmpty("/timeline");
  await addClient(core.home, "Ada", { workspace: WORLD });
  const client = await overStdio(core.home, "Ada", undefined, WORLD);
  for (let n = 0; n < 130; n += 1) await call(client, "memory_search", { query: "zzzz" });
  await client.close();
  await router.navigate({ to: "/activity", search: { page: "telemetry" } });
  const box = await list();
  const size = () => within(box).getAllByRole("listitem")[0]?.getAttribute("aria-setsize");
  expect(size()).toBe("-1");
  box.scrollTop = 5_000;
  fireEvent.scroll(box);
  await waitFor(() => expect(size()).toBe("130"));
  const afters = transport
    .callsOf("list_agent_actions")
    .map(({ filter }) => (filter as AgentActionFilter).after);
  expect(afters[0]).toBeNull();
  expect(afters.some((after) => typeof after === "string")).toBe(true);
});

test("what the World Agent did is listed apart from what clients did", async () => {
  await openWindow(`${ACTIONS}&by=world_agent`);
  expect(await texts()).toEqual([
    expect.stringMatching(/World Agent.*Write a memory.*The missing ledger.*Done/),
  ]);
});

test("from a subject one step leads to what agents did with it and with what is linked to it", async () => {
  const { user, core, router } = await openEmpty("/timeline");
  const toma = await subject(core, "Toma", "character");
  await router.navigate({ to: "/activity", search: { page: "telemetry", target: toma } });
  expect(await screen.findByText("No actions here")).toBeTruthy();
  await refusedClient(core, "Ada", toma);
  await refusedClient(core, "Brin");
  await router.navigate({ to: "/world", search: { id: toma } });
  await user.click(await screen.findByRole("link", { name: "What agents did here" }));
  expect(await screen.findByText("Done to Toma and to what is linked to it")).toBeTruthy();
  expect(await texts()).toEqual([expect.stringMatching(/Ada.*Change a memory/)]);
  await user.click(screen.getByRole("button", { name: "Show what was done to anything" }));
  await waitFor(async () => expect(await rows()).toHaveLength(4));
});

test("what recurs is shown with its evidence and its line, is judged, and is hidden from agents and shown again", async () => {
  const { user, core, router } = await openEmpty();
  await recurringRefusals(core);
  await go(router, "patterns");
  const pattern = within(await screen.findByRole("article", { name: "Change a memory: It belongs to you" }));
  expect(pattern.getByText("5 of 5 sequences")).toBeTruthy();
  expect(pattern.getByText(/^memory_update on memory ended with 'locked' in 5 of 5 sequences/)).toBeTruthy();
  expect(pattern.getByText("Shown to agents")).toBeTruthy();

  await user.click(pattern.getByRole("combobox", { name: /^Judgement/ }));
  await user.click(await screen.findByRole("option", { name: "Expected" }));
  await pattern.findByText(/judged expected/);

  await user.click(pattern.getByRole("button", { name: /^Hide from agents/ }));
  await pattern.findByText("Hidden from agents by you");
  const ofUpdate = async () =>
    (await patternsOf(core)).find((it) => it.action === "memory_update") as AgentPatternView;
  expect(await ofUpdate()).toMatchObject({ shown: false, suppressedBy: "author", annotation: "expected" });
  await user.click(pattern.getByRole("button", { name: /^Show to agents again|^Show again/ }));
  await pattern.findByText("Shown to agents");
  expect(await ofUpdate()).toMatchObject({ shown: true, suppressedBy: null });
});

test("a pattern that an agent hid says so, and the worldbuilder shows it again", async () => {
  const { user, core, router } = await openEmpty();
  await recurringRefusals(core);
  const [pattern] = await patternsOf(core);
  await grant(core.home, "Edda", { allow: ["agent_telemetry"] });
  const id = pattern?.id;
  await asClient(core, "Edda", [["agent_telemetry", { action: "annotate", id, suppress: true }]]);
  await go(router, "patterns");
  const hidden = await screen.findByText("Hidden from agents by an agent");
  const article = within(hidden.closest("article") as HTMLElement);
  await user.click(article.getByRole("button", { name: /^Show again/ }));
  await article.findByText("Shown to agents");
  expect((await patternsOf(core)).every((it) => it.suppressedBy === null)).toBe(true);
});

test("measures are plotted by day with the same values in a table, and can be read as numbers", async () => {
  const { user } = await openEmpty(`${ACTIONS}&part=measures`, {
    // A day must pass before the core has a value.
    changes: { agent_metrics: measured({ refusals: { 1: 4 } }, Date.now()) },
  });
  expect(await screen.findByRole("img", { name: /^Refusals, last 30 days: 1 value/ })).toBeTruthy();
  const table = () => screen.getByRole("table", { name: "Refusals, by day" });
  expect(within(table()).getByRole("cell").textContent).toBe("4");
  expect(screen.getAllByText("No value yet").length).toBeGreaterThan(0);
  await user.click(screen.getByRole("radio", { name: "Numbers" }));
  await waitFor(() => expect(screen.queryByRole("img", { name: /^Refusals/ })).toBeNull());
  expect(within(table()).getByRole("cell").textContent).toBe("4");
});

test("a measure is defined in a form, and one that is there already is refused with the reason", async () => {
  const { user, core } = await openEmpty(`${ACTIONS}&part=measures`);
  const define = async () => {
    await user.click(await screen.findByRole("button", { name: "Define a measure…" }));
    const form = within(await screen.findByRole("dialog", { name: "Define a measure" }));
    await user.click(form.getByRole("combobox", { name: "Action" }));
    await user.click(await screen.findByRole("option", { name: "Change a memory" }));
    await user.click(form.getByRole("combobox", { name: "Outcome" }));
    await user.click(await screen.findByRole("option", { name: "Refused" }));
    await user.click(form.getByRole("button", { name: "Define it" }));
    return form;
  };
  await define();
  expect(await screen.findByRole("heading", { name: /^count of memory_update, refused/ })).toBeTruthy();
  const known = await core.call<MetricSeriesView[]>("agent_metrics", { days: 7 });
  expect(known.filter((it) => it.defined)).toHaveLength(1);
  const form = await define();
  expect((await form.findByRole("alert")).textContent).toMatch(/defined already/);
});

test("sequences are found by their steps, and lead to their actions", async () => {
  const { user, core } = await openEmpty(`${ACTIONS}&part=sequences`);
  expect(await screen.findByText("No sequence yet")).toBeTruthy();
  await refusedClient(core, "Ada");
  const found = within(await screen.findByRole("list", { name: "Sequences" }));
  await user.type(screen.getByRole("searchbox", { name: "Search in sequences" }), "search memory");
  expect(await found.findByText("2 actions")).toBeTruthy();
  await user.click(found.getByRole("link", { name: /^See its actions: Ada/ }));
  expect(await screen.findByText("Of one sequence")).toBeTruthy();
  expect(await rows()).toHaveLength(2);
});

test("how long actions are kept is set, within limits", async () => {
  const { user, core } = await openEmpty();
  await user.click(await screen.findByRole("button", { name: "How long actions are kept" }));
  const field = await screen.findByRole("textbox", { name: "Days to keep" });
  const put = async (text: string) => {
    await user.clear(field);
    await user.type(field, `${text}{Enter}`);
  };
  await put("3");
  expect(await screen.findByRole("alert")).toBeTruthy();
  await put("30");
  await waitFor(async () => expect(await core.call("agent_telemetry_settings")).toEqual({ keepDays: 30 }));
});

test("while memory is off the page says that nothing is recorded, and keeps what is there", async () => {
  const { core } = await openEmpty();
  await refusedClient(core, "Ada");
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  await core.call("set_memory_enabled", { enabled: false });
  expect(await screen.findByText(/Memory is off. Nothing is recorded/)).toBeTruthy();
  expect(await rows()).toHaveLength(2);
});

test("on a read-only disk everything can be read and nothing can be changed", async () => {
  await openEmpty(`${ACTIONS}&part=measures`, { readOnly: true });
  const define = await screen.findByRole<HTMLButtonElement>("button", { name: "Define a measure…" });
  await waitFor(() => expect(define.disabled).toBe(true));
});

test("a list that cannot be read says so and is read again", async () => {
  const { user, transport } = await openEmpty(ACTIONS, { failing: ["list_agent_actions"] });
  await screen.findByRole("alert");
  transport.failing.delete("list_agent_actions");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No actions yet")).toBeTruthy();
});
