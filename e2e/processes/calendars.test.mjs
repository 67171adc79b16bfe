// Calendars, times in the story and chapters through the command line, and through an export into the next installation.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cli } from "../lib/app.mjs";
import { errorOf, installation, WORKSPACE } from "../lib/store.mjs";

const COAST = {
  months: [
    { name: "Thaw", days: 30 },
    { name: "Seed", days: 30 },
    { name: "Midsummer", days: 1, intercalary: true, in_week: false },
    { name: "Grain", days: 30 },
  ],
  week: { days: [{ name: "Ebb" }, { name: "Flood" }], restart: "never" },
  eras: [
    { name: "before the Dry", short: "BD", anchor: 0, first_number: 1, counting: "backward" },
    { name: "after the Dry", short: "AD", anchor: 1, first_number: 1, counting: "forward" },
  ],
  moons: [{ name: "Ash", cycle: 9_500_000 }],
  hours_per_day: 20,
  minutes_per_hour: 50,
};

/** A calendar, a character that lives in it, and two chapters of which the second happens first. */
async function world(t) {
  const made = await installation(t);
  const { home, on } = made;
  const file = join(home.path, "coast.json");
  writeFileSync(file, JSON.stringify(COAST));
  await on("calendar", "add", "Coast", "--file", file);
  await on("subject", "set", "Mira", "character");
  await on("timeline", "set", "Mira", "3 Seed, 288 –");
  for (const [name, dates, number] of [
    ["The Flood", "Midsummer, 312 AD", "1"],
    ["Before", "Thaw – Seed, 10 BD", "2"],
  ]) {
    await on("subject", "set", name, "chapter");
    await on("timeline", "set", name, dates, "--reading", number);
  }
  return { ...made, file };
}

const timeline = async (on, ...args) =>
  (await on("timeline", "list", ...args)).map(({ row, time }) => [row.name ?? row.preview, time.text]);
const chapters = async (on) =>
  (await on("timeline", "chapters")).map((it) => [it.readingNumber, it.row.name, it.flashback]);

test("a calendar reads and writes dates, and the timeline is in the order of the story", async (t) => {
  const { on } = await world(t);
  const all = [
    ["Before", "Thaw – Seed, 10 before the Dry"],
    ["Mira", "3 Seed, 288 after the Dry –"],
    ["The Flood", "Midsummer, 312 after the Dry"],
  ];
  assert.deepEqual(await timeline(on), all);
  assert.deepEqual(await timeline(on, "--within", "300 –"), all.slice(1));
  assert.deepEqual(await timeline(on, "--kind", "chapter"), [all[0], all[2]]);
  assert.deepEqual(await chapters(on), [
    [1, "The Flood", false],
    [2, "Before", true],
  ]);
  const reading = await on("calendar", "date", "14 thaw 312");
  assert.equal(reading.time.text, "14 Thaw, 312 after the Dry");
  assert.deepEqual([reading.weekday, reading.moons], ["Flood", [{ name: "Ash", phase: "full" }]]);
  assert.equal((await on("calendar", "age", "Mira", "--at", "2 Seed, 298")).years, 9);
});

test("the timeline is exported as CSV, with what a comma or a quote in a text needs", async (t) => {
  const { home, on } = await world(t);
  const note = await on("memory", "add", "--scope", "workspace", 'The "old" bridge, of oak.');
  await on("timeline", "set", note.detail.row.id, "– 311");
  const { code, stdout } = await cli(home, ["--workspace", WORKSPACE, "timeline", "list", "--csv"]);
  assert.equal(code, 0);
  const lines = stdout.trim().split(/\r?\n/);
  assert.equal(lines[0], "id,name,kind,reading_number,from,until,dates,scope,channel,text");
  assert.equal(lines.length, 5);
  assert.match(
    lines[1],
    /^[0-9a-f-]{36},,,,,-?\d+,– 311 after the Dry,workspace,,"The ""old"" bridge, of oak\."$/,
  );
  assert.match(lines[2], /,Before,chapter,2,-?\d+,-?\d+,"Thaw – Seed, 10 before the Dry",workspace,,$/);
});

test("a calendar that changes keeps every day, and undo brings the dates back", async (t) => {
  const { home, on, file } = await world(t);
  const before = await on("timeline", "list");
  const months = COAST.months.map((month) => (month.name === "Thaw" ? { ...month, days: 20 } : month));
  writeFileSync(file, JSON.stringify({ ...COAST, months }));
  await on("calendar", "define", "Coast", file);
  const after = await on("timeline", "list");
  const days = (rows) => rows.map(({ time }) => [time.from, time.until]);
  assert.deepEqual(days(after), days(before));
  assert.notDeepEqual(
    await timeline(on),
    before.map(({ row, time }) => [row.name, time.text]),
  );
  await on("memory", "undo");
  assert.deepEqual(await on("calendar", "show", "Coast"), await on("calendar", "show"));
  assert.deepEqual(
    (await on("timeline", "list")).map(({ time }) => time.text),
    before.map(({ time }) => time.text),
  );
  const refused = await cli(home, ["--workspace", WORKSPACE, "subject", "unset", "Coast"]);
  assert.equal(refused.code, 1);
});

