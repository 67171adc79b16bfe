// Makes folders of Markdown files as a worldbuilder has them.
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WORDS =
  "salt river gate crown ash tower weir ferry moon guild reed tide bell harbour stone winter".split(" ");

/** A text of so many words, the same for the same seed. */
function text(seed, words) {
  let state = seed + 1;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state;
  };
  return Array.from({ length: words }, () => WORDS[next() % WORDS.length]).join(" ");
}

/** Writes a vault of pages `Page 0`, `Page 1` and so on in folders of 50, each with links to its neighbours. */
export function makeVault(folder, pages, words = 60) {
  for (let n = 0; n < pages; n++) {
    const inside = join(folder, `folder ${Math.floor(n / 50)}`);
    if (n % 50 === 0) mkdirSync(inside, { recursive: true });
    const head = `---\ntype: place\naliases: [The ${n}th place]\ntags: [place]\n---\n`;
    const links = `See [[Page ${n + 1}]] and [[Page ${n - 1}|the one before]].`;
    const body = `${text(n, words)}\n\n# History\n\nThe lantern of page ${n} burns. ${text(n * 7, words)}\n\n- ${text(n * 3, 12)}\n\n${links}\n`;
    writeFileSync(join(inside, `Page ${n}.md`), `${head}${body}`);
  }
}

/** Digest of every path and file of a folder, with the times of files. */
export function digest(folder) {
  const hash = createHash("sha256");
  const walk = (path) => {
    for (const name of readdirSync(path).sort()) {
      const at = join(path, name);
      const found = lstatSync(at);
      hash.update(`${at} ${found.mtimeMs} ${found.mode}`);
      if (found.isDirectory()) walk(at);
      else if (found.isFile()) hash.update(readFileSync(at));
    }
  };
  walk(folder);
  return hash.digest("hex");
}
