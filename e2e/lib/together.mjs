// Several hands on one workspace at the same time: MCP processes, and whoever writes in the worldbuilder's name.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./app.mjs";
import { addClient, call, overStdio } from "./mcp.mjs";
import { doctor, listAll, WORKSPACE } from "./store.mjs";

const NAMES = ["Ada", "Brin", "Cole"];

// Numbers in words differ enough that no guard takes one note for another.
const WORDS = ["amber", "basalt", "cedar", "dusk", "ember", "fjord", "gale", "heron", "iris", "jade"];
export const noteText = (who, n) =>
  `${[...String(n)].map((digit) => WORDS[digit]).join(" ")} ${who} ${n} keeps watch`;

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** How long things took, in milliseconds: of the median, of 99 in 100, and of the slowest. */
export function timing(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { count: sorted.length, p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: sorted.at(-1) };
}

export const spoken = ({ count, p50, p99, max }) =>
  `${count} writes, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, slowest ${max.toFixed(0)} ms`;

/**
 * Three MCP processes write for so many seconds, with `pause` milliseconds between two writes of each, and until the
 * author has written `least` times, beside `author(n, until)`, which writes once a call. Resolves with
 * what was acknowledged, by its text, and with how long each write of an agent took. An agent that is told anything
 * but that it is done, or that it is noted already, fails the test: that somebody else is writing is not its concern.
 */
export async function writeTogether(home, seconds, author, { least = 1, pause = 0 } = {}) {
  for (const name of NAMES) await addClient(home, name, { allow: ["workspace:write"] });
  const clients = await Promise.all(NAMES.map((name) => overStdio(home, name)));
  const written = new Set();
  const times = [];
  const end = Date.now() + seconds * 1_000;
  let authored = 0;
  const goesOn = () => Date.now() < end || authored < least;
  const agent = async (client, name) => {
    for (let n = 0; goesOn(); n += 1) {
      const content = noteText(name, n);
      const began = performance.now();
      const result = await client.callTool({
        name: "memory_put",
        arguments: { tier: "workspace", content },
      });
      times.push(performance.now() - began);
      // That it is noted already is an answer, too: the guard may find two notes alike.
      if (!result.isError) written.add(content);
      else assert.equal(result.structuredContent.error.code, "already_noted", result.content[0].text);
      if (pause > 0) await sleep(pause);
    }
  };
  const write = async () => {
    for (; goesOn(); authored += 1) written.add(await author(authored));
  };
  try {
    await Promise.all([...clients.map((client, n) => agent(client, NAMES[n])), write()]);
    for (const client of clients) await call(client, "memory_search", { tier: "workspace", query: "watch" });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
  return { written, times };
}

/**
 * Everything that was acknowledged is there exactly once, each under the name of the one who wrote it. An open window
 * keeps memory in order meanwhile; what it put out of use is not lost, and taking its runs back brings it back.
 */
export async function nothingLost(home, written) {
  const { rows: runs } = await ask(home, "--workspace", WORKSPACE, "consolidate", "list");
  for (const run of runs.filter(({ state }) => state === "done"))
    await ask(home, "--workspace", WORKSPACE, "consolidate", "revert", run.id);
  const there = new Map();
  for (const row of await listAll(home)) there.set(row.preview, (there.get(row.preview) ?? 0) + 1);
  assert.deepEqual(
    [...written].filter((text) => there.get(text) !== 1),
    [],
    "what was acknowledged is there exactly once",
  );
  const { code, report, trouble } = await doctor(home);
  assert.equal(code, 0, report + trouble);
  for (const name of NAMES) {
    const page = await ask(home, "client", "changes", name, "--limit", "500");
    assert.ok(
      page.rows.length > 0 && page.rows.every((row) => row.interface === "mcp" && row.actorKind === "agent"),
    );
  }
}
