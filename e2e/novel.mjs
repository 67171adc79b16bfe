// Builds the world of a novel as a worldbuilder would, asks who knows what, what was when, and what contradicts, and checks the
// answers: `node e2e/novel.mjs [FOLDER]`. The text comes from a package of npm or from FOLDER; without it nothing is checked.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cli, makeHome } from "./lib/app.mjs";
import { listAll, makeWorkspace, WORKSPACE } from "./lib/store.mjs";
import {
  addSecrets,
  addWorld,
  chapterName,
  chapterOf,
  limitPassages,
  NAMED_KNOWERS,
  writeVault,
} from "./novel/build.mjs";
import {
  addTrueNotes,
  lookAtNovel,
  lookAtWorld,
  plant,
  settle,
  suggestNames,
  takeBack,
} from "./novel/drift.mjs";
import { HELD, LOOKED_FOR, READ_UP_TO, RECALL, VALUES } from "./novel/questions.mjs";
import { ms, Report, timed } from "./novel/report.mjs";
import { SECRETS } from "./novel/secrets.mjs";
import { getNovel } from "./novel/text.mjs";

const report = new Report();
const at = (number) => `chapter ${number}`;

/** Imports the vault and adds what Markdown cannot say. Answers with the drifts of the world. */
async function build(home, on, chapters) {
  report.title("The world of the novel");
  const vault = join(home.path, "vault");
  mkdirSync(vault);
  const notes = writeVault(vault, chapters);
  const added = await timed(() => on("import", vault, "--format", "markdown"));
  report.line(
    `  ${notes} notes imported in ${ms(added.ms)}, ${Math.round((notes / added.ms) * 1_000)} a second`,
  );
  const counts = added.answer.plan.counts.map(({ kind, what, rows }) => `${kind} ${rows} × ${what}`);
  report.line(`  ${counts.join(", ")}`);
  for (const [name, { known_by }] of Object.entries(NAMED_KNOWERS)) {
    const { memory } = await on("subject", "show", name);
    report.check("an import reads who knows of a note", memory.knownBy.length === known_by.length);
  }
  await lookAtWorld(report, on, "without times", 0);
  const world = await timed(() => addWorld(on, home.path));
  report.line(`  ${world.answer} commands for times, relations, facts and knowers: ${ms(world.ms)}`);
  const dated = await lookAtWorld(report, on, "with times", 0);
  return dated;
}

/** Does a search show the secret to the knower at that chapter? */
async function knows(on, ids, { key, ask }, knower, number) {
  const { hits } = await on("search", ask, "--as", knower, "--at", at(number), "--limit", "200");
  return hits.some((hit) => hit.row.id === ids[key]);
}

async function askWhoKnows(on, ids) {
  report.title("Who knows what, from which chapter on");
  for (const secret of SECRETS) {
    const answers = [];
    for (const [knower, number] of Object.entries(secret.learns)) {
      const before = number > 1 && (await knows(on, ids, secret, knower, number - 1));
      const then = await knows(on, ids, secret, knower, number);
      report.check(`${knower} does not know "${secret.key}" at chapter ${number - 1}`, !before);
      report.check(`${knower} knows "${secret.key}" at chapter ${number}`, then);
      answers.push(`${knower} ${number}`);
    }
    for (const knower of secret.never)
      report.check(`${knower} never knows "${secret.key}"`, !(await knows(on, ids, secret, knower, 135)));
    report.line(`  ${secret.key}: ${answers.join(", ")}; never ${secret.never.join(", ")}`);
  }
}

/** The relation between two hidden subjects: is its text hidden with them, or does it need knowers of its own? */
async function hideRelation(on) {
  const [relation] = await on("link", "list", "Fedallah");
  const { hits } = await on("search", relation.content, "--as", "Starbuck", "--at", at(47), "--limit", "200");
  report.check(
    "a relation between two hidden subjects is hidden with them",
    hits.every((hit) => hit.row.id !== relation.id),
  );
  await on("link", "known-by", relation.id, "Ahab", "Crew of the Pequod@chapter 48", "Reader@chapter 48");
}

/** What is hidden has no trace in what somebody is shown. */
async function askOfHidden(on, ids) {
  const question = "Who is Fedallah, and who are the Stowaways?";
  for (const [knower, number, isShown] of [
    ["Starbuck", 47, false],
    ["Starbuck", 48, true],
    ["Peleg", 135, false],
  ]) {
    const lens = ["--as", knower, "--at", at(number)];
    const { markdown } = await on("orient", "--query", question, ...lens);
    const { hits } = await on("search", question, ...lens, "--limit", "200");
    const found = hits.map((hit) => JSON.stringify(hit));
    const traces = [markdown.split("\n"), found].map((lines) =>
      lines.some((line) => /Fedallah|Stowaways/.test(line)),
    );
    if (!isShown)
      for (const line of [...markdown.split("\n"), ...found])
        if (/Fedallah|Stowaways/.test(line)) report.line(`    ${line.slice(0, 300)}`);
    report.equal(`${knower} is shown Fedallah at chapter ${number}`, traces, [isShown, isShown]);
    const { rule } = await on("orient", "--query", question, ...lens, "--why", ids["hidden crew"]);
    report.line(
      `  ${knower} at chapter ${number}: Fedallah is ${isShown ? "shown" : "hidden"} (${rule ?? "taken"})`,
    );
  }
}

