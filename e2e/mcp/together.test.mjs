// Three MCP processes and the command line write to one workspace at the same time; nothing is lost.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeHome } from "../lib/app.mjs";
import { add, makeWorkspace } from "../lib/store.mjs";
import { noteText, nothingLost, spoken, timing, writeTogether } from "../lib/together.mjs";

const SECONDS = process.env.INKLINGS_LONG === "1" ? 120 : 20;
let home;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
});
after(() => home.remove());

test(`three agents and a worldbuilder write together for ${SECONDS} s and nothing is lost`, {
  timeout: 200_000,
}, async (t) => {
  const { written, times } = await writeTogether(home, SECONDS, async (n) => {
    await add(home, noteText("Dorn", n));
    return noteText("Dorn", n);
  });
  t.diagnostic(`agents: ${spoken(timing(times))}`);
  assert.ok(written.size > 30, `only ${written.size} were written`);
  await nothingLost(home, written);
});
