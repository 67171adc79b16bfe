// A world with something for every verb to change, and every verb of the command line that writes.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ask, binaries, cli, makeHome } from "../../lib/app.mjs";
import { addClient, call, EVERYTHING, overStdio } from "../../lib/mcp.mjs";
import { add, makeWorkspace, memory, WORKSPACE } from "../../lib/store.mjs";
import { writeOwn } from "../../lib/transfer.mjs";
import { makeTurns, writeJsonl } from "../../lib/turns.mjs";
import { buildLibrary } from "./faults.mjs";
import { copyOf } from "./kill.mjs";
import { bySize, choose, numbers } from "./random.mjs";

export const ELSEWHERE = "Elsewhere";
export const CLIENT = "Ada";

/** A home without a model, which most verbs have no use for and which takes long to load. */
export function bareHome() {
  const home = makeHome();
  home.env.INKLINGS_RESOURCES = home.path;
  home.env.INKLINGS_SECRETS = "file";
  return home;
}

const chatExport = [
  {
    uuid: "0190bbbb-0000-7000-8000-000000000001",
    name: "The weir",
    created_at: "2026-01-02T03:04:05.000000Z",
    updated_at: "2026-01-02T03:05:05.000000Z",
    chat_messages: ["How deep is the weir?", "Nine feet in spring."].map((text, n) => ({
      uuid: `0190bbbb-0000-7000-8000-00000000001${n}`,
      text,
      sender: n ? "assistant" : "human",
      created_at: `2026-01-02T03:04:1${n}.000000Z`,
      updated_at: `2026-01-02T03:04:1${n}.000000Z`,
    })),
  },
];

/**
 * The world that every point begins with, and the ids in it. Files for the verbs lie in `files`. It is kept beside the
 * library for this build of the program: making it takes as long as a dozen points.
 */
export async function makeWorld() {
  const { size, mtimeMs } = statSync(binaries.cli);
  const source = readFileSync(fileURLToPath(import.meta.url));
  const key = createHash("sha256").update(`${size} ${mtimeMs}`).update(source).digest("hex").slice(0, 16);
  const kept = join(dirname(buildLibrary()), `world-${key}`);
  if (!existsSync(kept)) {
    for (const name of readdirSync(dirname(kept)))
      if (name.startsWith("world-")) rmSync(join(dirname(kept), name), { recursive: true, force: true });
    const { home, ...rest } = await buildWorld();
    const part = `${kept}.${process.pid}`;
    for (const name of ["inklings-data", "files", "home"])
      cpSync(join(home.path, name), join(part, name), { recursive: true });
    writeFileSync(join(part, "world.json"), JSON.stringify(rest));
    renameSync(part, kept);
    await home.remove();
  }
  const home = bareHome();
  for (const name of ["inklings-data", "files", "home"])
    cpSync(join(kept, name), join(home.path, name), { recursive: true });
  return { home, ...JSON.parse(readFileSync(join(kept, "world.json"), "utf8")) };
}

