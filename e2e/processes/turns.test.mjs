// Thousands of turns through the command line, made-up ones everywhere and real ones where they are at hand.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, root } from "../lib/app.mjs";
import { doctor, errorOf, listAll, makeHomeFor, memory, tryMemory } from "../lib/store.mjs";
import { makeTurns, writeJsonl } from "../lib/turns.mjs";

const timed = async (work) => {
  const start = performance.now();
  const value = await work();
  return [value, Math.round(performance.now() - start)];
};

test("5,000 imported turns are all there, and search finds each by its words, in the same order at any limit", async (t) => {
  const home = await makeHomeFor(t);
  const turns = makeTurns(5_000);
  const file = join(home.path, "turns.jsonl");
  writeJsonl(file, turns);
  const [, importing] = await timed(() =>
    memory(home, "import-jsonl", "--scope", "channel", "--channel", "chronicle", file),
  );
  const [rows, listing] = await timed(() => listAll(home, "--scope", "channel"));
  assert.equal(rows.length, turns.length);
  assert.ok(rows.every((row) => row.curator === "import" && row.channelName === "chronicle"));

  const [first, last] = [turns[17], turns[4_999]];
  for (const turn of [first, last]) {
    const [{ hits }, searching] = await timed(() => memory(home, "search", turn.text, "--limit", "5"));
    assert.equal(hits[0].row.preview, turn.text);
    const { origin } = await memory(home, "get", hits[0].row.id);
    assert.equal(origin.externalId, turn.id);
    assert.equal(origin.speaker, turn.speaker);
    t.diagnostic(`one search, process start included: ${searching} ms`);
  }
  for (const query of ["Ysolde ferry bell", "harvest masks winter"]) {
    const ids = async (limit) =>
      (await memory(home, "search", "--limit", limit, query)).hits.map((hit) => hit.row.id);
    const [few, many] = [await ids("10"), await ids("200")];
    assert.deepEqual(few, many.slice(0, 10), `a shorter list is the head of a longer one: ${query}`);
  }
  assert.equal((await doctor(home)).code, 0);
  t.diagnostic(`import ${importing} ms, listing every page ${listing} ms`);
});

const real = join(root, "..", "shared", "quality", "locomo-dev");
test("real conversations are imported into channels, embedded with the real model and found by their content", async (t) => {
  if (!existsSync(real)) {
    t.diagnostic("skipped: ../shared not found");
    t.skip("skipped: ../shared not found");
    return;
  }
  const home = await makeHomeFor(t);
  let total = 0;
  for (const name of readdirSync(real).filter((name) => name.endsWith(".docs.jsonl"))) {
    const file = join(real, name);
    const channel = name.replace(".docs.jsonl", "");
    await memory(home, "import-jsonl", "--scope", "channel", "--channel", channel, file);
    total += readFileSync(file, "utf8").trimEnd().split("\n").length;
  }
  assert.equal((await listAll(home, "--scope", "channel")).length, total);
  const [, embedding] = await timed(() => ask(home, "embed", "--all"));
  const status = await ask(home, "model", "status");
  assert.deepEqual([status.state, status.embedded, status.pending], ["ready", total, 0]);
  const found = await memory(
    home,
    "search",
    "When did Caroline go to the LGBTQ support group?",
    "--channel",
    "conv-26",
  );
  assert.equal(found.mode, "hybrid");
  const ids = [];
  for (const hit of found.hits.slice(0, 10))
    ids.push((await memory(home, "get", hit.row.id)).origin.externalId);
  assert.ok(ids.includes("D1:3"), `the turn that says so is not among ${ids}`);
  t.diagnostic(`${total} turns embedded in ${embedding} ms`);
});

test("an import with a broken line changes nothing and names line and field", async (t) => {
  const home = await makeHomeFor(t);
  const good = makeTurns(50);
  const broken = {
    "not JSON": ["{", /31/],
    "no text": [JSON.stringify({ id: "x" }), /31.*text|text.*31/s],
    "blank text": [JSON.stringify({ text: "  " }), /31/],
    "importance out of range": [
      JSON.stringify({ text: "a", importance: 2 }),
      /31.*importance|importance.*31/s,
    ],
    "importance as words": [
      JSON.stringify({ text: "a", importance: "NaN" }),
      /31.*importance|importance.*31/s,
    ],
    "tags that are no list": [JSON.stringify({ text: "a", tags: 7 }), /31.*tags|tags.*31/s],
  };
  for (const [what, [line, message]] of Object.entries(broken)) {
    const file = join(home.path, "broken.jsonl");
    writeFileSync(
      file,
      `${good
        .map((turn) => JSON.stringify(turn))
        .toSpliced(30, 0, line)
        .join("\n")}\n`,
    );
    const result = await tryMemory(home, ["import-jsonl", "--scope", "workspace", file]);
    assert.equal(result.code, 1, what);
    const error = errorOf(result);
    assert.equal(error.code, "invalid", what);
    assert.match(error.message, message, what);
    assert.equal((await listAll(home)).length, 0, `${what}: something was imported`);
  }
});
