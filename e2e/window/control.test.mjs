// The real window driven through the control plane: a backup, a scrub with its proof and its entry in the log, the MCP server
// with a client that comes in, and what it wrote. What it says is compared with the command line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "../lib/app.mjs";
import { addClient, call, overHttp } from "../lib/mcp.mjs";
import { click, fill, get, maybe, sees } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { add, listAll, WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";

const shared = sharedWindow((home) => add(home, "The salt gate is never locked."));

const does = (...args) => ask(shared.home, "--workspace", WORKSPACE, ...args);
const texts = async () => (await listAll(shared.home)).map((row) => row.preview);
const part = (name) => click(shared.session, "tab", new RegExp(`^${name}`));

test("the control plane is found from Settings and shows what each tier holds", async () => {
  await click(shared.session, "link", /^Settings/);
  // What is still being read above the link moves it, and a click goes to where it was.
  await until("the way from Settings", async () => {
    if (await maybe(shared.session, "tab", "Overview")) return true;
    const way = await maybe(shared.session, "link", /^Overview/);
    await shared.session.run((link) => link?.scrollIntoView({ block: "center" }), way);
    await way?.click();
    return false;
  });
  await sees(shared.session, /1 yours/);
});

test("a backup made in the window is listed by the command line and passes its check", async () => {
  await part("Backups");
  await click(shared.session, "button", "Back up now");
  await sees(shared.session, "when you asked");
  const { rows } = await does("backup", "list");
  assert.equal(rows.length, 1);
  assert.equal((await does("backup", "check", rows[0].id)).ok, true);
});

test("the MCP server accepts a client with a token, and its writes are undone in one action", async () => {
  const { token } = await addClient(shared.home, "Scribe", { allow: ["workspace:write"] });
  await part("AI clients");
  await click(shared.session, "switch", "MCP server");
  await sees(shared.session, "On, for programs on this computer only.");
  const url = await until("the server to run", async () => {
    const text = await shared.session.run(() => document.body.textContent);
    return /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(text)?.[1];
  });
  const client = await overHttp({ port: Number(url), url: `http://127.0.0.1:${url}/mcp` }, token);
  await call(client, "memory_put", { tier: "workspace", content: "A heron nests under the weir." });
  assert.ok((await texts()).includes("A heron nests under the weir."));
  await client.close();
  await click(shared.session, "button", /^Scribe/);
  await click(shared.session, "button", "Undo all of it");
  const dialog = await get(shared.session, "alertdialog");
  await click(shared.session, "button", "Undo all of it", { within: dialog });
  await until("it to be taken back", async () => !(await texts()).includes("A heron nests under the weir."));
});

test("a scrub shows what it deletes, needs its phrase, shows its proof and is recorded in the log", async () => {
  await part("Erase");
  await click(shared.session, "radio", /^Memories of this world/);
  await click(shared.session, "radio", /^Everything/);
  await click(shared.session, "button", "See what would be erased");
  await sees(shared.session, /would be erased/);
  await fill(shared.session, await get(shared.session, "textbox", /^Type/), "scrub workspace");
  await click(shared.session, "button", "Erase for good");
  await sees(shared.session, /No trace was found/, { timeout: 30_000 });
  assert.deepEqual(await texts(), []);
  await part("Audit log");
  await sees(shared.session, "Memory erased");
  assert.equal((await does("audit", "verify")).ok ?? true, true);
  const { rows } = await does("backup", "list");
  assert.ok(rows.some((row) => row.reason === "scrub"));
});
