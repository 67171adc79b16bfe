import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { FactPage } from "../../../../ipc/bindings.gen";
import {
  claim,
  claimedOf,
  driftsOf,
  setFact,
  withoutClaim,
  write,
  writeAsClient,
} from "../../../../testing/drifts";
import { CHAPTER } from "../../../../testing/fixtures/ids";
import { type Core, type Opened, openWindow } from "../../../../testing/open";

const DRIFT = "/activity?page=drift";
const inbox = () => screen.findByRole("listbox", { name: "Contradictions" });
const rows = async () => within(await inbox()).getAllByRole("option");
const region = () => screen.findByRole("region", { name: "The contradiction" });
const detail = async () => within(await region());
const decide = async (user: Opened["user"], name: string) =>
  user.click(await (await detail()).findByRole("button", { name }));
const openInbox = () => openWindow(DRIFT, { before: withoutClaim });
const factValue = async (core: Core, key: string) => {
  const request = { category: null, asOf: null, after: null, limit: 50 };
  const { rows } = await core.call<FactPage>("list_facts", { request });
  return rows.find((it) => it.key === key)?.value;
};

test("a claim against a fact of the worldbuilder is listed above the contradictions, and counted with them", async () => {
  const { core } = await openWindow(DRIFT);
  await write(core, "Toma Reed is a smith.");
  await writeAsClient(core, "Toma Reed is a baker.");
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  await screen.findByRole("tab", { name: /Contradictions\s*, 2 open contradictions/ });
  await screen.findByRole("link", { name: /Activity\s*, 5 open proposals\s*, 2 open contradictions/ });
  const [first] = await rows();
  expect(first?.textContent).toContain("An agent claims another value");
  expect(first?.textContent).toContain(
    "Canon: Marguerite Vane, can read: undecidedClaim: no, but she hides it well",
  );
  first?.click();
  await (await detail()).findByText("Set by you", { exact: false });
  await (await detail()).findByText("Claimed by an agent", { exact: false });
  expect([...(await region()).querySelectorAll("mark")].map((it) => it.textContent)).toEqual([
    "differs undecided",
    "differs no, but she hides it well",
  ]);
  const way = (await detail()).getByRole("link", { name: "Open the conversation" });
  expect(way.getAttribute("href")).toContain(CHAPTER);
});

test("the claim is taken, the next one is open with the keys, and undo sets the fact again", async () => {
  const { user, core } = await openInbox();
  await setFact(core, "Anselm Rook", "eyes", "grey");
  await claim(core, "Anselm Rook", "eyes", "green");
  await setFact(core, "Toma Reed", "trade", "smith");
  await claim(core, "Toma Reed", "trade", "baker");
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  const key = (await region()).textContent?.includes("eyes") ? "eyes" : "trade";
  const [mine, theirs] = key === "eyes" ? ["grey", "green"] : ["smith", "baker"];
  (await inbox()).focus();
  await user.keyboard("c");
  await screen.findByText("Accepted.");
  expect(await factValue(core, key)).toBe(theirs);
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(document.activeElement).toBe(await inbox());
  await waitFor(async () =>
    expect((await region()).textContent).toContain(key === "eyes" ? "trade" : "eyes"),
  );
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await factValue(core, key)).toBe(mine));
  await user.keyboard("s");
  await screen.findByText("Yours stays.");
  await screen.findByText("Nothing contradicts your canon");
});

test("each claim against a fact is decided by itself, and the fact stays open until the last one", async () => {
  const { user, core } = await openInbox();
  await setFact(core, "Anselm Rook", "eyes", "grey");
  await claim(core, "Anselm Rook", "eyes", "green");
  await claim(core, "Anselm Rook", "eyes", "blue");
  await waitFor(async () => expect((await rows())[0]?.textContent).toContain("2 other values are claimed"));
  const about = async (value: string) =>
    within(await (await detail()).findByRole("region", { name: `Your decision about “${value}”` }));
  await user.click((await about("blue")).getByRole("button", { name: "Keep mine" }));
  await screen.findByText("Yours stays.");
  await (await detail()).findByRole("region", { name: "Your decision" });
  expect((await claimedOf(core))[0]?.claims.map(({ value }) => value)).toEqual(["green"]);
  await decide(user, "Take the claim");
  await screen.findByText("Nothing contradicts your canon");
  expect(await factValue(core, "eyes")).toBe("green");
});

test("a link leads to a claim, and in a list of settled ones there is none", async () => {
  const { user, core, router } = await openInbox();
  const fact = await setFact(core, "Anselm Rook", "eyes", "grey");
  await claim(core, "Anselm Rook", "eyes", "green");
  await write(core, "Toma Reed is a smith.");
  await writeAsClient(core, "Toma Reed is a baker.");
  const [drift] = await driftsOf(core);
  await router.navigate({ to: "/activity", search: { page: "drift", id: drift?.id } });
  await waitFor(async () => expect((await region()).textContent).toContain("Toma Reed"));
  await router.navigate({ to: "/activity", search: { page: "drift", id: fact } });
  await (await detail()).findByRole("button", { name: "Take the claim" });
  await user.keyboard("{Escape}");
  await router.navigate({ to: "/activity", search: { page: "drift", drift: "settled" } });
  await screen.findByText("None of these");
});

test("a claim that the core refuses to settle stays, and the reason is shown", async () => {
  const { user, transport, core } = await openWindow(DRIFT, { failing: ["settle_claim"] });
  await decide(user, "Keep mine");
  await waitFor(() => expect(transport.callsOf("settle_claim")).toHaveLength(1));
  expect(await claimedOf(core)).toHaveLength(1);
  expect(await rows()).toHaveLength(1);
  transport.failing.clear();
  await decide(user, "Keep mine");
  await screen.findByText("Nothing contradicts your canon");
});
