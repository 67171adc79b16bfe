// What a memory_put costs while others write to the same workspace: one MCP process by itself, then five at once, over standard
// input, and five clients of one HTTP server.
//
//   INKLINGS_BIN_DIR=target/release node e2e/bench/writers.mjs [writes]
//
// A client of the server may ask 200 times at once and is slowed down after that, so more writes measure that.
//
// Target (p99, five writers, a machine that does nothing else): 250 ms. Beside it stands the ratio to one writer in the same run,
// which says what the writers cost one another on any machine.
import { makeHome } from "../lib/app.mjs";
import { addClient, call, overHttp, overStdio, serveHttp } from "../lib/mcp.mjs";
import { makeWorkspace } from "../lib/store.mjs";
import { noteText, timing } from "../lib/together.mjs";

const NAMES = ["Ada", "Brin", "Cole", "Dorn", "Edda"];
const WRITES = Number(process.argv[2] ?? 150);

/** Writes of each that do not count: a process opens its files and its model with the first. */
const FIRST = 10;

const print = (text) => process.stdout.write(`${text}\n`);

let round = 0;
/** How long each write of these clients took, all of them writing at once. */
async function writes(clients) {
  round += 1;
  const times = [];
  const start = round * 100_000;
  await Promise.all(
    clients.map(async (client, who) => {
      for (let n = 0; n < FIRST + WRITES; n += 1) {
        const content = noteText(NAMES[who], start + n);
        const began = performance.now();
        await call(client, "memory_put", { tier: "workspace", content });
        if (n >= FIRST) times.push(performance.now() - began);
      }
    }),
  );
  return timing(times);
}

const home = makeHome();
await makeWorkspace(home);
const tokens = [];
for (const name of NAMES) tokens.push((await addClient(home, name, { allow: ["workspace:write"] })).token);
const five = await Promise.all(NAMES.map((name) => overStdio(home, name)));
const alone = await writes(five.slice(0, 1));
const together = await writes(five);
await Promise.all(five.map((client) => client.close()));
const server = await serveHttp(home);
const clients = await Promise.all(tokens.map((token) => overHttp(server, token)));
const served = await writes(clients);
await Promise.all(clients.map((client) => client.close()));
await server.stop();
await home.remove();

const ms = (number) => number.toFixed(0).padStart(6);
for (const [what, { count, p50, p99, max }] of [
  ["one process", alone],
  ["five processes", together],
  ["five clients of one server", served],
])
  print(
    `${what.padEnd(28)} p50 ${ms(p50)}  p99 ${ms(p99)}  slowest ${ms(max)} ms  (${count}), p99 ${(p99 / alone.p99).toFixed(1)} times that of one`,
  );