async function buildWorld() {
  const home = bareHome();
  await makeWorkspace(home);
  const on = (...args) => ask(home, "--workspace", WORKSPACE, ...args);
  await ask(home, "workspace", "create", ELSEWHERE);
  await ask(
    home,
    "--workspace",
    ELSEWHERE,
    "memory",
    "add",
    "--scope",
    "workspace",
    "Elsewhere has its own.",
  );
  await memory(home, "add", "--scope", "account", "A habit from before.");
  const ids = {};
  for (const name of ["edited", "forgotten", "pinned", "unpinned", "doomed", "kept"])
    ids[name] = await add(home, `The ${name} stone of Veyra ${"stands by the river ".repeat(20)}`);
  ids.back = await add(home, "The stone that comes back.");
  await memory(home, "forget", ids.back);
  await memory(home, "pin", ids.unpinned);
  for (let n = 0; n < 6; n++)
    await add(
      home,
      `The ferry ${n % 3} of Calin opens its ${n < 3 ? "north" : "North"} door at dawn.`,
      "--curator",
      "agent",
    );
  for (const name of ["Plot", "Maps", "Old", "Gone"]) await on("channel", "create", name);
  await on("channel", "archive", "Old");
  await memory(home, "add", "--scope", "channel", "--channel", "Gone", "What the channel held.");
  const conversations = {};
  for (const name of ["said", "ended", "moved", "deleted", "long"]) {
    conversations[name] = (await on("conversation", "start", "--title", name)).refCode;
    const count = name === "long" ? 12 : 2;
    for (let n = 0; n < count; n++)
      await on("conversation", "say", conversations[name], "--no-answer", `Word ${n} of the ${name} talk.`);
  }
  conversations.quiet = (await on("conversation", "start", "--title", "quiet")).refCode;
  await on("scratchpad", "write", conversations.said, "plan", '{"a":1}', "--ttl", "86400");
  await on("fact", "set", "weir", "depth", "nine feet");
  await on("fact", "set", "weir", "keeper", "Odile");
  await on("fact", "set", "weir", "keeper", "Tobin", "--curator", "agent");
  const { rows } = await on("fact", "list");
  ids.claim = rows.flatMap((row) => row.claims ?? []).map((claim) => claim.id)[0];
  await on("saved-search", "add", "Stones", "stone");
  ids.recall = (await on("recall", "add", "Which stone is kept?", "--expect", ids.kept)).id;
  await on("fact", "set", "Odile", "age", "34");
  await on("memory", "add", "--scope", "workspace", "Odile is 36 years old.");
  ids.drift = (await on("drift", "list")).rows[0].id;
  await on("named", "add", "Calendar", "Thirteen months.");
  await on("named", "add", "Almanac", "Twelve months.");
  await on("subject", "set", "Odile", "character");
  await on("subject", "set", "Weir", "place");
  await on("calendar", "add", "Reckoning", "--preset", "Gregorian");
  await on("timeline", "set", "Weir", "700");
  ids.related = (await on("link", "add", "Weir", "lies below the house of", "Odile")).detail.row.id;
  const client = await addClient(home, CLIENT, { allow: EVERYTHING, join: ["general", "Plot"] });
  ids.token = client.token;
  for (const conversation of [conversations.said, conversations.long])
    await ask(home, "client", "grant", CLIENT, "--join-conversation", conversation);
  const mcp = await overStdio(home, CLIENT);
  ids.observed = (
    await call(mcp, "memory_put", { tier: "workspace", content: "Lamp moths gather at the toll house." })
  ).id;
  ids.fading = (
    await call(mcp, "memory_put", { tier: "workspace", content: "Ysolde copied the salt tax rolls." })
  ).id;
  for (const id of [ids.kept, ids.doomed])
    await call(mcp, "proposal_create", {
      kind: "edit",
      ids: [id],
      content: "Another text.",
      reason: "it is newer",
    });
  await mcp.close();
  [ids.accepted, ids.rejected] = (await on("proposal", "list")).rows.map(({ id }) => id);
  ids.backup = (await ask(home, "backup", "now")).id;
  ids.oldBackup = (await ask(home, "backup", "now")).id;
  await add(home, "Written since the backup.");
  const files = join(home.path, "files");
  mkdirSync(files);
  writeJsonl(join(files, "turns.jsonl"), makeTurns(300));
  writeOwn(join(files, "own.json"), { account: 20, workspace: 30, messages: 30 });
  writeFileSync(join(files, "conversations.json"), JSON.stringify(chatExport));
  const calendar = await on("calendar", "show", "Reckoning");
  calendar.months[0].days = 30;
  writeFileSync(join(files, "calendar.json"), JSON.stringify(calendar));
  for (const name of ["One", "Two"])
    await ask(home, "file", "add", join(files, "one.mem"), name, `The text of ${name}.`);
  for (const name of ["notes", "more"]) {
    mkdirSync(join(files, name));
    writeFileSync(join(files, name, "Weir.md"), `The weir of the ${name}.`);
  }
  await on("vault", "link", join(files, "notes"));
  const scrub = await on("scrub", "channel", "Gone", "--mode", "full");
  return { home, ids, conversations, scrub };
}

/**
 * Every verb that writes, as `[name, args]`, in the order of the help. `below: "files"` writes outside the data folder. What
 * `job` names goes on behind the verb, and is finished by whoever runs it next. A verb of `steps` is whole
 * when it was run again, one that `resumes` goes on then (processes/consolidation-kill.test.mjs says with what). One that `takesMore` also works on the
 * write behind the fault when it is run again. `todo` is a fault that is known.
 * What a verb is given: the ids, the conversations, a file of the home that it runs in, and the scrub's manifest.
 */
