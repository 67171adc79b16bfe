// Looks for contradictions in the novel and in the world: planted ones must be found, and all others are false alarms.
import { join } from "node:path";
import { idOf } from "../lib/store.mjs";
import { writeJsonl } from "../lib/turns.mjs";
import { writeNovel } from "./build.mjs";
import { DECOYS, PLANTED, TRUE_NOTES } from "./contradictions.mjs";
import { makeWorkspaceOf, ms, timed } from "./report.mjs";

const open = async (on) => (await on("drift", "list", "--limit", "500")).rows;
const short = (text) => (text.length > 110 ? `${text.slice(0, 110)}…` : text).replaceAll("\n", " ");

/** What a side of a drift is called: the name of a subject, category and key of a fact, or the text. */
const nameOf = (side) => {
  if (side.fact) return `${side.fact.category}/${side.fact.key}`;
  return side.memory?.name ?? side.memory?.title ?? side.text;
};

const show = (report, drifts) => {
  for (const { canon, statement } of drifts) {
    report.line(`    ${nameOf(canon) === canon.text ? "" : `[${nameOf(canon)}] `}${short(canon.text)}`);
    report.line(`      / ${short(statement.text)}`);
  }
};

/** The bare novel in one shape: how many contradictions does it have with itself? Every one is a false alarm. */
export async function lookAtNovel(report, home, chapters, { sentences, limit }) {
  const name = sentences ? "Sentences" : "Passages";
  await makeWorkspaceOf(home, name);
  const on = report.on(home, name);
  const file = join(home.path, `${name}.jsonl`);
  const lines = writeNovel(file, chapters, { sentences });
  const added = await timed(() => on("import", file));
  const first = await timed(() => open(on));
  const again = await timed(() => open(on));
  const rate = Math.round((lines / added.ms) * 1_000);
  report.line(`  ${name}: ${lines} entries in ${ms(added.ms)}, ${rate} a second`);
  report.line(
    `  first look ${ms(first.ms)}, second look ${ms(again.ms)}, false alarms: ${first.answer.length}`,
  );
  show(report, first.answer);
  report.check(
    `${name}: at most ${limit} false alarms`,
    first.answer.length <= limit,
    `${first.answer.length}`,
  );
}

/** Names that recur in the novel, most frequent first. */
export async function suggestNames(report, home, expected) {
  const { answer, ms: took } = await timed(() => report.on(home, "Passages")("subject", "suggest"));
  const names = answer.map((it) => it.name);
  report.line(`  ${names.length} names in ${ms(took)}: ${names.join(", ")}`);
  for (const name of expected) report.check(`${name} is suggested as a subject`, names.includes(name));
}

/** The drifts of the world so far, before anything contradicts it. */
export async function lookAtWorld(report, on, state, limit) {
  const { answer, ms: took } = await timed(() => open(on));
  report.line(`  ${state}: ${answer.length} false alarms, the look took ${ms(took)}`);
  show(report, answer.slice(0, 12));
  report.check(`${state}: at most ${limit} false alarms`, answer.length <= limit, `${answer.length}`);
  return answer;
}

/** Notes of a second reader, which are all true: every drift that they bring is a false alarm. */
export async function addTrueNotes(report, on, home, before, limit) {
  const file = join(home.path, "notes.jsonl");
  writeJsonl(
    file,
    TRUE_NOTES.map((text, n) => ({ id: `note-${n}`, text })),
  );
  const { runId } = await on("import", file);
  const known = new Set(before.map((it) => it.id));
  const after = await open(on);
  const fresh = after.filter((it) => !known.has(it.id));
  report.line(`  ${TRUE_NOTES.length} true notes of a second reader: ${fresh.length} false alarms`);
  show(report, fresh);
  report.check(`true notes: at most ${limit} false alarms`, fresh.length <= limit, `${fresh.length}`);
  return { noted: after, run: runId };
}

async function state(on, text, curator, holds) {
  const id = idOf(await on("memory", "add", "--scope", "workspace", "--curator", curator, text));
  if (holds) await on("timeline", "set", id, holds);
  return id;
}

/**
 * States what contradicts the world and what does not. Answers with the drifts that were found, by statement, and with the ids of
 * all statements.
 */
