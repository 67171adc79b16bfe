// A linked vault through the command line: indexed, searched, changed from outside, and never written.
import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, cli, makeHome } from "../lib/app.mjs";
import { devServe } from "../lib/dev-serve.mjs";
import { addClient, call, overStdio, refused } from "../lib/mcp.mjs";
import { errorOf, makeWorkspace, WORKSPACE } from "../lib/store.mjs";
import { digest, makeVault } from "../lib/vault.mjs";
import { until } from "../lib/webdriver.mjs";

const PAGES = 300;

/** A running core, as the window has it. */
async function serve(t, home) {
  const page = join(home.path, "page");
  mkdirSync(page);
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Page</title>");
  const server = await devServe(home, page);
  t.after(server.stop);
  return server;
}

async function linked(t) {
  const home = makeHome();
  home.env.INKLINGS_RESOURCES = home.path;
  t.after(home.remove);
  await makeWorkspace(home);
  const folder = join(home.path, "vault");
  makeVault(folder, PAGES);
  const on = (...args) => ask(home, "--workspace", WORKSPACE, ...args);
  return { home, folder, on };
}

test("a vault is indexed and searched, follows changes from outside, and keeps every byte", async (t) => {
  const { folder, on } = await linked(t);
  mkdirSync(join(folder, ".obsidian"));
  writeFileSync(join(folder, ".obsidian", "app.json"), "{}");
  const before = digest(folder);
  const { vault, sync } = await on("vault", "link", folder);
  assert.deepEqual([sync.added, sync.complete, vault.pages], [PAGES, true, PAGES]);
  const { hits } = await on("search", "--kind", "page", "the lantern of page 7");
  assert.equal(hits[0].page.title, "Page 7");
  assert.equal(hits[0].heading, "History");
  const page = await on("vault", "page", "page 7");
  assert.deepEqual(
    page.links.map((link) => link.title),
    ["Page 8", "Page 6"],
  );
  assert.equal(digest(folder), before);

  const id = page.row.id;
  renameSync(join(folder, page.row.path), join(folder, "Moved page.md"));
  rmSync(join(folder, (await on("vault", "page", "page 9")).row.path));
  appendFileSync(join(folder, (await on("vault", "page", "page 10")).row.path), "\nThe heron of Veyra.\n");
  writeFileSync(join(folder, "New.md"), "A heron in the reeds.");
  const changed = digest(folder);
  const [{ sync: next }] = await on("vault", "sync");
  assert.deepEqual([next.added, next.changed, next.moved, next.removed], [1, 1, 1, 1]);
  assert.equal((await on("vault", "page", "Moved page")).row.id, id);
  const herons = await on("search", "heron");
  assert.deepEqual(new Set(herons.hits.map((hit) => hit.page.title)), new Set(["New", "Page 10"]));
  const [{ sync: again }] = await on("vault", "sync");
  assert.deepEqual([again.added + again.changed + again.moved + again.removed, again.unchanged], [0, PAGES]);
  assert.equal(digest(folder), changed);
});

test("files that are not whole keep their pages, and each skipped file is named with its reason", async (t) => {
  const { home, folder, on } = await linked(t);
  writeFileSync(join(home.path, "secret.md"), "Outside.");
  await on("vault", "link", folder);
  const pathOf = async (title) => join(folder, (await on("vault", "page", title)).row.path);
  const [first, second] = [await pathOf("Page 1"), await pathOf("Page 2")];
  writeFileSync(first, "");
  rmSync(second);
  writeFileSync(join(second, "..", ".Page 2.md.icloud"), "x");
  writeFileSync(join(folder, "Page 3 (conflicted copy 2026-01-02).md"), "Other.");
  writeFileSync(join(folder, "latin.md"), Buffer.from([0x53, 0xe4, 0x6c]));
  writeFileSync(join(folder, "large.md"), "x".repeat(1024 * 1024 + 1));
  symlinkSync(join(home.path, "secret.md"), join(folder, "out.md"));
  const before = digest(folder);
  const [{ sync }] = await on("vault", "sync");
  assert.equal(sync.removed, 0);
  const { skips } = await on("vault", "status");
  assert.deepEqual(skips.map((skip) => skip.reason).sort(), [
    "conflict",
    "empty",
    "not_downloaded",
    "not_text",
    "outside_link",
    "too_large",
  ]);
  assert.ok((await on("vault", "page", "Page 1")).content.includes("lantern"));
  assert.ok((await on("vault", "page", "Page 2")).content.includes("lantern"));
  assert.equal(digest(folder), before);
});

