// Invariant: a data folder of the release before the first migrations (ADR 24) is converted whole or not at all, and says the
// same afterwards.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { ask, makeHome, root } from "../lib/app.mjs";
import { atEveryPoint, copyOf, POINTS } from "./lib/kill.mjs";

const FOLDER = "crates/infrastructure/sqlite/tests/data/before_0001";
const WORKSPACE = "Aldmoor";
const ID = "019ca945-0a01-7ddb-938b-4d322c41a86d";

const unpacked = (name) => gunzipSync(readFileSync(join(root, FOLDER, `${name}.gz`)));

/** A home with that folder in it, which nobody opened yet. */
function homeOfBefore() {
  const home = makeHome();
  const inside = join(home.data, "workspaces", ID);
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(home.data, "agents.db"), unpacked("account.db"));
  writeFileSync(join(inside, "agents.db"), unpacked("workspace.db"));
  writeFileSync(join(inside, "inklings.db"), unpacked("world.db"));
  return home;
}

const timeless = (text) => text.replace(/"exported_at":"[^"]*"/, '"exported_at":""');

async function exported(home) {
  const out = join(home.path, "all.json");
  await ask(home, "--workspace", WORKSPACE, "export", out, "--embeddings");
  return timeless(readFileSync(out, "utf8"));
}

test("kill -9 at any moment of a conversion: complete or absent, and every byte is there", async (t) => {
  const expected = timeless(unpacked("export.json").toString("utf8"));
  const base = homeOfBefore();
  t.after(base.remove);
  const whole = copyOf(base);
  assert.equal(await exported(whole), expected);
  await whole.remove();

  const look = async (home, where) => assert.equal(await exported(home), expected, where);
  const options = { workspace: WORKSPACE, alive: POINTS / 4 };
  await atEveryPoint(t, base, ["memory", "list", "--json"], look, options);
});
