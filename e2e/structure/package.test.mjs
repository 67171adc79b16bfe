// What goes into the packages, as far as it can be checked without building them (e2e/package does the rest).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build, bundle, desktopEntry, linkEntry, mimeTypes } from "../../scripts/package/config.mjs";
import { manifest } from "../../scripts/package/manifest.mjs";

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

const workflows = ["advisories", "release"].map((name) => [
  name,
  JSON.parse(
    execFileSync(
      "/usr/bin/python3",
      // YAML reads the key `on` as a truth value.
      ["-c", "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin), default=str))"],
      { input: readFileSync(`.github/workflows/${name}.yml`), encoding: "utf8" },
    ),
  ),
]);
const stepsOf = (workflow) =>
  Object.values(workflow.jobs).flatMap(({ steps, ...job }) => steps.map((step) => ({ ...step, job })));

test("workflows may only read, but for the job that drafts the release", () => {
  for (const [name, workflow] of workflows) {
    assert.deepEqual(workflow.permissions, { contents: "read" }, name);
    for (const [id, job] of Object.entries(workflow.jobs)) {
      assert.deepEqual(job.permissions, id === "draft" ? { contents: "write" } : undefined, `${name}, ${id}`);
      assert.ok(job["timeout-minutes"] > 0, `${name}, ${id} ends`);
    }
  }
});

test("steps of workflows use pinned actions, hold no credentials and run scripts that are there", () => {
  for (const [name, workflow] of workflows)
    for (const step of stepsOf(workflow)) {
      if (step.uses) assert.match(step.uses, /^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/, name);
      if (step.uses?.startsWith("actions/checkout@")) assert.equal(step.with["persist-credentials"], false);
      const script = step.run ?? "";
      assert.doesNotMatch(script, /\$\{\{/, `${name}: values reach a script through its environment`);
      for (const [path] of script.matchAll(/scripts\/[\w./-]+\.(?:sh|mjs)/g))
        assert.ok(readFileSync(path, "utf8").startsWith("#!"), path);
    }
});

test("the key that signs reaches only the steps that sign", () => {
  const [, release] = workflows.find(([name]) => name === "release");
  const holding = stepsOf(release).filter((step) => JSON.stringify(step.env ?? {}).includes("secrets."));
  assert.deepEqual(
    holding.map(({ name }) => name),
    ["Sign for the updater", "Write the manifest of the updater and the checksums"],
  );
  for (const job of Object.values(release.jobs))
    assert.doesNotMatch(JSON.stringify(job.env ?? {}), /secrets\./);
});

test("the manifest of the updater names each package by the word that its program asks for", () => {
  const version = "1.2.3";
  const signature = (bound) =>
    Buffer.from(
      `untrusted comment: x\nAAAA\ntrusted comment: timestamp:1\tfile:x\tversion:${bound}\nBBBB\n`,
    ).toString("base64");
  const names = {
    "Inklings_1.2.3_amd64.deb": "linux-x86_64-deb",
    "Inklings-1.2.3-1.x86_64.rpm": "linux-x86_64-rpm",
    "Inklings_1.2.3_amd64.AppImage": "linux-x86_64-appimage",
    "Inklings_1.2.3_x64_en-US.msi": "windows-x86_64-msi",
    "Inklings_1.2.3_aarch64.app.tar.gz": "darwin-aarch64-app",
  };
  inFolder((folder) => {
    assert.equal(manifest(folder, version, "https://releases.example/v1.2.3"), null, "nothing is signed");
    for (const name of Object.keys(names)) writeFileSync(join(folder, `${name}.sig`), signature(version));
    const { platforms } = manifest(folder, version, "https://releases.example/v1.2.3");
    for (const [name, platform] of Object.entries(names))
      assert.equal(platforms[platform].url, `https://releases.example/v1.2.3/${name}`);
    assert.equal(Object.keys(platforms).length, 5);
    assert.throws(() => manifest(folder, "1.2.4", "https://releases.example"), /signed for version 1\.2\.3/);
  });
});

test("every manifest names the same version", () => {
  const run = (...args) =>
    execFileSync("node", ["scripts/package/version.mjs", ...args], { encoding: "utf8", stdio: "pipe" });
  assert.equal(run().trim(), config.version);
  assert.equal(run(`v${config.version}`).trim(), config.version);
  assert.throws(() => run("v99.0.0"), /the tag has 99\.0\.0/);
});