test("a folder is refused twice, in another, around the data folder, and through a lens no page is found", async (t) => {
  const { home, folder, on } = await linked(t);
  await on("vault", "link", folder);
  for (const refused of [folder, join(folder, "folder 1"), home.path, home.data, join(home.path, "gone")]) {
    const answer = await cli(home, ["--json", "--workspace", WORKSPACE, "vault", "link", refused]);
    const error = errorOf(answer);
    assert.equal(error.code, "invalid", refused);
    assert.ok(!error.message.includes(home.path), "no message has a path");
  }
  await on("subject", "set", "Mira", "character");
  const { hits } = await on("search", "--as", "Mira", "lantern");
  assert.deepEqual(hits, []);
  await on("vault", "unlink", "vault");
  assert.deepEqual((await on("search", "lantern")).hits, []);
});

test("a running shell catches up at its start and follows changes of files", async (t) => {
  const { home, folder, on } = await linked(t);
  await on("vault", "link", folder);
  writeFileSync(join(folder, "While away.md"), "A heron in the reeds.");
  await serve(t, home);
  /** How long it takes until a query finds just these pages. */
  const finds = async (query, titles) => {
    const began = performance.now();
    for (;;) {
      const { hits } = await on("search", "--kind", "page", query);
      const found = hits.map((hit) => hit.page.title).sort();
      if (JSON.stringify(found) === JSON.stringify(titles)) return performance.now() - began;
      assert.ok(performance.now() - began < 30_000, `${query}: ${found}`);
      await sleep(100);
    }
  };
  await finds("heron", ["While away"]);
  writeFileSync(join(folder, "Now.md"), "A cormorant on the weir.");
  const took = await finds("cormorant", ["Now"]);
  t.diagnostic(`a new page was found after ${Math.round(took)} ms`);
  rmSync(join(folder, "Now.md"));
  await finds("cormorant", []);
});

test("pages stand among the subjects, in the orientation and in the answers to a client that may read them", async (t) => {
  const { home, folder, on } = await linked(t);
  writeFileSync(
    join(folder, "Saltmere.md"),
    "---\ntype: place\n---\n# History\n\nThe salt tax was raised by [Mira](Mira.md) in a wet year.\n",
  );
  writeFileSync(join(folder, "Mira.md"), "Keeper of [[Saltmere]].\n");
  await on("vault", "link", folder);
  await on("subject", "set", "Mira", "character");
  const { rows, pages } = await on("subject", "list");
  assert.deepEqual(
    rows.map((row) => row.name),
    ["Mira"],
  );
  const [keeper] = rows;
  const of = (title) => pages.find((it) => it.page.title === title).subjectId;
  assert.deepEqual([of("Saltmere"), of("Mira")], [null, keeper.id]);
  assert.equal((await on("subject", "show", "Mira")).pages[0].title, "Mira");
  const { row } = await on("subject", "show", "Saltmere");
  assert.equal(row.pageKind, "place");
  const { pageEdges } = await on("subject", "graph");
  const touching = pageEdges.filter(({ from, to }) => from === row.id || to === row.id);
  assert.deepEqual(
    new Set(touching.map(({ from, to }) => `${from} ${to}`)),
    new Set([`${row.id} ${keeper.id}`, `${keeper.id} ${row.id}`]),
  );
  const titles = (await on("vault", "pages", "--limit", "20")).rows.map((it) => it.title);
  assert.ok(titles.indexOf("Page 2") < titles.indexOf("Page 10"), `${titles}`);
  const { hits } = await on("search", "--vault", "vault", "salt tax");
  assert.equal(hits[0].page.title, "Saltmere");

  const { markdown } = await on("orient", "--query", "who raised the salt tax");
  assert.match(
    markdown,
    /- From the worldbuilder's page "Saltmere" > History \[page [0-9a-f-]+\]: The salt tax/,
  );
  const why = await on("orient", "--query", "who raised the salt tax", "--why", row.id);
  assert.deepEqual([why.layer, why.rule, why.page.title], ["pages", "taken", "Saltmere"]);
  const through = await on("orient", "--query", "who raised the salt tax", "--as", "Mira", "--why", row.id);
  assert.equal(through.rule, "unknown");

  await addClient(home, "Reader", { allow: ["read_pages"] });
  await addClient(home, "Other", {});
  const [reader, other] = [await overStdio(home, "Reader"), await overStdio(home, "Other")];
  t.after(() => Promise.all([reader.close(), other.close()]));
  const found = await call(reader, "memory_search", { query: "who raised the salt tax" });
  assert.equal(found.pages[0].heading, "History");
  const read = await call(reader, "memory_get", { page: row.id });
  assert.match(read.content, /The salt tax was raised/);
  assert.ok(!JSON.stringify([found, read]).includes(folder));
  const resource = await reader.readResource({ uri: `inklings://page/${row.id}` });
  assert.match(resource.contents[0].text, /The salt tax was raised/);
  const none = await call(other, "memory_search", { query: "who raised the salt tax" });
  assert.equal(none.pages, undefined);
  assert.equal((await refused(other, "memory_get", { page: row.id })).code, "not_granted");
});

