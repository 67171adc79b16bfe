// The real window driven through the control plane: a backup, a scrub with its proof and its entry in the log, the MCP server
// with a client that comes in, and what it wrote. What it says is compared with the command line.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ask, makeHome, openWindow, saveScreenshot, startDisplay } from "../lib/app.mjs";
import { addClient, call, overHttp } from "../lib/mcp.mjs";
import { click, fill, get, maybe, sees } from "../lib/page.mjs";
import { add, listAll, makeWorkspace, WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";

let display;
let home;
let window;
before(async () => {
  display = await startDisplay();
  home = makeHome();
  await makeWorkspace(home);
  await add(home, "The salt gate is never locked.");
  window = await openWindow(display, home);
});
after(async () => {
  await home.remove();
  await display.stop();
});
afterEach(async (t) => {
  if (t.error) await saveScreenshot(window.session, t.name).catch(() => {});
});

const does = (...args) => ask(home, "--workspace", WORKSPACE, ...args);
const texts = async () => (await listAll(home)).map((row) => row.preview);
const part = (name) => click(window.session, "tab", new RegExp(`^${name}`));

test("the control plane is found from Settings and shows what each tier holds", async () => {
  await click(window.session, "link", /^Settings/);
  // What is still being read above the link moves it, and a click goes to where it was.
  await until("the way from Settings", async () => {
    if (await maybe(window.session, "tab", "Overview")) return true;
    const way = await maybe(window.session, "link", /^Overview/);
    await window.session.run((link) => link?.scrollIntoView({ block: "center" }), way);
    await way?.click();
    return false;
  });
  await sees(window.session, /1 yours/);
});

test("a backup made in the window is listed by the command line and passes its check", async () => {
  await part("Backups");
  await click(window.session, "button", "Back up now");
  await sees(window.session, "when you asked");
  const { rows } = await does("backup", "list");
  assert.equal(rows.length, 1);
  assert.equal((await does("backup", "check", rows[0].id)).ok, true);
});

test("the MCP server accepts a client with a token, and its writes are undone in one action", async () => {
  const { token } = await addClient(home, "Scribe", { allow: ["workspace:write"] });
  await part("AI clients");
  await click(window.session, "switch", "MCP server");
  await sees(window.session, "On, for programs on this computer only.");
  const url = await until("the server to run", async () => {
    const text = await window.session.run(() => document.body.textContent);
    return /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(text)?.[1];
  });
  const client = await overHttp({ port: Number(url), url: `http://127.0.0.1:${url}/mcp` }, token);
  await call(client, "memory_put", { tier: "workspace", content: "A heron nests under the weir." });
  assert.ok((await texts()).includes("A heron nests under the weir."));
  await client.close();
  await click(window.session, "button", /^Scribe/);
  await click(window.session, "button", "Undo all of it");
  const dialog = await get(window.session, "alertdialog");
  await click(window.session, "button", "Undo all of it", { within: dialog });
  await until("it to be taken back", async () => !(await texts()).includes("A heron nests under the weir."));
});

test("a scrub shows what it deletes, needs its phrase, shows its proof and is recorded in the log", async () => {
  await part("Erase");
  await click(window.session, "radio", /^Memories of this world/);
  await click(window.session, "radio", /^Everything/);
  await click(window.session, "button", "See what would be erased");
  await sees(window.session, /would be erased/);
  await fill(window.session, await get(window.session, "textbox", /^Type/), "scrub workspace");
  await click(window.session, "button", "Erase for good");
  await sees(window.session, /No trace was found/, { timeout: 30_000 });
  assert.deepEqual(await texts(), []);
  await part("Audit log");
  await sees(window.session, "Memory erased");
  assert.equal((await does("audit", "verify")).ok ?? true, true);
  const { rows } = await does("backup", "list");
  assert.ok(rows.some((row) => row.reason === "scrub"));
});