test("calendars, times and chapters go through an export unchanged", async (t) => {
  const { home, on } = await world(t);
  const note = await on("memory", "add", "--scope", "workspace", "The bridge stands.");
  await on("timeline", "set", note.detail.row.id, "– 311");
  const file = join(home.path, "out.json");
  await on("export", file);
  const next = await installation(t);
  await next.on("import", file);
  assert.deepEqual(await timeline(next.on), await timeline(on));
  assert.deepEqual(await chapters(next.on), await chapters(on));
  assert.deepEqual(await next.on("calendar", "show", "Coast"), await on("calendar", "show", "Coast"));
  const again = join(home.path, "again.json");
  await next.on("export", again);
  const onceMore = await installation(t);
  await onceMore.on("import", again);
  assert.deepEqual(await timeline(onceMore.on), await timeline(on));
});

test("wrong calendars, dates and files are refused with their place and without their words", async (t) => {
  const { home, on, file } = await world(t);
  const bad = async (tells, ...args) => {
    const { code, stderr, stdout } = await cli(home, ["--workspace", WORKSPACE, ...args]);
    assert.notEqual(code, 0, args.join(" "));
    const text = stderr + stdout;
    assert.ok(text.toLowerCase().includes(tells), `${args.join(" ")}: ${text}`);
    assert.ok(!text.includes("Ymber"), text);
  };
  await bad("ends before it starts", "timeline", "set", "Mira", "5 Seed, 290 – 3 Seed, 288");
  await bad("characters 3 to 7", "timeline", "set", "Mira", "3 Ymber, 288");
  await bad("there is no calendar", "timeline", "set", "Mira", "3 Seed", "--calendar", "Elvish");
  await bad("already", "calendar", "add", "Coast", "--preset", "Gregorian");
  for (const [text, tells] of [
    ["{", "no json"],
    ['{"months": []}', "defines no calendar"],
    [JSON.stringify({ ...COAST, months: [] }), "months"],
    [JSON.stringify({ ...COAST, ymber: "Ymber" }), "defines no calendar"],
    [
      JSON.stringify({
        ...COAST,
        months: [
          { name: "Thaw", days: 30 },
          { name: "thaw", days: 3 },
        ],
      }),
      "already used",
    ],
  ]) {
    writeFileSync(file, text);
    await bad(tells, "calendar", "define", "Coast", file);
  }
  const args = ["--workspace", WORKSPACE, "--json", "timeline", "set", "Mira", "3 Ymber, 288"];
  assert.equal(errorOf(await cli(home, args)).code, "invalid");
  assert.deepEqual((await timeline(on)).length, 3);
});

test("a file with times that break a rule is refused with the line and the field", async (t) => {
  const { home, on } = await world(t);
  const file = join(home.path, "world.json");
  await on("export", file);
  const whole = JSON.parse(readFileSync(file, "utf8"));
  const at = (name) => whole.named_entries.findIndex((entry) => entry.name === name);
  const [chapter, calendar] = [at("The Flood"), at("Coast")];
  const wrongs = [
    [chapter, (entry) => (entry.holds_until = entry.holds_from - 10_000), "holds_until"],
    [chapter, (entry) => (entry.holds_from = 58_641), "holds_from"],
    [chapter, (entry) => (entry.holds_from = "5 Thaw"), "holds_from"],
    [chapter, (entry) => (entry.reading_number = 4_294_967_296), "reading_number"],
    [chapter, (entry) => (entry.reading_number = 0), "reading_number"],
    [chapter, (entry) => delete entry.subject, "reading_number"],
    [calendar, (entry) => delete entry.subject, "subject"],
    [calendar, (entry) => (entry.calendar.months[0].days = 10_001), "calendar"],
    [calendar, (entry) => (entry.calendar.months[0].name = "a\u202eb"), "calendar"],
    [calendar, (entry) => (entry.calendar.more = 1), "calendar"],
    [calendar, (entry) => (entry.calendar = "Coast"), "calendar"],
  ];
  const next = await installation(t);
  for (const [n, spoil, field] of wrongs) {
    const bad = structuredClone(whole);
    spoil(bad.named_entries[n]);
    writeFileSync(file, JSON.stringify(bad, null, 2));
    const result = await cli(next.home, ["--json", "--workspace", WORKSPACE, "import", file]);
    assert.equal(result.code, 1, `${field}: ${spoil}`);
    assert.match(errorOf(result).message, new RegExp(`^Line \\d+, ${field}`), `${spoil}`);
  }
  assert.deepEqual(await next.on("timeline", "list"), []);
});

