// What a data folder holds, without what differs from one run to the next: ids, times, hashes, counters.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

// Counters and clocks; keys that come from chance, and checksums of rows with such keys; who was first to set off the job behind a verb, and at which try it went
// through.
const COLUMNS =
  /^(set_off_by|attempts|seq|sequence|change_seq|tick|epoch|message_tick|counter|ref_code|hash|checksum|token_hash|salt|fingerprint|manifest|lease_\w+|owner|access_count)$/;
// What is not content: news, ticks, tasks, shadow tables of the index, and what a search, a look for contradictions or a task
// leaves about itself.
const TABLES =
  /^sqlite_|_fts|^(drift_looks|topics|change_clock|message_clock|page_clock|open_days|tasks|task_cursors|audit_head|memory_switch)$/;

/** A try of a job that failed stays on record, beside the one that went through. One that is still under way is a difference. */
const FAILED_RUN = /^'runs','[^']*','[^']*','[a-z]+','failed',/;

/** That a state was looked at: without it the look is made again, so a full disk refuses no list for it. */
const LOOKED_AT = /^'settings','[^']*','(drift|review)\.state',/;

const sql = (file, ...statements) =>
  execFileSync("sqlite3", ["-bail", file, ".timeout 20000", ...statements], {
    encoding: "utf8",
    maxBuffer: 256 << 20,
  });

const selects = new Map();
/** The statements that show a file of this schema. */
function selectsOf(file) {
  const tables = sql(
    file,
    // The columns of an index are not asked for: this tool does not have the program's tokenizer.
    "SELECT group_concat(c.name, ' ') || ' ' || t.name " +
      "FROM (SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' LIMIT -1) AS t, " +
      "pragma_table_xinfo(t.name) AS c WHERE c.hidden = 0 GROUP BY t.name ORDER BY t.name",
  );
  if (!selects.has(tables)) {
    const made = [];
    for (const line of tables.trim().split("\n")) {
      const names = line.split(" ");
      const table = names.pop();
      const columns = names.filter((name) => !COLUMNS.test(name));
      if (!TABLES.test(table) && columns.length > 0)
        made.push(`SELECT '${table}', ${columns.map((name) => `"${name}"`).join(", ")} FROM "${table}";`);
    }
    selects.set(tables, made.join("\n"));
  }
  return selects.get(tables);
}

const plain = (line) =>
  line
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/inklings-e2e-\w+/g, "HOME") // a vault is stored with its path
    .replaceAll(/X'[0-9a-f]*'/gi, "BYTES")
    .replaceAll(/\b[0-9a-f]{32,}\b/g, "HASH")
    .replaceAll(/\b\d{8}T\d{6,}Z?\b/g, "TIME")
    .replaceAll(/\b\d{13,}\b/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d(T| )\d\d:\d\d[\d:.]*Z?/g, "TIME")
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, "DAY");

const names = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** Lines that are equal for two homes that hold the same. */
export function standing(home) {
  const lines = [];
  const put = (name, file) => {
    if (!existsSync(file)) return lines.push(`${name} is missing`);
    for (const line of sql(file, ".mode quote", selectsOf(file)).split("\n"))
      if (line && !FAILED_RUN.test(line) && !LOOKED_AT.test(line)) lines.push(`${name} ${plain(line)}`);
  };
  put("account", join(home.data, "agents.db"));
  const workspaces = join(home.data, "workspaces");
  for (const id of names(workspaces)) {
    if (id.startsWith(".")) lines.push(`left over: workspaces/${plain(id)}`);
    else
      for (const file of ["agents.db", "inklings.db"]) put(`workspace ${file}`, join(workspaces, id, file));
  }
  for (const name of names(home.data))
    if (/^\.(restore|import)/.test(name) && names(join(home.data, name)).length > 0)
      lines.push(`left over: ${name}`);
  lines.push(...names(join(home.data, "trash")).map((name) => `trash ${plain(name)}`));
  lines.push(...names(join(home.data, "quarantine")).map((name) => `quarantine ${plain(name)}`));
  // What is made for safety before a verb may be there without it.
  for (const name of names(join(home.data, "backups", "sets")))
    if (/-asked$/.test(name)) lines.push(`set ${plain(name)}`);
  const files = join(home.path, "files");
  for (const name of names(files)) {
    if (/\.part|\.tmp|^\./.test(name)) continue; // what a kill leaves beside the file is no part of it
    if (statSync(join(files, name)).isDirectory()) continue; // a vault, which nothing writes
    lines.push(
      ...readFileSync(join(files, name), "utf8")
        .split("\n")
        .map((line) => `${name} ${plain(line)}`),
    );
  }
  return lines.sort();
}

/** What the one has and the other does not, for a message. */
export function difference(found, wanted, most = 12) {
  const left = [...wanted];
  const more = found.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const shown = (sign, lines) => lines.slice(0, most).map((line) => `${sign} ${line.slice(0, 240)}`);
  return [...shown("+", more), ...shown("-", left)].join("\n");
}
