// Subjects and relations through the command line, and through an export into the next installation.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cli } from "../lib/app.mjs";
import { errorOf, installation, WORKSPACE } from "../lib/store.mjs";

/** Mira, sister of Toma, who holds a lamp; and a note about her. */
async function family(t) {
  const world = await installation(t);
  const { on } = world;
  for (const [name, kind] of [
    ["Mira", "Character"],
    ["Toma", "character"],
    ["Lamp", "lantern of the dead"],
  ])
    await on("subject", "set", name, kind);
  await on("link", "add", "Mira", "is the sister of", "toma");
  await on("link", "add", "Toma", "holds", "Lamp", "--text", "He took the lamp from the drowned chapel.");
  const note = await on("memory", "add", "--scope", "workspace", "She rows only by night.");
  await on("link", "about", note.detail.row.id, "Mira");
  return world;
}

/** What a subject says of itself, without ids and times. */
const shown = async (on, name) => {
  const { row, relations, about } = await on("subject", "show", name);
  return {
    row: [row.name, row.kind, row.links],
    relations: relations.map((it) => [it.relation, it.outgoing, it.other.name, it.content]),
    about: about.map((it) => it.preview),
  };
};

test("a name that recurs in memories is suggested until it is a subject", async (t) => {
  const { on } = await installation(t);
  for (const n of [1, 2, 3])
    await on("memory", "add", "--scope", "workspace", `On day ${n} of the storm they met Brannoch there.`);
  assert.deepEqual(await on("subject", "suggest"), [{ name: "Brannoch", texts: 3 }]);
  await on("subject", "set", "Brannoch", "character");
  assert.deepEqual(await on("subject", "suggest"), []);
});

test("subjects and relations are made, listed, shown and removed by their names", async (t) => {
  const { home, on } = await family(t);
  const { rows, kinds } = await on("subject", "list");
  assert.deepEqual(
    rows.map(({ name, kind, links }) => [name, kind, links]),
    [
      ["Lamp", "lantern of the dead", 1],
      ["Mira", "character", 2],
      ["Toma", "character", 2],
    ],
  );
  assert.equal(kinds.at(-1), "lantern of the dead");
  assert.deepEqual(await shown(on, "Mira"), {
    row: ["Mira", "character", 2],
    relations: [["is the sister of", true, "Toma", "Mira is the sister of Toma."]],
    about: ["She rows only by night."],
  });
  const [relation] = await on("link", "list", "Mira");
  await on("link", "remove", relation.id);
  assert.deepEqual(await on("link", "list", "Mira"), []);
  await on("memory", "undo");
  assert.equal((await on("link", "list", "Mira")).length, 1);
  const wrong = await cli(home, [
    "--json",
    "--workspace",
    WORKSPACE,
    "link",
    "add",
    "Mira",
    "knows",
    "Nobody",
  ]);
  assert.equal(errorOf(wrong).code, "not_found");
});

test("subjects, relations and what memories are about come whole through an export and an import", async (t) => {
  const { home, on } = await family(t);
  const file = join(home.path, "world.json");
  await on("export", file);
  const next = await installation(t);
  const { plan } = await next.on("import", file);
  assert.deepEqual(
    plan.counts.filter((count) => count.kind === "refuse"),
    [],
  );
  for (const name of ["Mira", "Toma", "Lamp"])
    assert.deepEqual(await shown(next.on, name), await shown(on, name));
  const again = join(home.path, "again.json");
  await next.on("export", again);
  const linked = (path) =>
    JSON.parse(readFileSync(path, "utf8"))
      .memories.concat(JSON.parse(readFileSync(path, "utf8")).named_entries)
      .filter((entry) => entry.links || entry.subject)
      .map(({ id, subject, relation, links }) => ({ id, subject, relation, links }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  assert.equal(linked(file).length, 6);
  assert.deepEqual(linked(again), linked(file));
});

test("a file with links that break a rule is refused with the line and the field", async (t) => {
  const { home, on } = await family(t);
  const file = join(home.path, "world.json");
  await on("export", file);
  const whole = JSON.parse(readFileSync(file, "utf8"));
  const relation = whole.memories.findIndex((entry) => entry.relation === "holds");
  const wrongs = [
    [(entry) => entry.links.pop(), "relation"],
    [(entry) => delete entry.relation, "relation"],
    [(entry) => (entry.links[0].role = "owner"), "links"],
    [(entry) => (entry.links[0].id = entry.id), "links"],
    [(entry) => (entry.subject = "place"), "subject"],
    [(entry) => (entry.relation = "a\u202eb"), "relation"],
  ];
  const next = await installation(t);
  for (const [spoil, field] of wrongs) {
    const bad = structuredClone(whole);
    spoil(bad.memories[relation]);
    writeFileSync(file, JSON.stringify(bad, null, 2));
    const result = await cli(next.home, ["--json", "--workspace", WORKSPACE, "import", file]);
    assert.equal(result.code, 1, field);
    const error = errorOf(result);
    assert.match(error.message, new RegExp(`^Line \\d+, ${field}`), error.message);
  }
  assert.deepEqual((await next.on("subject", "list")).rows, []);
});

test("a scrub of a name destroys a relation that names it in its own words", async (t) => {
  const { on } = await family(t);
  await on(
    "link",
    "add",
    "Mira",
    "hides the debt of Oskar from",
    "Lamp",
    "--text",
    "She keeps quiet at the quay.",
  );
  const scrub = await on("scrub", "subject", "Oskar", "--mode", "full");
  await on("scrub", "subject", "Oskar", "--mode", "full", "--execute", scrub.hash, "--phrase", scrub.phrase);
  assert.deepEqual(
    (await on("link", "list", "Mira")).map((it) => it.relation),
    ["is the sister of"],
  );
});