export const VERBS = [
  ["workspace create", () => ["Third"]],
  ["workspace rename", () => [ELSEWHERE, "Farther"]],
  ["workspace memory", () => ["off"]],
  ["model own", () => ["on"]],
  ["workspace delete", () => [ELSEWHERE]],
  ["workspace delete", () => [ELSEWHERE, "--purge"]],
  ["memory add", () => ["--scope", "workspace", "A new stone."]],
  ["memory add", () => ["--scope", "account", "A new habit."]],
  ["memory add", () => ["--scope", "channel", "--channel", "Plot", "The abbess drowns."]],
  ["memory import-jsonl", ({ file }) => ["--scope", "workspace", file("turns.jsonl")]],
  ["memory edit", ({ ids }) => [ids.edited, "--content", "The edited stone has moved."]],
  ["memory forget", ({ ids }) => [ids.forgotten]],
  ["memory restore", ({ ids }) => [ids.back]],
  ["memory pin", ({ ids }) => [ids.pinned]],
  ["memory unpin", ({ ids }) => [ids.unpinned]],
  ["memory move", ({ ids }) => [ids.edited, "--scope", "channel", "--channel", "Plot"]],
  ["memory move", ({ ids }) => [ids.edited, "--scope", "account"]],
  // The two worlds have no common commit: cut off in between it is in both, and the same move completes it.
  ["memory move", ({ ids }) => [ids.edited, "--world", ELSEWHERE], { steps: true }],
  ["memory strategy", () => ["rrf"]],
  ["memory undo", () => []],
  ["channel create", () => ["New"]],
  ["channel rename", () => ["Maps", "Charts"]],
  ["channel describe", () => ["Maps", "Where things are"]],
  ["channel archive", () => ["Maps"]],
  ["channel restore", () => ["Old"]],
  ["channel delete", () => ["Gone", "--into", "Maps"]],
  ["conversation start", () => ["--title", "fresh"]],
  ["conversation say", ({ conversations }) => [conversations.said, "--no-answer", "One word more."]],
  [
    "conversation say",
    ({ conversations, file }) => [
      conversations.said,
      "--no-answer",
      "As it stands here.",
      "--attach",
      file("calendar.json"),
    ],
  ],
  ["conversation idle", ({ conversations }) => [conversations.ended], { job: "persist" }],
  ["conversation archive", ({ conversations }) => [conversations.ended], { job: "persist" }],
  ["conversation continue", ({ conversations }) => [conversations.ended], { job: "persist" }],
  ["conversation branch", ({ conversations }) => [conversations.long, "--at", "3"]],
  ["conversation lens", ({ conversations }) => [conversations.quiet, "--as", "Odile"]],
  ["conversation rename", ({ conversations }) => [conversations.said, "Another title"]],
  ["conversation model", ({ conversations }) => [conversations.said]],
  ["conversation move", ({ conversations }) => [conversations.moved, "Plot"]],
  ["conversation delete", ({ conversations }) => [conversations.deleted, "--yes"], { job: "persist" }],
  ["conversation import", ({ file }) => [file("conversations.json")]],
  ["conversation compact", ({ conversations }) => [conversations.long, "--retain", "4"]],
  [
    "conversation episodes",
    ({ conversations }) => [conversations.long, "--summarise", "--retain-last", "4", "--max-age-days", "0"],
  ],
  ["scratchpad write", ({ conversations }) => [conversations.said, "second", '["b"]']],
  ["scratchpad read", ({ conversations }) => [conversations.said, "plan"]],
  ["scratchpad clear", ({ conversations }) => [conversations.said, "plan"]],
  ["fact set", () => ["weir", "depth", "ten feet"]],
  ["fact set", () => ["weir", "depth", "two feet", "--curator", "agent"]],
  ["fact set-time", () => ["weir", "depth", "3 May, 812 –"]],
  ["fact known-by", () => ["weir", "depth", "Odile"]],
  ["fact remove", () => ["weir", "depth"]],
  ["fact settle", ({ ids }) => [ids.claim, "accept"]],
  ["chat connect", () => ["--url", "http://127.0.0.1:9/v1", "--model", "none"]],
  ["chat disconnect", () => []],
  ["named write", () => ["VOICE", "Dry, and never cruel."]],
  ["named add", () => ["Mira", "The smith."]],
  ["named rename", () => ["Calendar", "The Year"]],
  ["named alias", () => ["Calendar", "Months"]],
  ["named remove", () => ["Almanac"]],
  ["subject set", () => ["Veyra", "place"]],
  ["subject set", () => ["Almanac", "item"]],
  ["subject unset", () => ["Odile"]],
  ["link add", () => ["Odile", "keeps", "Weir"]],
  ["link about", ({ ids }) => [ids.edited, "Odile", "Weir"]],
  ["link known-by", ({ ids }) => [ids.edited, "Odile"]],
  ["link remove", ({ ids }) => [ids.related]],
  ["calendar add", () => ["Court", "--preset", "Gregorian"]],
  ["calendar define", ({ file }) => ["Reckoning", file("calendar.json")]],
  ["timeline set", () => ["Odile", "3 May, 812 –"]],
  ["timeline unset", () => ["Weir"]],
  ["vault link", ({ file }) => [file("more"), "--no-sync"]],
  ["vault unlink", () => ["notes"]],
  ["consolidate run", () => [], { job: "consolidate", resumes: true }],
  ["proposal accept", ({ ids }) => [ids.accepted]],
  ["proposal reject", ({ ids }) => [ids.rejected]],
  ["recall add", ({ ids }) => ["Which stone moved?", "--expect", ids.edited, "--never", ids.doomed]],
  ["recall run", () => []],
  ["recall remove", ({ ids }) => [ids.recall]],
  ["saved-search add", () => ["Weirs", "weir", "--scope", "workspace"]],
  ["saved-search rename", () => ["Stones", "All stones"]],
  ["saved-search remove", () => ["Stones"]],
  ["drift list", () => []],
  ["drift settle", ({ ids }) => [ids.drift, "canon-stands"], { steps: true }],
  ["schedule run", () => ["persist"], { job: "persist", resumes: true }],
  ["backup now", () => []],
  ["backup check", ({ ids }) => [ids.backup]],
  ["backup restore", ({ ids }) => [ids.backup]],
  ["backup purge", ({ ids }) => [ids.oldBackup]],
  [
    "scrub channel",
    ({ scrub }) => ["Gone", "--mode", "full", "--execute", scrub.hash, "--phrase", scrub.phrase],
  ],
  // Memories and messages are two transactions each batch; it goes on where it stopped.
  ["embed", () => [], { model: true, steps: true, takesMore: true }],
  [
    "mcp install",
    ({ file }) => ["claude-code", "--project", file("."), "--name", "Cleo", "--yes"],
    { below: "files" },
  ],
  ["client add", () => ["Brin"]],
  ["client grant", () => [CLIENT, "--deny", "propose"]],
  ["client revoke", () => [CLIENT]],
  ["client token", () => [CLIENT]],
  ["client undo", () => [CLIENT], { steps: true }],
  ["export", ({ file }) => [file("out.json")], { below: "files" }],
  ["import", ({ file }) => [file("own.json")]],
  ["file add", ({ file }) => [file("one.mem"), "Three", "A third."], { below: "files" }],
  ["file rename", ({ file }) => [file("one.mem"), "One", "First"], { below: "files" }],
  ["file alias", ({ file }) => [file("one.mem"), "One", "Uno"], { below: "files" }],
  ["file write", ({ file }) => [file("one.mem"), "One", "Another text."], { below: "files" }],
  ["file remove", ({ file }) => [file("one.mem"), "Two"], { below: "files" }],
  ["doctor", () => ["--repair"]],
].map(([name, args, options = {}]) => ({ name, args, ...options }));

