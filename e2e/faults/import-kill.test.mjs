// Invariant: after a kill at any moment every acknowledged write is there and no batch is half there.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeHome } from "../lib/app.mjs";
import { add, listAll, makeWorkspace, memory } from "../lib/store.mjs";
import { makeTurns, writeJsonl } from "../lib/turns.mjs";
import { atEveryPoint } from "./lib/kill.mjs";

const TURNS = 5_000;
const KEPT = ["the weir house has two keys", "Odile counts the barges", "the abbess owes the guild"];

test("kill -9 at any moment of an import of lines: complete or absent, and an intact store", async (t) => {
  const base = makeHome();
  t.after(base.remove);
  await makeWorkspace(base);
  for (const text of KEPT) await add(base, text);
  const file = join(base.path, "turns.jsonl");
  writeJsonl(file, makeTurns(TURNS));

  const seen = { whole: 0, none: 0 };
  const args = ["memory", "import-jsonl", "--scope", "workspace", file, "--json"];
  await atEveryPoint(t, base, args, async (home, where, output) => {
    const imported = (await listAll(home)).length - KEPT.length;
    assert.ok(imported === 0 || imported === TURNS, `${where}: ${imported} of ${TURNS} turns are there`);
    seen[imported === 0 ? "none" : "whole"]++;
    if (output.trim() !== "") assert.equal(imported, TURNS, `${where}: it was acknowledged`);
    for (const text of KEPT) {
      // In quotes: it asks for the words as they stand, and not for the best of five thousand turns.
      const found = await memory(home, "search", `"${text}"`, "--limit", "3");
      assert.ok(
        found.hits.some((hit) => hit.row.preview === text),
        `${where}: "${text}" is lost`,
      );
    }
  });
  t.diagnostic(JSON.stringify(seen));
  await memory(base, ...args.slice(1, -1));
  assert.equal((await listAll(base)).length, TURNS + KEPT.length);
});
