// Reads a test runner's output and prints "PASSED FAILED". Knows the summaries of cargo-nextest, cargo test, Vitest,
// Playwright and node --test.
import { readFileSync } from "node:fs";

// Colours are escape sequences; a pattern would need a control character.
const text = readFileSync(process.argv[2], "utf8").replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
let passed = 0;
let failed = 0;
const count = (line, pattern) => Number(line.match(pattern)?.[1] ?? 0);

for (const line of text.split("\n")) {
  if (/^\s*Summary \[/.test(line)) {
    passed += count(line, /(\d+) passed/);
    failed += count(line, /(\d+) failed/) + count(line, /(\d+) timed out/) + count(line, /(\d+) exec failed/);
  } else if (/^test result: /.test(line)) {
    passed += count(line, /(\d+) passed/);
    failed += count(line, /(\d+) failed/);
  } else if (/^\s*Tests {2,}/.test(line)) {
    passed += count(line, /(\d+) passed/);
    failed += count(line, /(\d+) failed/);
  } else if (/^\s+\d+ (passed|failed)( \(.*\))?$/.test(line)) {
    passed += count(line, /(\d+) passed/);
    failed += count(line, /(\d+) failed/);
  } else if (/^(ℹ|#) (pass|fail|cancelled) \d+$/.test(line)) {
    passed += count(line, /pass (\d+)/);
    failed += count(line, /(?:fail|cancelled) (\d+)/);
  }
}
console.log(`${passed} ${failed}`);
