// Builds the world of the novel through the command line: a vault of Markdown notes, then times, knowers, facts and secrets.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { idOf } from "../lib/store.mjs";
import { writeJsonl } from "../lib/turns.mjs";
import { SECRETS } from "./secrets.mjs";
import { sentencesOf } from "./text.mjs";
import { CALENDAR, DAYS, FACTS, FLASHBACKS, HIDDEN, LIVES, LOG, RELATIONS, SUBJECTS } from "./world.mjs";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAY = 86_400_000;

export const chapterName = (number) => `Chapter ${number}`;

/** The day of a chapter, as a date of the calendar. */
export function dateOf(number) {
  if (FLASHBACKS.has(number)) return FLASHBACKS.get(number);
  const known = [...DAYS.keys()];
  const from = known.findLast((it) => it <= number);
  const until = known.find((it) => it > number) ?? from;
  const [start, end] = [from, until].map((it) => Date.parse(DAYS.get(it)));
  const share = from === until ? 0 : (number - from) / (until - from);
  const date = new Date(start + Math.floor(((end - start) * share) / DAY) * DAY);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}, ${date.getUTCFullYear()}`;
}

const front = (keys) =>
  `---\n${Object.entries(keys)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("")}---\n`;

/** A file name that every file system takes. */
const fileName = (title) => title.replaceAll(/[\\/:*?"<>|#^[\]]/g, "").trim();

/** What a vault might say of who knows of a note. */
export const NAMED_KNOWERS = { Stowaways: { known_by: ["Ahab"] } };

/** Writes the vault: a note for each subject, chapter and passage. Answers with the number of notes. */
export function writeVault(folder, chapters) {
  let notes = 0;
  const write = (path, keys, text) => {
    writeFileSync(join(folder, `${path}.md`), `${front(keys)}${text}\n`);
    notes += 1;
  };
  for (const part of ["World", "Chapters", "Passages"]) mkdirSync(join(folder, part), { recursive: true });
  for (const [name, type, aliases, text] of SUBJECTS)
    write(`World/${fileName(name)}`, { title: name, type, aliases, ...NAMED_KNOWERS[name] }, text);
  for (const { number, title, passages } of chapters) {
    // Two chapters have one title, and some have that of a subject: the number is the name.
    const text = `"${title}". ${chapterName(number)} has ${passages.length} passages.`;
    write(`Chapters/${chapterName(number)}`, { type: "chapter" }, text);
    for (const [n, passage] of passages.entries())
      write(
        `Passages/${number}-${n + 1}`,
        { title: passageTitle(number, n), about: [chapterName(number)] },
        passage,
      );
  }
  return notes;
}

const later = (time) => new Date(Date.parse(time) + 1).toISOString();
const passageTitle = (number, n) => `${chapterName(number)}, passage ${n + 1}`;
export const chapterOf = (title) => Number(/^Chapter (\d+), passage/.exec(title ?? "")?.[1] ?? Number.NaN);

/** The novel as JSON Lines, one passage or one sentence a line, without subjects: as another program would write it. */
export function writeNovel(path, chapters, { sentences }) {
  const lines = chapters.flatMap(({ number, passages }) =>
    passages.flatMap((passage, n) =>
      (sentences ? sentencesOf(passage) : [passage]).map((text, m) => ({ id: `${number}-${n}-${m}`, text })),
    ),
  );
  writeJsonl(path, lines);
  return lines.length;
}

/** Times and knowers of the chapters, the relations, the facts, the lives. Answers with the number of commands. */
export async function addWorld(on, folder) {
  let commands = 0;
  const run = (...args) => {
    commands += 1;
    return on(...args);
  };
  await run("calendar", "add", CALENDAR, "--preset", "Gregorian");
  const log = join(folder, "log.json");
  writeFileSync(log, JSON.stringify(LOG));
  await run("calendar", "add", "Log of the Pequod", "--file", log);
  for (let number = 1; number <= 135; number++)
    await run("timeline", "set", chapterName(number), dateOf(number), "--reading", String(number));
  for (const [name, dates] of LIVES) await run("timeline", "set", name, dates);
  for (const [from, relation, to, dates] of RELATIONS) {
    const id = idOf(await run("link", "add", from, relation, to));
    if (dates) await run("timeline", "set", id, dates);
  }
  for (const [category, key, value, dates] of FACTS)
    await run("fact", "set", category, key, value, "--holds", dates);
  return commands;
}

/** Hides subjects, and adds the secrets. Answers with their ids by key. */
export async function addSecrets(on) {
  for (const [name, ...knowers] of HIDDEN) await on("link", "known-by", name, ...knowers);
  const ids = {};
  for (const { key, text, about, holds, knows } of SECRETS) {
    const id = idOf(await on("memory", "add", "--scope", "workspace", text));
    await on("link", "about", id, ...about);
    await on("link", "known-by", id, ...knows);
    await on("timeline", "set", id, holds);
    ids[key] = id;
  }
  return ids;
}

/**
 * Gives each passage the time of its chapter, and the Reader as the one who knows it from that chapter on. No command does this for
 * many entries, so it goes through an export that is edited and imported again.
 */
export async function limitPassages(on, folder) {
  const file = join(folder, "world.json");
  await on("export", file);
  const whole = JSON.parse(readFileSync(file, "utf8"));
  const byName = new Map(whole.named_entries.map((entry) => [entry.name, entry]));
  const reader = byName.get("Reader").id;
  let edited = 0;
  whole.memories = whole.memories.filter((entry) => {
    const number = chapterOf(entry.title);
    if (Number.isNaN(number)) return false;
    const chapter = byName.get(chapterName(number));
    entry.holds_from = chapter.holds_from;
    entry.holds_until = chapter.holds_until;
    entry.links = [...(entry.links ?? []), { role: "known_by", id: reader, since_chapter: chapter.id }];
    entry.updated_at = later(entry.updated_at);
    edited += 1;
    return true;
  });
  whole.named_entries = whole.named_entries.filter((entry) => {
    // Nobody in the story knows the titles of its chapters.
    if (entry.subject !== "chapter") return false;
    entry.links = [{ role: "known_by", id: reader, since_chapter: entry.id }];
    entry.updated_at = later(entry.updated_at);
    return true;
  });
  whole.facts = [];
  writeFileSync(file, JSON.stringify(whole));
  const answer = await on("import", file, "--pick-all");
  return { edited, counts: answer.plan.counts };
}