/**
 * The verbs that a test goes through: all without a known fault, so many in `make test`, the same ones for the same seed.
 * `VERB=...` chooses by the beginning of the name.
 */
export const chosenVerbs = (name, sample) => {
  const sound = VERBS.filter(({ todo }) => !todo);
  if (process.env.VERB) return sound.filter((verb) => verb.name.startsWith(process.env.VERB));
  return choose(numbers(name), sound.length, bySize(sample, sound.length, sound.length)).map(
    (n) => sound[n - 1],
  );
};

/** Verbs that only read, and those that want what no test here has. */
export const OTHERS = {
  reads: [
    ...[
      "search",
      "workspace list",
      "memory list",
      "memory search",
      "memory get",
      "memory history",
      "channel list",
    ],
    ...["conversation list", "conversation show", "conversation context", "conversation search"],
    ...[
      "scratchpad list",
      "fact get",
      "fact list",
      "fact history",
      "chat status",
      "chat tokens",
      "model list",
      "model status",
    ],
    ...[
      "named list",
      "named show",
      "subject list",
      "subject suggest",
      "subject graph",
      "subject show",
      "link list",
      "calendar list",
      "calendar show",
      "calendar date",
      "calendar age",
      "timeline list",
      "timeline chapters",
      "orient",
      "vault list",
      "vault status",
      "vault pages",
      "vault page",
      "memory promote",
      "recall list",
      "saved-search list",
      "saved-search run",
      "telemetry list",
      "telemetry search",
      "telemetry show",
      "telemetry metrics",
      "consolidate preview",
      "consolidate list",
      "consolidate show",
    ],
    "completions",
    ...["proposal list", "schedule status", "backup list", "backup damaged", "audit list", "audit verify"],
    ...[
      "client list",
      "client shown",
      "client changes",
      "client snippets",
      "conversation shown",
      "file open",
      "file search",
      "file show",
    ],
  ],
  // The same use case as another verb here, with another target.
  twins: {
    "scrub conversation": "scrub channel",
    "scrub workspace": "scrub channel",
    "scrub account": "scrub channel",
    "scrub memory": "scrub channel",
    "scrub subject": "scrub channel",
    "scrub purge": "scrub channel",
  },
  elsewhere: {
    "backup begin-anew": "it wants an account whose database is missing: processes/damage.test.mjs",
    "vault promotion-page": "processes/vault.test.mjs",
    "vault sync": "processes/vault.test.mjs",
    "consolidate revert": "processes/keeping-kill.test.mjs",
    "chat find": "it asks programs on this machine and keeps nothing",
    "chat test": "it asks an endpoint and keeps nothing",
    "telemetry annotate": "a pattern needs five turns of an agent: processes/telemetry.test.mjs",
    "telemetry suppress": "a pattern needs five turns of an agent: processes/telemetry.test.mjs",
    "model fetch": "it downloads",
    "model use-folder": "it reads a model from a folder",
    mcp: "faults/long-lived.test.mjs",
    "dev-serve": "its commands are those of the window; it is no part of a release",
    "bench recall": "a bench",
    "bench probes": "a bench",
    "bench scale": "a bench",
  },
};