test("a scrub of a name destroys a calendar that has it as a month", async (t) => {
  const { on } = await world(t);
  const before = await on("timeline", "list");
  const scrub = await on("scrub", "subject", "Grain", "--mode", "full");
  await on("scrub", "subject", "Grain", "--mode", "full", "--execute", scrub.hash, "--phrase", scrub.phrase);
  assert.deepEqual(await on("calendar", "list"), []);
  // The times stay, and read as the numbers of their days.
  const after = await on("timeline", "list");
  assert.deepEqual(
    after.map(({ time }) => [time.from, time.until]),
    before.map(({ time }) => [time.from, time.until]),
  );
  assert.match(after[0].time.text, /^day -?\d+ – day -?\d+$/);
});

/** A key with two values, each at a time of its own. */
async function ruled(t) {
  const made = await world(t);
  await made.on("fact", "set", "Ambry", "ruler", "Aldous");
  await made.on("fact", "set-time", "Ambry", "ruler", "– 311");
  await made.on("fact", "set", "Ambry", "ruler", "Bera", "--holds", "312 –");
  return made;
}

const values = (facts) => facts.map(({ value, storyTime }) => [value, storyTime?.text ?? null]);

test("a fact has a value at each time, and two values never hold at one time", async (t) => {
  const { home, on } = await ruled(t);
  const both = [
    ["Aldous", "– 311 after the Dry"],
    ["Bera", "312 after the Dry –"],
  ];
  assert.deepEqual(values(await on("fact", "get", "Ambry", "ruler")), both);
  assert.deepEqual(values((await on("fact", "list")).rows), both);
  assert.deepEqual(values((await on("fact", "list", "--within", "4 Grain, 311")).rows), [both[0]]);
  assert.deepEqual(values(await on("fact", "get", "Ambry", "ruler", "--within", "1 Thaw, 312")), [both[1]]);
  const refused = async (tells, ...args) => {
    const result = await cli(home, ["--json", "--workspace", WORKSPACE, "fact", ...args]);
    assert.equal(errorOf(result).code, "invalid", args.join(" "));
    assert.match(errorOf(result).message, tells);
    assert.ok(!`${result.stdout}${result.stderr}`.includes("Aldous"), args.join(" "));
  };
  await refused(/say at which time/, "set", "Ambry", "ruler", "Cord");
  await refused(/another value/i, "set", "Ambry", "ruler", "Cord", "--holds", "Grain, 311 – 315");
  await refused(/another value/i, "set-time", "Ambry", "ruler", "", "--within", "312");
  await refused(/say at which time/, "remove", "Ambry", "ruler");
  const { fact, claimed } = await on(
    "fact",
    "set",
    "Ambry",
    "ruler",
    "Cord",
    "--holds",
    "320",
    "--curator",
    "agent",
  );
  assert.deepEqual([claimed, fact.value, fact.claims.length], [true, "Bera", 1]);
  await on("fact", "remove", "Ambry", "ruler", "--within", "312");
  await on("fact", "set-time", "Ambry", "ruler", "");
  assert.deepEqual(values(await on("fact", "get", "Ambry", "ruler")), [["Aldous", null]]);
  const history = await on("fact", "history", "Ambry", "ruler");
  assert.deepEqual(values(history), [
    ["Aldous", null],
    ["Aldous", "– 311 after the Dry"],
    ["Aldous", null],
  ]);
  const accept = ["fact", "settle", fact.claims[0].id, "accept"];
  assert.match(
    errorOf(await cli(home, ["--json", "--workspace", WORKSPACE, ...accept])).message,
    /another value/i,
  );
});

test("the times of facts go through an export unchanged, and a merge leaves what holds here", async (t) => {
  const { home, on } = await ruled(t);
  const file = join(home.path, "out.json");
  await on("export", file);
  const next = await installation(t);
  await next.on("import", file);
  assert.deepEqual(values((await next.on("fact", "list")).rows), values((await on("fact", "list")).rows));
  const again = join(home.path, "again.json");
  await next.on("export", again);
  // Whose word a value is has to be vouched for.
  const times = ({ value, holds_from, holds_until, values: earlier = [] }) => [
    [value, holds_from, holds_until],
    ...earlier.map((it) => [it.value, it.holds_from, it.holds_until]),
  ];
  const facts = (path) => JSON.parse(readFileSync(path, "utf8")).facts.map(times);
  assert.deepEqual(facts(again), facts(file));
  assert.deepEqual(facts(file)[0][1], ["Aldous", undefined, undefined], "it held always, as Bera does now");
  const other = await installation(t);
  await other.on("calendar", "add", "Common", "--preset", "Gregorian");
  await other.on("fact", "set", "ambry", "RULER", "Dunne", "--holds", "1 January, 1 AD");
  await other.on("import", file);
  const left = values((await other.on("fact", "list")).rows).map(([value]) => value);
  assert.deepEqual(left, ["Dunne", "Bera"], "Aldous held on that day");
  const bad = JSON.parse(readFileSync(file, "utf8"));
  bad.facts.find((fact) => fact.value === "Bera").holds_until = 0;
  writeFileSync(file, JSON.stringify(bad, null, 2));
  const result = await cli(next.home, ["--json", "--workspace", WORKSPACE, "import", file]);
  assert.match(errorOf(result).message, /^Line \d+, holds_until/);
});
