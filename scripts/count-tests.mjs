// Reads a test runner's output and prints "PASSED FAILED". Knows the summaries of cargo-nextest, cargo test, Vitest,
// Playwright and node --test. With --why it prints the lines that tell what went wrong instead.
import { readFileSync } from "node:fs";

const why = process.argv[2] === "--why";

// Colours are escape sequences; a pattern would need a control character.
const text = readFileSync(process.argv[why ? 3 : 2], "utf8").replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
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
if (why) {
  // A suite can fail with every test passed (an unhandled error, a crash): then its end tells more than its failures.
  const telling =
    /^\s*(✖|×|✘|not ok|FAIL|FAILED|Error|error|panicked|thread '|\w*Error:|\d+\) |.*[Uu]nhandled)|SIG[A-Z]{3,}|crash/;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  // What was expected and what came stands below the error.
  const about = new Set();
  for (const [n, line] of lines.entries()) {
    const detail = /^\s*\w*Error\b|panicked/.test(line) ? 12 : 0;
    if (telling.test(line)) for (let k = n; k <= n + detail && k < lines.length; k++) about.add(k);
  }
  const found = [...about].slice(0, 80).map((n) => lines[n]);
  for (const line of found.length > 0 ? found : lines.slice(-40)) console.log(line.slice(0, 400));
} else {
  console.log(`${passed} ${failed}`);
}
