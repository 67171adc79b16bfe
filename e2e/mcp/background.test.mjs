// A server without a window does the background work of the workspaces that its clients use.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask } from "../lib/app.mjs";
import { addClient, call, overHttp, overStdio, serveHttp } from "../lib/mcp.mjs";
import { makeHomeFor, WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";

// Tasks begin a minute after the start of a process.
const LONG = { timeout: 180_000, every: 2_000 };
const WAYS = {
  http: async (home, token) => {
    const server = await serveHttp(home, "--port", "17960");
    return { client: await overHttp(server, token), stop: server.stop };
  },
  "standard input": async (home) => {
    const client = await overStdio(home, "Scribe");
    return { client, stop: () => client.close() };
  },
};

describe("background work of a server without a window", { concurrency: true }, () => {
  for (const [way, open] of Object.entries(WAYS))
    test(`over ${way}: what clients write gets vectors, and the scheduled tasks run`, async (t) => {
      const home = await makeHomeFor(t);
      const on = (...args) => ask(home, "--workspace", WORKSPACE, ...args);
      const { token } = await addClient(home, "Scribe", { allow: ["workspace:write"] });
      const { client, stop } = await open(home, token);
      t.after(stop);
      await call(client, "memory_put", { tier: "workspace", content: "The harbour freezes in March." });
      await until("the vectors", async () => (await on("model", "status")).pending === 0, LONG);
      const outcomes = async () => {
        const tasks = await on("schedule", "status");
        return Object.fromEntries(tasks.map((task) => [task.name, task.outcome]));
      };
      await until("the tasks", async () => (await outcomes()).thin === "done", LONG);
      const { embed, summarise } = await outcomes();
      assert.deepEqual({ embed, summarise }, { embed: "done", summarise: "done" });
    });

  for (const [way, open] of Object.entries(WAYS))
    test(`over ${way}: what a client did last is recorded when the server ends at once`, async (t) => {
      const home = await makeHomeFor(t);
      const { token } = await addClient(home, "Scribe", { allow: ["workspace:write"] });
      const { client, stop } = await open(home, token);
      await call(client, "memory_put", { tier: "workspace", content: "The harbour freezes in March." });
      await stop();
      await until("the record", async () => {
        const { rows } = await ask(home, "--workspace", WORKSPACE, "telemetry", "list");
        return rows.some((row) => row.outcome === "done");
      });
    });
});
