// How long a vault of 10,000 pages takes: the first scan, a scan without a change, one changed page, a search.
// PAGES=n and WORDS=n choose another size.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { ask, makeHome } from "../lib/app.mjs";
import { makeWorkspace, WORKSPACE } from "../lib/store.mjs";
import { makeVault } from "../lib/vault.mjs";

const print = (line) => process.stdout.write(`${line}\n`);
const pages = Number(process.env.PAGES ?? 10_000);
const words = Number(process.env.WORDS ?? 300);
const home = makeHome();
home.env.INKLINGS_RESOURCES = home.path;
try {
  await makeWorkspace(home);
  const folder = join(home.path, "vault");
  makeVault(folder, pages, words);
  const timed = async (what, ...args) => {
    const began = performance.now();
    const answer = await ask(home, "--workspace", WORKSPACE, ...args);
    print(`${what.padEnd(36)} ${((performance.now() - began) / 1000).toFixed(2)} s`);
    return answer;
  };
  const { sync } = await timed(`first scan of ${pages} pages`, "vault", "link", folder);
  if (sync.added !== pages) throw new Error(`${sync.added} of ${pages} pages are indexed`);
  await timed("files that were new are read again", "vault", "sync");
  await timed("scan without a change", "vault", "sync");
  appendFileSync(join(folder, "folder 0", "Page 7.md"), "\nThe heron of Veyra.\n");
  await timed("one changed page", "vault", "sync");
  const { hits, tookMs } = await timed("search", "search", "--kind", "page", "the heron of Veyra");
  print(
    `search inside the process${" ".repeat(7)} ${tookMs.toFixed(1)} ms, first hit ${hits[0]?.page.title}`,
  );
  await timed("unlink", "vault", "unlink", "vault");
} finally {
  await home.remove();
}
