// Invariant: a scrub, a backup and a restore that are killed at any moment happened whole or not at all, and the store is
// clean afterwards. What a scrub took is in no file once the folder was opened again.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, makeHome, tree } from "../lib/app.mjs";
import { add, listAll, makeWorkspace, memory, WORKSPACE } from "../lib/store.mjs";
import { atEveryPoint, copyOf } from "./lib/kill.mjs";

/** A word that nothing else says. */
const TELLING = "Quillonbreach";
/** Bytes of the text that is scrubbed. */
const FILLER = "and the tide came in over the lower stair ".repeat(300);

let template;
before(async () => {
  template = makeHome();
  await makeWorkspace(template);
  for (let n = 0; n < 40; n++) await add(template, `${TELLING} entry ${n}: ${FILLER}`);
  await memory(template, "add", "--scope", "account", "A habit from before.");
});
after(() => template.remove());

const grep = (home) =>
  tree(home.data).filter((path) => statSync(path).isFile() && readFileSync(path).includes(TELLING));

test("kill -9 at any moment of a scrub: complete or absent, and recorded", async (t) => {
  const base = copyOf(template);
  t.after(base.remove);
  const { hash, phrase } = await ask(base, "--workspace", WORKSPACE, "scrub", "workspace", "--mode", "full");
  const args = ["scrub", "workspace", "--mode", "full", "--execute", hash, "--phrase", phrase];
  const seen = { whole: 0, gone: 0 };
  await atEveryPoint(t, base, args, async (home, where) => {
    const rows = (await listAll(home)).filter((row) => row.scope === "workspace");
    const { rows: log } = await ask(home, "--workspace", WORKSPACE, "audit", "list");
    if (rows.length === 0) {
      seen.gone++;
      assert.deepEqual(
        log.map((row) => row.act),
        ["scrub"],
        where,
      );
      assert.deepEqual(grep(home), [], where);
    } else {
      seen.whole++;
      assert.deepEqual([rows.length, log.length], [40, 0], where);
    }
  });
  t.diagnostic(JSON.stringify(seen));
});

test("kill -9 at any moment of a backup: complete or absent", async (t) => {
  const base = copyOf(template);
  t.after(base.remove);
  await atEveryPoint(t, base, ["backup", "now"], async (home, where) => {
    const { rows } = await ask(home, "backup", "list");
    assert.ok(rows.length <= 1, where);
    for (const row of rows) {
      assert.equal((await ask(home, "backup", "check", row.id)).ok, true, where);
    }
    // Another one clears away what was cut off.
    await ask(home, "backup", "now");
    const folders = readdirSync(join(home.data, "backups", "sets"));
    assert.equal(folders.length, rows.length + 1, `${where}: ${folders}`);
  });
});

test("kill -9 at any moment of a restore: the state before or the state after", async (t) => {
  const base = copyOf(template);
  t.after(base.remove);
  const { id } = await ask(base, "backup", "now");
  await add(base, "Written since.");
  await memory(base, "add", "--scope", "account", "A habit since.");
  const seen = { before: 0, after: 0 };
  await atEveryPoint(t, base, ["backup", "restore", id], async (home, where) => {
    const scopes = (await listAll(home)).map((row) => row.scope);
    const counts = ["workspace", "account"].map((scope) => scopes.filter((s) => s === scope).length);
    const restored = counts[1] === 1;
    assert.deepEqual(counts, restored ? [40, 1] : [41, 2], where);
    const { rows } = await ask(home, "--workspace", WORKSPACE, "audit", "list");
    assert.equal(rows.length, restored ? 2 : 0, where);
    assert.equal(existsSync(join(home.data, ".restore")), false, where);
    seen[restored ? "after" : "before"]++;
  });
  t.diagnostic(JSON.stringify(seen));
});
