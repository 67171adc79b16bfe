import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { idOf } from "../../../../testing/fixtures/ids";
import { type Opened, openWindow } from "../../../../testing/open";
import { linkVault, vaultFolder } from "../../../../testing/vault";

const LEDGER = "/conversations/k3T9wPq2LxA";
const part = () => screen.findByRole("region", { name: "Why not this one?" });

/** Asks a question of few words, so that the answer does not wait for vectors. It has a name, so that nothing is added to it. */
async function explain(question: string) {
  const opened = await openWindow(`${LEDGER}?tab=shown&shown=try`);
  await opened.user.type(
    await screen.findByRole("textbox", { name: "A question to try" }),
    `${question}{Enter}`,
  );
  return opened;
}

async function choose({ user }: Opened, words: string, text: RegExp) {
  await user.click(within(await part()).getByRole("button", { name: /^Which memory or page/ }));
  const field = await screen.findByPlaceholderText("Find it by its words");
  await user.clear(field);
  await user.type(field, words);
  await user.click(await screen.findByRole("option", { name: text }));
}

test("a memory that was no candidate shows the rule that excluded it", async () => {
  const opened = await explain("the Lanternmen");
  await choose(opened, "whalebone", /blades there are made of whalebone/);
  const sentence = await within(await part()).findByText(
    "Neither its words nor its meaning match the question.",
  );
  expect(sentence).toBeTruthy();
  await choose(opened, "knots", /A binding holds for as many tides/);
  expect(
    await within(await part()).findByText("It belongs to #tide-magic, which is not read here."),
  ).toBeTruthy();
});

test("a shown memory is marked as shown, with its rank and the parts of its score", async () => {
  const opened = await explain("the Lanternmen");
  await choose(opened, "cranes ropewalkers", /Ropewalkers control every crane/);
  const box = within(await part());
  expect(await box.findByText("It is shown, in Channel memories.")).toBeTruthy();
  expect((await part()).textContent).toMatch(/Rank \d+ of \d+ in Channel memories/);
  const cells = box
    .getAllByRole("row")
    .slice(1)
    .map((row) => Number(within(row).getAllByRole("cell").at(-1)?.textContent));
  const total = cells.pop() ?? 0;
  expect(cells.reduce((sum, it) => sum + it, 0)).toBeCloseTo(total, 3);
});

test("a forgotten memory can be explained as well", async () => {
  const opened = await explain("the Lanternmen");
  await opened.core.call("forget_memories", { ids: [idOf(9)], reason: "" });
  await choose(opened, "whalebone", /blades there are made of whalebone/);
  expect(await within(await part()).findByText("It is forgotten.")).toBeTruthy();
});

test("what the ledger of a turn does not list is computed now, and marked as such", async () => {
  const opened = await openWindow(`${LEDGER}?tab=shown&shown=turns`);
  const turns = within(await screen.findByRole("list", { name: "Turns, newest first" })).getAllByRole(
    "button",
  );
  await opened.user.click(turns[0] as HTMLElement);
  await choose(opened, "knots", /A binding holds for as many tides/);
  const box = within(await part());
  expect(await box.findByText("It belongs to #tide-magic, which is not read here.")).toBeTruthy();
  expect(box.getByText("Worked out now. The list of this turn does not have it.")).toBeTruthy();
  const [call] = opened.transport.callsOf("why_orientation") as [{ request: { orientationId: string } }];
  expect(call.request.orientationId).toMatch(/^[0-9a-f-]{36}$/);
});

test("a page of a linked folder can be explained as well", async () => {
  let folder = "";
  const opened = await openWindow(`${LEDGER}?tab=shown&shown=try`, {
    before: (home) => {
      folder = vaultFolder(home);
    },
  });
  await linkVault(opened.core, folder);
  await opened.user.type(
    await screen.findByRole("textbox", { name: "A question to try" }),
    '"heron fish"{Enter}',
  );
  await choose(opened, "lanterns oil", /^Lanterns$/);
  const box = within(await part());
  expect(await box.findByText(/^It is shown, in Pages/)).toBeTruthy();
  expect(box.getByRole("link", { name: "Lanterns" }).getAttribute("href")).toMatch(/pages\?id=/);
});
