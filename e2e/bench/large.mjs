// A large world for the timeline and the graph, as a file to import.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../lib/app.mjs";
import { makeWorkspace, WORKSPACE } from "../lib/store.mjs";
import { idOf } from "../lib/transfer.mjs";
import { keptFolder } from "./data.mjs";

export const EVENTS = 5_000;
export const CHAPTERS = 500;
export const RELATIONS = 10_000;
const KINDS = ["event", "character", "place", "faction", "item", "culture", "rule", "concept"];
/** Subjects that are mostly related to one another. */
const VILLAGE = 50;
const YEARS = 100;
const YEAR = 365;
const AT = "2026-01-02T03:04:05.000000Z";

const CALENDAR = {
  months: Array.from({ length: 12 }, (_, n) => ({ name: `Month ${n + 1}`, days: n < 7 ? 30 : 31 })),
  eras: [{ name: "after the Flood", short: "AF", anchor: 0, first_number: 1, counting: "forward" }],
  week: { days: [{ name: "Ebb" }, { name: "Flood" }], restart: "never" },
  moons: [],
  hours_per_day: 24,
  minutes_per_hour: 60,
};

const entry = (n) => ({
  id: idOf(7, n),
  scope: "workspace",
  lifetime: "long_term",
  curator: "author",
  kind: "note",
  importance: 0.5,
  source: "author",
  version: 1,
  written_by: "author",
  created_at: AT,
  accessed_at: AT,
  updated_at: AT,
  content: "",
});

/** The number of a day, as story time is stored. */
const moment = (day) => day * 10_000;

const event = (_, n) => {
  const day = (n * 7_919) % (YEARS * YEAR);
  const span = { holds_from: moment(day), holds_until: moment(day + (n % 60)) };
  return { ...entry(n), name: `Subject ${n + 1}`, subject: KINDS[n % KINDS.length], ...span };
};

const chapter = (_, n) => {
  const days = (YEARS * YEAR) / CHAPTERS;
  const span = { holds_from: moment(n * days), holds_until: moment((n + 1) * days - 1) };
  return {
    ...entry(EVENTS + n),
    name: `Chapter ${n + 1}`,
    subject: "chapter",
    reading_number: n + 1,
    ...span,
  };
};

function relations() {
  let state = 42;
  const below = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const known = new Map();
  while (known.size < RELATIONS) {
    const from = below(EVENTS);
    // A few subjects have to do with everything.
    const to = below(4) > 0 ? from - (from % VILLAGE) + below(VILLAGE) : below(1 + below(EVENTS));
    if (from !== to) known.set(`${from} ${to}`, [from, to]);
  }
  return [...known.values()].map(([from, to], n) => ({
    ...entry(EVENTS + CHAPTERS + n),
    content: `Subject ${from + 1} knows Subject ${to + 1}.`,
    relation: "knows",
    links: [
      { id: idOf(7, from), role: "from" },
      { id: idOf(7, to), role: "to" },
    ],
  }));
}

/** Gives `home` a workspace with that world and a calendar for its dates. No model computes vectors in the background. */
export async function fillLarge(home) {
  const nothing = join(home.path, "no-models");
  mkdirSync(nothing);
  Object.assign(home.env, { INKLINGS_RESOURCES: nothing, HF_ENDPOINT: "http://127.0.0.1:9" });
  await keptFolder(home, "large", () => make(home));
}

async function make(home) {
  await makeWorkspace(home);
  const write = (name, value) => {
    const path = join(home.path, name);
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  const calendar = write("calendar.json", CALENDAR);
  await ask(home, "--workspace", WORKSPACE, "calendar", "add", "Years", "--file", calendar);
  const world = write("large.json", {
    schema_version: 1,
    exported_at: AT,
    scope: { account: true, workspace: true },
    channels: [{ id: "default", name: "general" }],
    conversations: [],
    messages: [],
    episodes: [],
    facts: [],
    scratchpads: [],
    memories: relations(),
    named_entries: [...Array.from({ length: EVENTS }, event), ...Array.from({ length: CHAPTERS }, chapter)],
  });
  await ask(home, "--workspace", WORKSPACE, "import", world, "--pick-all");
}