test("what a page says in its properties is found, and a link in them is a link", async (t) => {
  const { folder, on } = await linked(t);
  const properties = 'Description: A horn that calls the drowned bells.\nkept_in: "[[page 7]]"';
  writeFileSync(join(folder, "Horn.md"), `---\n${properties}\n---\n\n\`= this.Description\`\n`);
  await on("vault", "link", folder);
  const { hits } = await on("search", "--kind", "page", "horn drowned bells");
  assert.equal(hits[0].page.title, "Horn");
  const { content, head, links } = await on("vault", "page", "Horn");
  assert.deepEqual([content.trim(), head], ["`= this.Description`", `---\n${properties}\n---\n`]);
  assert.deepEqual(
    links.map((link) => link.target),
    ["page 7"],
  );
});

test("a page is opened in the program of the system, and one that is no longer there is not", async (t) => {
  const { home, folder, on } = await linked(t);
  const [bin, log] = [join(home.path, "bin"), join(home.path, "opened")];
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s' "$1" > '${log}'\n`, { mode: 0o755 });
  home.env.PATH = `${bin}:${home.env.PATH ?? process.env.PATH}`;
  writeFileSync(join(folder, "Horn.md"), "A horn.\n");
  await on("vault", "link", folder);
  const { row } = await on("vault", "page", "Horn");
  const served = await serve(t, home);
  await served.call("open_page", { id: row.id });
  await until("the program", () => existsSync(log) && readFileSync(log, "utf8") !== "");
  assert.equal(readFileSync(log, "utf8"), join(folder, "Horn.md"));
  rmSync(log);
  rmSync(join(folder, "Horn.md"));
  symlinkSync("/etc/hostname", join(folder, "Horn.md"));
  const refusal = await served.call("open_page", { id: row.id }).catch((error) => error);
  assert.match(refusal.message, /not there/i);
  assert.ok(!refusal.message.includes(folder), "no message has a path");
  assert.ok(!existsSync(log));
});

test("a memory is appended to the one page that was chosen for it, as it was indexed, and to nothing else", async (t) => {
  const { home, folder, on } = await linked(t);
  const inbox = join(folder, "Inbox.md");
  writeFileSync(inbox, "# Inbox\n");
  await on("vault", "link", folder);
  const { detail } = await on(
    "memory",
    "add",
    "--scope",
    "workspace",
    "The bells of Saltmere ring under water.",
  );
  const promote = ["--workspace", WORKSPACE, "memory", "promote", detail.row.id];
  const before = digest(folder);
  const refusal = async () => errorOf(await cli(home, ["--json", ...promote, "--append"]));
  assert.equal((await refusal()).code, "invalid", "no page is chosen");
  const { diff } = await ask(home, ...promote, "--page", "Inbox");
  assert.match(diff, /\+The bells of Saltmere ring under water\./);
  assert.equal(digest(folder), before, "nothing is written");

  await on("vault", "promotion-page", "Inbox");
  await ask(home, ...promote, "--append");
  const appended = "# Inbox\n\nThe bells of Saltmere ring under water.\n";
  assert.equal(readFileSync(inbox, "utf8"), appended);
  // Nothing is written over what somebody else has written since.
  const edited = `${appended}By hand.\n`;
  writeFileSync(inbox, edited);
  assert.match((await refusal()).message, /changed since it was indexed/);
  assert.equal(readFileSync(inbox, "utf8"), edited);
  rmSync(inbox);
  symlinkSync(join(folder, "folder 0", "Page 0.md"), inbox);
  const other = digest(folder);
  assert.match((await refusal()).message, /not there/);
  await on("vault", "promotion-page", "--off");
  assert.equal((await refusal()).code, "invalid");
  assert.equal(digest(folder), other);
});
