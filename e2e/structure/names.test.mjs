// Functions are named with the words of the trade (docs/style.md).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

// Words that were names of this project alone, and the words to use instead.
const replaced = {
  told: "rendered, reported, described",
  beside: "next to, sibling",
  said: "message, stated",
  stranger: "attack, other file",
  strangers: "attack, other file",
  heir: "target channel",
  heirs: "target channel",
  doomed: "scrub target",
  pulse: "version",
  news: "topics, changes, notify",
  guest: "client session",
  guests: "client session",
  hand: "actor kind",
  hands: "actor kind",
  door: "interface",
  doors: "interface",
  rooms: "channels and conversations",
  quiet: "without changes, empty",
  stretch: "message range",
  stretches: "message range",
  packed: "json rows, compressed",
  lasting: "permanent, durable",
  talk: "conversation",
  talks: "conversation",
  heard: "received, recorded",
  keeping: "the subject: consolidation, proposal, schedule",
};
const words = new Map(Object.entries(replaced));

const own = "e2e/structure/names.test.mjs";

/** The parts of a name in snake or camel case. */
const partsOf = (name) =>
  (name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase());

const inRust = /\bfn\s+(\w+)|\blet\s+(?:mut\s+)?(\w+)(?:\s*:[^=\n]*)?\s*=\s*(?:async\s+)?(?:move\s+)?\|/g;
const inScript =
  /\bfunction\*?\s+(\w+)|\b(?:const|let)\s+(\w+)(?:\s*:[^=\n]*)?\s*=\s*(?:async\s+)?(?:function\b|\([^)\n]*\)\s*(?::[^=\n]*)?=>|\w+\s*=>)/g;

/** The functions that a source text declares, comments aside. */
function functionsIn(path, text) {
  const code = text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const found = code.matchAll(path.endsWith(".rs") ? inRust : inScript);
  return [...found].map((match) => match[1] ?? match[2]);
}

// Variables, parameters and fields. A word as a part of their names is common (`said_at`), so the whole name counts.
const rustBindings = [
  /\blet\s+(?:mut\s+)?(\w+)\b/g,
  /[(,|]\s*(?:mut\s+)?(\w+):\s/g,
  /\|(\w+)[,|]/g,
  /^\s*(?:pub(?:\([a-z]+\))?\s+)?(\w+):\s/gm,
  /\bfor\s+(\w+)\s+in\b/g,
  /\b(?:Some|Ok|Err)\((\w+)\)/g,
];

const scriptBindings = [
  /\b(?:const|let)\s+(\w+)\b/g,
  /[{,[]\s*(?:\.\.\.)?(\w+)\s*(?=[,}\]])/g,
  /[(,{]\s*(\w+)\??:/g,
  /^\s*(?:readonly\s+)?(\w+)\??(?:\(.*\))?:\s/gm,
  /[(,]\s*(\w+)\s*(?=[,)][^{;]*=>)/g,
  /\b(\w+)\s*=>/g,
];

/** The variables, parameters and fields that a source text declares, comments and strings aside. */
function bindingsIn(path, text) {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, "")
    .replaceAll(/\/\/.*$/gm, "");
  const patterns = path.endsWith(".rs") ? rustBindings : scriptBindings;
  return [...new Set(patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1])))];
}

const privateWordsOf = (name) => partsOf(name).filter((part) => words.has(part));

test("a private word is found as a whole part of a name, in snake and camel case", () => {
  const rust = "// fn told()\nasync fn is_news() {}\nlet said = |text: &str| text;\nfn handle(&self) {}";
  const script =
    "export function useRunNews() {}\nconst told = (who) => who;\nconst toldBy = async ({ a }) => a;";
  assert.deepEqual(functionsIn("a.rs", rust).flatMap(privateWordsOf), ["news", "said"]);
  assert.deepEqual(functionsIn("a.ts", script).flatMap(privateWordsOf), ["news", "told", "told"]);
});

test("a variable, parameter or field with a private word as its name is found", () => {
  const rust = `let mut told = 1; // let said\nfn f(said: &str, heard_at: u8) {}\nstruct S {\n    pub(crate) news: u8,\n}
    |talk| 1; for beside in all {} if let Some(guest) = it { panic!("let door = {}") }`;
  const found = bindingsIn("a.rs", rust).filter((name) => words.has(name));
  assert.deepEqual(found.sort(), ["beside", "guest", "news", "said", "talk", "told"]);
  const script = `const told = 1; // const talk
    function f(said: string, { door, b }: P) {}
    type S = {\n  news?: number;\n};
    const [guest] = heard.map((beside) => beside.said, (a, hand) => "let heir = 1");`;
  const inScript = bindingsIn("a.ts", script).filter((name) => words.has(name));
  assert.deepEqual(inScript.sort(), ["beside", "door", "guest", "hand", "news", "said", "told"]);
});

test("no function has a private word in its name, and no variable, parameter or field one as its name", () => {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  })
    .split("\0")
    .filter((path) => /\.(rs|tsx?|mjs)$/.test(path) && !/\.gen\.ts$/.test(path))
    .filter((path) => path !== own);
  const wrong = [];
  for (const path of files) {
    let text = "";
    try {
      text = readFileSync(`${root}/${path}`, "utf8");
    } catch {
      continue; // deleted in the work tree, not yet in the index
    }
    for (const name of bindingsIn(path, text).filter((name) => words.has(name)))
      wrong.push(`${path}: ${name}: ${words.get(name)}`);
    for (const name of functionsIn(path, text)) {
      for (const word of privateWordsOf(name)) wrong.push(`${path}: ${name}: ${words.get(word)}`);
    }
  }
  assert.deepEqual(wrong, []);
});
