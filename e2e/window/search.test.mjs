import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ask } from "../lib/app.mjs";
import { click, get, sees } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { add, memory } from "../lib/store.mjs";
import { makeTurns, writeJsonl } from "../lib/turns.mjs";
import { until } from "../lib/webdriver.mjs";
import { openRow, rowIds, rows, search } from "../lib/window.mjs";

const shared = sharedWindow(async (home) => {
  const file = join(home.path, "turns.jsonl");
  writeJsonl(file, makeTurns(400));
  await memory(home, "import-jsonl", "--scope", "channel", "--channel", "chronicle", file);
  await add(home, "Oskar heals sick animals and asks nothing in return.");
  await add(home, "The lighthouse keeper drinks nutmeg tea at dawn.");
  await memory(home, "add", "--scope", "account", "The author dislikes prophecies.");
  await ask(home, "embed", "--all");
}, rows);

const topRow = () => shared.session.run(() => document.querySelector("[role=row]")?.textContent ?? "");

test("search finds by words and marks them in the hits", async () => {
  await search(shared.session, "lighthouse nutmeg");
  await until("the hit on top", async () => (await topRow()).includes("nutmeg tea"));
  await until("both words to be marked", async () => {
    const marked = await shared.session.run(() =>
      [...document.querySelectorAll("[role=row] mark")].map((mark) => mark.textContent.toLowerCase()),
    );
    return marked.includes("lighthouse") && marked.includes("nutmeg");
  });
});

test("search by meaning finds texts that share no word with the query", async () => {
  await search(shared.session, "veterinary surgeon for sheep");
  await sees(shared.session, "by meaning, none has these words");
  await until("the healer of animals on top", async () => (await topRow()).includes("Oskar"));
});

test("a hit explains its score", async () => {
  const { hits } = await memory(shared.home, "search", "nutmeg tea");
  await search(shared.session, "nutmeg tea");
  // A row that is clicked while the answers to "nut" and "nutmeg" still come in may be another's by then.
  await until(
    "the answer to all that was typed",
    async () => (await rowIds(shared.session))[0] === hits[0].row.id,
  );
  await openRow(shared.session, /nutmeg tea/);
  const region = await get(shared.session, "region", "The memory");
  await until("the reasons", async () => (await region.text()).includes("Why this came up"));
  assert.match(await region.text(), /Words/);
});

test("the command line and the window give the same hits in the same order", async () => {
  for (const query of [
    "who sold the tide ledger",
    "harvest masks winter",
    "veterinary surgeon for sheep",
    "Ysolde ferry bell",
    '"salt tax" (rolls)',
  ]) {
    const { hits } = await memory(shared.home, "search", "--limit", "200", query);
    const expected = hits.map((hit) => hit.row.id);
    assert.ok(expected.length > 0, query);
    await search(shared.session, query);
    await until(`the window to show the hits of the command line for ${query}`, async () => {
      const shown = await rowIds(shared.session);
      return shown.length > 0 && shown.every((id, n) => id === expected[n]);
    }).catch(async (error) => {
      assert.deepEqual((await rowIds(shared.session)).slice(0, 10), expected.slice(0, 10), error.message);
    });
  }
});

test("any string can be searched for, and clearing it brings the list back", async () => {
  for (const query of ['"', "AND", "a* OR (b", "%_^:-", "日本語", "x".repeat(200)]) {
    await search(shared.session, query);
    await until(`an answer to ${query.slice(0, 20)}`, () =>
      shared.session.run(() => !/went wrong|not possible/.test(document.body.textContent)),
    );
  }
  await click(shared.session, "button", "Clear the search");
  await rows(shared.session, 5);
});