/** Every verb that the help names, as `memory add`. */
export async function listVerbs(home) {
  const of = async (...path) => {
    const { stdout } = await cli(home, [...path, "--help"]);
    const [, listed] = stdout.match(/\nCommands:\n(.*?)\n\n/s) ?? [];
    const names = (listed ?? "").split("\n").map((line) => line.match(/^ {2}(\S+)/)?.[1]);
    const verbs = names.filter((name) => name && name !== "help");
    if (verbs.length === 0) return [path.join(" ")];
    return (await Promise.all(verbs.map((verb) => of(...path, verb)))).flat();
  };
  return of();
}

/** A home of its own with the data and the files of the world. */
export function freshCopy(world) {
  const home = copyOf(world.home);
  Object.assign(home.env, { INKLINGS_RESOURCES: home.path, INKLINGS_SECRETS: "file" });
  cpSync(join(world.home.path, "files"), join(home.path, "files"), { recursive: true });
  return home;
}

/** The command line of a verb in a home. */
export const argsOf = (verb, world, home) => {
  const args = verb.args({ ...world, file: (name) => join(home.path, "files", name) });
  return ["--json", "--workspace", WORKSPACE, ...verb.name.split(" "), ...args];
};

/** What a verb is started with besides the home: the bundled model, where it is about that. */
export const envOf = (verb) => (verb.model ? { INKLINGS_RESOURCES: undefined } : {});

/** A verb with what it is given, for messages. */
export const spokenOf = (verb, world) =>
  `${verb.name} ${verb
    .args({ ...world, file: (name) => name })
    .join(" ")
    .slice(0, 60)}`;