async function askTheReader(home, on, chapters) {
  report.title("The Reader, by the order of reading");
  for (const number of READ_UP_TO) {
    let shown = 0;
    for (const words of LOOKED_FOR) {
      const { hits } = await on("search", words, "--as", "Reader", "--at", at(number), "--limit", "200");
      const titles = hits.map((hit) => hit.row.title);
      const early = titles.map(chapterOf).filter((it) => it > number);
      shown += titles.length;
      report.equal(`a search at chapter ${number} shows nothing of later chapters`, early, []);
    }
    report.line(
      `  chapter ${number}: ${shown} hits of ${LOOKED_FOR.length} searches, none of a later chapter`,
    );
  }
  for (const number of [47, 100]) {
    const { answer: rows, ms: took } = await timed(() =>
      listAll(home, "--scope", "workspace", "--as", "Reader", "--at", at(number)),
    );
    const listed = rows.map((row) => chapterOf(row.title)).filter((it) => !Number.isNaN(it));
    const read = chapters
      .filter((it) => it.number <= number)
      .reduce((sum, it) => sum + it.passages.length, 0);
    report.equal(
      `the list at chapter ${number} has every passage up to there, and no other`,
      listed.length,
      read,
    );
    report.check(`the list at chapter ${number} has none of later chapters`, Math.max(...listed) <= number);
    report.line(`  the list at chapter ${number} has all ${read} passages (${ms(took)})`);
  }
  const flashback = async (...lens) => {
    const { hits } = await on("search", "Steelkilt and Radney", ...lens, "--limit", "200");
    return hits.some((hit) => chapterOf(hit.row.title) === 54);
  };
  report.equal(
    "what chapter 54 tells has happened by chapter 10, and the Reader does not know it yet",
    [await flashback("--at", at(10)), await flashback("--as", "Reader", "--at", at(10))],
    [true, false],
  );
  const order = await on("timeline", "chapters");
  const flashbacks = order.filter((it) => it.flashback).map((it) => it.row.name);
  report.equal("chapter 54 alone is a flashback", flashbacks, [chapterName(54)]);
}

async function askWhatWas(on) {
  report.title("What was held when");
  for (const [name, dates, expected] of HELD) {
    const then = new Set((await on("timeline", "list", "--within", dates)).map((it) => it.row.id));
    const held = (await on("link", "list", name))
      .filter((it) => it.outgoing && /^(holds|bears)/.test(it.relation) && then.has(it.id))
      .map((it) => it.other.name)
      .sort();
    report.equal(`${name} in ${dates}`, held, expected);
    report.line(`  ${name}, ${dates}: ${held.join(", ") || "nothing"}`);
  }
  for (const [category, key, dates, expected] of VALUES) {
    const values = (await on("fact", "get", category, key, "--within", dates)).map((it) => it.value);
    report.equal(`${category}/${key} in ${dates}`, values, expected);
    report.line(`  ${category}/${key}, ${dates}: ${values.join("; ")}`);
  }
  const age = await on("calendar", "age", "Ahab", "--at", "17 December, 1841");
  report.equal("the age of Ahab at his death", age.years, 58);
}

async function runRecallTests(home, on, ids) {
  report.title("Recall tests");
  for (const [question, knower, number, key, comes] of RECALL)
    await on(
      "recall",
      "add",
      question,
      comes ? "--expect" : "--never",
      ids[key],
      "--as",
      knower,
      "--at",
      at(number),
    );
  const run = async () => {
    const result = await cli(home, ["--workspace", WORKSPACE, "recall", "run"]);
    report.add(["recall", "run"], result.ms);
    return result;
  };
  const first = await run();
  report.equal("every recall test passes", first.code, 0);
  if (first.code !== 0) report.line(first.stdout);
  await on("link", "known-by", ids.musket, "--everybody");
  const leak = await run();
  report.equal("a secret that everybody knows fails a recall test", leak.code, 1);
  await on("memory", "undo");
  const after = await run();
  report.equal("the undo repairs it", after.code, 0);
  report.line(
    `  ${RECALL.length} tests: exit code ${first.code}, with a leak ${leak.code}, undone ${after.code}`,
  );
}

async function main() {
  const home = makeHome();
  try {
    const { chapters, reason } = getNovel(home.path, process.argv[2]);
    if (reason) {
      report.line(`skipped: ${reason}`);
      return true;
    }
    report.title("The bare novel, and what contradicts itself in it");
    await lookAtNovel(report, home, chapters, { sentences: false, limit: 0 });
    await suggestNames(report, home, ["Ahab", "Queequeg", "Starbuck", "Pequod", "Nantucket"]);
    await lookAtNovel(report, home, chapters, { sentences: true, limit: 0 });
    await makeWorkspace(home);
    const on = report.on(home, WORKSPACE);
    const dated = await build(home, on, chapters);
    report.title("Contradictions");
    const { noted, run } = await addTrueNotes(report, on, home, dated, 3);
    const planted = await plant(report, on, noted, 0);
    await settle(report, on, planted.found, noted[0]);
    await takeBack(on, planted.ids, run);
    await lookAtWorld(report, on, "after the statements are taken back", dated.length);
    const ids = await addSecrets(on);
    const limited = await timed(() => limitPassages(on, home.path));
    report.line(
      `  ${limited.answer.edited} passages given a time and the Reader by an export and an import: ${ms(limited.ms)}`,
    );
    const embedded = await timed(() => on("embed", "--all"));
    report.line(`  embedded in ${ms(embedded.ms)}`);
    await lookAtWorld(report, on, "with the Reader on every passage", dated.length);
    await hideRelation(on);
    await askWhoKnows(on, ids);
    await askOfHidden(on, ids);
    await askTheReader(home, on, chapters);
    await askWhatWas(on);
    await runRecallTests(home, on, ids);
    report.times();
    return report.close();
  } finally {
    await home.remove();
  }
}

process.exitCode = (await main()) ? 0 : 1;
