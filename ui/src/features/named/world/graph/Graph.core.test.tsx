import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { openWindow } from "../../../../testing/open";
import type { Core } from "../../../../testing/serve";
import { setKnownBy, subject } from "../../../../testing/story";

const relate = (core: Core, from: string, relation: string, to: string) =>
  core.call("add_relation", { request: { from, relation, to, content: null, channelId: null } });

async function withFour(core: Core) {
  const mira = await subject(core, "Mira", "character");
  const toma = await subject(core, "Toma", "character");
  const guild = await subject(core, "Salt Guild", "faction");
  const harbour = await subject(core, "Harrowmere", "place");
  await relate(core, mira, "sister of", toma);
  await relate(core, toma, "member of", guild);
  await relate(core, guild, "trades in", harbour);
  return { mira, toma, guild, harbour };
}

const rows = async () =>
  within(await screen.findByRole("table", { name: "Relations in the graph" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent).join(" "));

test("the switch shows the world as a graph, its relations as a table, and goes back to the list", async () => {
  const { user, core, address } = await openWindow("/memory");
  await withFour(core);
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("radio", { name: "Graph" }));
  await screen.findByRole("application", { name: "Graph of 4 subjects and 3 relations" });
  expect(address().search).toMatchObject({ look: "graph" });
  expect((await rows()).sort()).toEqual([
    "Mira sister of Toma",
    "Salt Guild trades in Harrowmere",
    "Toma member of Salt Guild",
  ]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("radio", { name: "Graph" })));
  await user.click(screen.getByRole("radio", { name: "List" }));
  await screen.findByRole("listbox", { name: "Subjects" });
});

test("keys select the most linked subject and its neighbours, which is said, and Enter opens its page", async () => {
  const { user, core } = await openWindow("/memory");
  await withFour(core);
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("radio", { name: "Graph" }));
  (await screen.findByRole("application")).focus();
  await user.keyboard("{Home}");
  await waitFor(() =>
    expect(screen.getAllByRole("status").map((it) => it.textContent)).toContainEqual(
      expect.stringMatching(/^(Toma, Character|Salt Guild, Faction)\. 2 relations\.$/),
    ),
  );
  const first = screen.getByRole("heading", { level: 2 }).textContent;
  const others = first === "Toma" ? ["Mira", "Salt Guild"] : ["Toma", "Harrowmere"];
  // In one of four directions there is a neighbour.
  for (const key of ["{ArrowRight}", "{ArrowLeft}", "{ArrowUp}", "{ArrowDown}"]) {
    await user.keyboard(key);
    if (screen.getByRole("heading", { level: 2 }).textContent !== first) break;
  }
  const name = screen.getByRole("heading", { level: 2 }).textContent ?? "";
  expect(others).toContain(name);
  await user.keyboard("{Enter}");
  await screen.findByRole("region", { name: `The entry ${name}` });
});

test("the page of a subject shows what is around it, two steps far", async () => {
  const { user, core, address } = await openWindow("/memory");
  const { mira } = await withFour(core);
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("option", { name: /^Mira/ }));
  await user.click(await screen.findByRole("link", { name: "Show in the graph" }));
  await screen.findByRole("application", { name: "Graph of 3 subjects and 2 relations" });
  expect(address().search).toMatchObject({ look: "graph", around: mira });
  await user.click(screen.getByRole("button", { name: "Show everything" }));
  await screen.findByRole("application", { name: "Graph of 4 subjects and 3 relations" });
});

test("a kind that is left out goes with its relations", async () => {
  const { user, core } = await openWindow("/memory");
  await withFour(core);
  await user.click(screen.getByRole("link", { name: "Subjects" }));
  await user.click(await screen.findByRole("radio", { name: "Graph" }));
  await user.click(await screen.findByRole("button", { name: /^Faction/ }));
  await screen.findByRole("application", { name: "Graph of 3 subjects and 1 relation" });
  expect(await rows()).toEqual(["Mira sister of Toma"]);
});

test("through a lens the graph has only what somebody knows", async () => {
  const { user, core, history } = await openWindow("/memory");
  const { guild } = await withFour(core);
  await setKnownBy(core, guild, [{ subject: "Toma", since: null }]);
  history.push("/world?look=graph&as=Mira");
  await screen.findByRole("application", { name: "Graph of 3 subjects and 1 relation" });
  await user.click(await screen.findByRole("button", { name: "Show everything again" }));
  await screen.findByRole("application", { name: "Graph of 4 subjects and 3 relations" });
});

test("without relations it says how to add one", async () => {
  const { core } = await openWindow("/world?look=graph");
  await screen.findByText("No subjects yet");
  await subject(core, "Mira", "character");
  await screen.findByText(/No subjects are related yet/);
});

test("it says that there are more relations than it takes", async () => {
  const changes = { world_graph: (view: object) => ({ ...view, more: true }) };
  const { core } = await openWindow("/world?look=graph", { changes });
  await withFour(core);
  await screen.findByText(/more relations than the graph can show/);
});
