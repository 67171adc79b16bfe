// What goes into the packages, as far as it can be checked without building them (e2e/package does the rest).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build, bundle, desktopEntry, linkEntry, mimeTypes } from "../../scripts/package/config.mjs";

const types = JSON.parse(readFileSync("src-tauri/package/types.json", "utf8"));
const config = JSON.parse(readFileSync("src-tauri/tauri.conf.json", "utf8"));

const inFolder = (use) => {
  const folder = mkdtempSync(join(tmpdir(), "inklings-structure-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test("the desktop entries are valid", () => {
  const filled = desktopEntry()
    .replaceAll("{{name}}", config.productName)
    .replaceAll(/\{\{(exec|icon)\}\}/g, "inklings-desktop");
  assert.doesNotMatch(filled, /\{\{|@/, "everything is filled in");
  const link = linkEntry({ plugins: { "deep-link": { desktop: { schemes: ["inklings"] } } } });
  assert.match(link, /^MimeType=x-scheme-handler\/inklings;$/m);
  assert.equal(linkEntry({}), null, "no entry for links where the window takes none");
  inFolder((folder) => {
    for (const [name, text] of Object.entries({
      "Inklings.desktop": filled,
      "inklings-link.desktop": link,
    })) {
      writeFileSync(join(folder, name), text);
      execFileSync("desktop-file-validate", [join(folder, name)]);
    }
  });
});

test("the MIME types are valid, and their endings are not those of another type", () => {
  inFolder((folder) => {
    mkdirSync(join(folder, "packages"));
    writeFileSync(join(folder, "packages/inklings.xml"), mimeTypes());
    execFileSync("update-mime-database", [folder], { stdio: "ignore" });
    const globs = readFileSync(join(folder, "globs2"), "utf8");
    for (const type of types.filter((one) => !one.known))
      for (const ending of type.endings) assert.ok(globs.includes(`:${type.mime}:*.${ending}\n`), ending);
    assert.doesNotMatch(globs, /:\*\.(json|png|zip)\n/);
  });
});

test("files of others are offered under Open with and made the default nowhere", () => {
  const work = "nowhere";
  const files = (system) => bundle(work, system).bundle.fileAssociations;
  assert.deepEqual(files("linux"), [], "the desktop entry says it there");
  // A Windows installer would make itself the default.
  assert.deepEqual(
    files("win32").map(({ ext }) => ext),
    [["inklings"]],
  );
  for (const { ext, rank } of files("darwin"))
    assert.equal(rank, ext.includes("inklings") ? "Owner" : "Alternate", ext.join());
});

test("the endings that a desktop offers to the window are among those it can import", () => {
  const source = readFileSync("ui/src/features/transfer/formats.ts", "utf8");
  const list = /export const ENDINGS = \[([^\]]*)\]/.exec(source)[1];
  const importable = [...list.matchAll(/"(\w+)"/g)].map(([, ending]) => ending);
  for (const { endings } of types)
    for (const ending of endings) assert.ok(importable.includes(ending.split(".").at(-1)), ending);
});

test("the updater is set up by a build that names an address and a key, and by no other", () => {
  assert.equal(config.plugins?.updater, undefined, "no key in the repository");
  assert.equal(build("nowhere", undefined).plugins, undefined);
  inFolder((folder) => {
    const file = join(folder, "updates.json");
    const set = (updates) => {
      writeFileSync(file, JSON.stringify(updates));
      return build("nowhere", file).plugins;
    };
    const endpoint = "https://updates.example/latest.json";
    assert.deepEqual(set({ endpoint, pubkey: "K" }).updater, {
      endpoints: [endpoint],
      pubkey: "K",
      requireSignedVersion: true,
    });
    assert.throws(() => set({ endpoint: "http://updates.example/latest.json", pubkey: "K" }), /https/);
    assert.throws(() => set({ endpoint }), /pubkey/);
  });
});
