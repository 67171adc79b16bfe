// Reads the tests that cargo-nextest lists, as JSON on standard input, and those of the page and of the programs, and prints
// every promise that they name. `scripts/promises.sh` calls it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const sentence = (name) => name.split("::").at(-1).replaceAll("_", " ");
const found = new Map();
const note = (place, name) => found.set(place, [...(found.get(place) ?? []), name]);

// The compiler knows the tests of Rust, those that macros make included.
const list = JSON.parse(readFileSync(0, "utf8"));
for (const suite of Object.values(list["rust-suites"])) {
  for (const name of Object.keys(suite.testcases)) {
    const place = [suite["binary-id"], ...name.split("::").slice(0, -1)].join(" ");
    note(place, sentence(name));
  }
}

// Tests of the page and of programs are named where they are written; one in a loop is named by its pattern.
const files = execFileSync("git", ["ls-files", "-z", "ui", "e2e"], { encoding: "utf8" }).split("\0");
const test = /^\s*(?:test|look|it)(?:\.(?:each\([\s\S]*?\)|todo))?\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*)\1/gm;
for (const file of files.filter((file) => /\.(test|spec)\.(mjs|tsx?)$/.test(file))) {
  for (const [, , name] of readFileSync(file, "utf8").matchAll(test)) note(file, name.replaceAll(/\s+/g, " "));
}

const count = [...found.values()].flat().length;
if (process.argv[2] === "--names") console.log([...found.values()].flat().sort().join("\n"));
else {
  for (const [place, names] of [...found].sort(([a], [b]) => a.localeCompare(b)))
    console.log(`${place}\n${names.map((name) => `  ${name}`).join("\n")}`);
  console.log(`${count} promises`);
}
