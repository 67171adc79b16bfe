// What the documents say of the repository is there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";

const ROOT = new URL("../../", import.meta.url).pathname;
const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");

test("each feature of the window names tests that are there", () => {
  const names = new Set(files.map((it) => basename(it)));
  const rows = readFileSync(`${ROOT}docs/window.md`, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| feature"));
  assert.ok(rows.length > 25);
  for (const row of rows) {
    const [feature, , , shown] = row
      .slice(2)
      .split(" | ")
      .map((cell) => cell.replace(/ \|$/, ""));
    const tests = [...shown.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    assert.ok(tests.length > 0, `${feature}: no test`);
    for (const name of tests) assert.ok(names.has(name), `${feature}: there is no test ${name}`);
  }
});

test("each method of a port says what it does, because nothing else specifies it", () => {
  const ports = files.filter((it) => /^crates\/ports\/src\/(?!testing).*\.rs$/.test(it));
  const silent = [];
  let methods = 0;
  for (const file of ports) {
    const lines = readFileSync(`${ROOT}${file}`, "utf8").split("\n");
    let inTrait = false;
    for (const [at, line] of lines.entries()) {
      if (line.startsWith("pub trait ")) inTrait = true;
      else if (line === "}") inTrait = false;
      if (!inTrait || !/^ {4}(async )?fn /.test(line)) continue;
      methods += 1;
      let above = at - 1;
      while (lines[above].trim().startsWith("#[")) above -= 1;
      if (!lines[above].trim().startsWith("///")) silent.push(`${file}: ${line.trim()}`);
    }
  }
  assert.ok(methods > 300, `${methods} methods`);
  assert.deepEqual(silent, []);
});
