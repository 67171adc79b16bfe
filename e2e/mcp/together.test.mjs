// Three MCP processes and the command line write to one workspace at the same time; nothing is lost.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, makeHome } from "../lib/app.mjs";
import { addClient, call, overStdio } from "../lib/mcp.mjs";
import { add, doctor, listAll, makeWorkspace } from "../lib/store.mjs";

const SECONDS = process.env.INKLINGS_LONG === "1" ? 120 : 20;
let home;
before(async () => {
  home = makeHome();
  await makeWorkspace(home);
});
after(() => home.remove());

// Numbers in words differ enough that no guard takes one note for another.
const WORDS = ["amber", "basalt", "cedar", "dusk", "ember", "fjord", "gale", "heron", "iris", "jade"];
const told = (who, n) => `${[...String(n)].map((digit) => WORDS[digit]).join(" ")} ${who} ${n} keeps watch`;

test(`three agents and a worldbuilder write together for ${SECONDS} s and nothing is lost`, {
  timeout: 200_000,
}, async () => {
  const names = ["Ada", "Brin", "Cole"];
  for (const name of names) await addClient(home, name, { allow: ["workspace:write"] });
  const clients = await Promise.all(names.map((name) => overStdio(home, name)));
  const written = [];
  const slow = [];
  const end = Date.now() + SECONDS * 1_000;
  const agent = async (client, name) => {
    for (let n = 0; Date.now() < end; n += 1) {
      const began = performance.now();
      const result = await client.callTool({
        name: "memory_put",
        arguments: { tier: "workspace", content: told(name, n) },
      });
      slow.push(performance.now() - began);
      // That it is noted already is an answer, too: the guard may find two notes alike.
      if (!result.isError) written.push(result.structuredContent.id);
      else assert.equal(result.structuredContent.error.code, "already_noted", result.content[0].text);
    }
  };
  const author = async () => {
    for (let n = 0; Date.now() < end; n += 1) written.push(await add(home, told("Dorn", n)));
  };
  await Promise.all([...clients.map((client, n) => agent(client, names[n])), author()]);
  const rows = new Set((await listAll(home)).map((row) => row.id));
  assert.ok(written.length > 30, `only ${written.length} were written`);
  assert.deepEqual(
    written.filter((id) => !rows.has(id)),
    [],
  );
  assert.equal((await doctor(home)).code, 0);
  for (const [n, client] of clients.entries()) {
    await call(client, "memory_read", { tier: "workspace", query: "watch" });
    const page = await ask(home, "client", "changes", names[n], "--limit", "500");
    assert.ok(page.rows.length > 0 && page.rows.every((row) => row.door === "mcp" && row.hand === "agent"));
    await client.close();
  }
});
