// The table of faults names tests that exist.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (path) => readFileSync(`${root}/${path}`, "utf8");
test("every row of the table of faults names a test that exists", () => {
  const rows = read("docs/faults.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.includes("`: "));
  assert.ok(rows.length >= 40, `${rows.length} rows`);
  const missing = [];
  for (const row of rows) {
    const [, path, name] = row.match(/\| `([^`]+)`: (.+) \|$/) ?? [];
    let text = "";
    try {
      text = read(path);
    } catch {
      // A missing file is reported as a missing test.
    }
    const exists = path?.endsWith(".rs")
      ? text.includes(`fn ${name}(`)
      : [`"${name}"`, `\`${name}\``].some((title) => text.includes(title));
    if (!exists) missing.push(row);
  }
  assert.deepEqual(missing, []);
});