export async function plant(report, on, before, limit) {
  const planted = new Map();
  for (const [text, curator, against, holds] of PLANTED)
    planted.set(await state(on, text, curator, holds), { text, against });
  const ids = [...planted.keys()];
  for (const [text, curator, holds] of DECOYS) ids.push(await state(on, text, curator, holds));
  const { answer, ms: took } = await timed(() => open(on));
  const known = new Set(before.map((it) => it.id));
  const found = new Map();
  const wrong = [];
  for (const drift of answer.filter((it) => !known.has(it.id))) {
    const sides = [drift.canon, drift.statement];
    const { text, against } = sides.map((side) => planted.get(side.id)).find(Boolean) ?? {};
    // Two planted statements about one thing contradict each other too.
    const isPair = sides.every((side) => planted.has(side.id));
    if (sides.some((side) => against?.includes(nameOf(side)))) found.set(text, drift);
    else if (!isPair) wrong.push(drift);
  }
  report.line(`  the look at ${PLANTED.length + DECOYS.length} new statements took ${ms(took)}`);
  for (const { text, against } of planted.values())
    report.line(`  ${found.has(text) ? "found " : "missed"}  ${text}  (against ${against.join(", ")})`);
  report.line(`  found ${found.size} of ${PLANTED.length}; false alarms: ${wrong.length}`);
  show(report, wrong);
  for (const { text } of planted.values()) report.check(`drift finds: ${text}`, found.has(text));
  report.check(`at most ${limit} decoys or passages are taken for a contradiction`, wrong.length <= limit);
  return { found, ids };
}

/** The time of a subject is its life: a decision about one sentence of its page must not change it. */
async function settleOfSubject(report, on, found) {
  const age = async () => (await on("calendar", "age", "Ahab", "--at", "17 December, 1841")).years;
  const before = await age();
  const { id } = found.get("Ahab has red hair.");
  const both = on("drift", "settle", id, "both", "--canon-holds", "1821 –", "--statement-holds", "– 1820");
  const refused = await both.then(
    () => false,
    () => true,
  );
  report.check("a decision about a sentence does not set the life of a subject", refused);
  report.equal("both: the age of Ahab stays", await age(), before);
}

/** Decides about some drifts in each of the five ways, and sees what becomes of the two sides. */
export async function settle(report, on, found, dismissed) {
  const decide = (text, ...args) => on("drift", "settle", found.get(text).id, ...args);
  const textOf = async (id) => (await on("memory", "get", id)).content;
  const boston = found.get("The home port of the Samuel Enderby is Boston.").statement.id;
  await decide("The home port of the Samuel Enderby is Boston.", "canon-stands");
  report.check("canon-stands forgets the statement", (await on("memory", "get", boston)).forgotten !== null);
  const sons = found.get("Gardiner has three sons.");
  const text = (await textOf(sons.canon.id)).replace("two sons", "three sons");
  await decide("Gardiner has three sons.", "canon-changes", "--text", text);
  report.equal("canon-changes edits the canon", await textOf(sons.canon.id), text);
  await decide("Starbuck is 45 years old.", "both", "--canon-holds", "1841", "--statement-holds", "1856");
  const age = await on("fact", "get", "Starbuck", "age", "--within", "1856");
  report.equal("both: the fact does not hold at the time of the statement", age.length, 0);
  const salem = found.get("The Pequod's home port is Salem.").statement.id;
  await decide("The Pequod's home port is Salem.", "belief", "--known-by", "Elijah");
  const knowers = (await on("memory", "get", salem)).knownBy.map((it) => it.name);
  report.equal("belief: only who is mistaken knows it", knowers, ["Elijah"]);
  await on("drift", "settle", dismissed.id, "dismiss");
  await settleOfSubject(report, on, found);
  const left = new Set((await open(on)).map((it) => it.id));
  const decided = [
    "The home port of the Samuel Enderby is Boston.",
    "Gardiner has three sons.",
    "Starbuck is 45 years old.",
    "The Pequod's home port is Salem.",
  ];
  const settled = [...decided.map((one) => found.get(one).id), dismissed.id];
  report.equal(
    "what is settled is open no more",
    settled.filter((id) => left.has(id)),
    [],
  );
  report.line(`  five decisions, one of each kind; ${left.size} contradictions are still open`);
}

/** Takes back what was stated and noted, so that the world is as before. */
export async function takeBack(on, ids, run) {
  for (const id of ids)
    if ((await on("memory", "get", id)).forgotten === null) await on("memory", "forget", id);
  await on("consolidate", "revert", run);
}
