import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, tree } from "../../../e2e/lib/app.mjs";
import { emptyIndex } from "../../../e2e/lib/database.mjs";
import type { Home } from "./serve";

/** Real damage, done to the files of a folder before the core opens it. */

const rewrite = (file: string, sql: string) => execFileSync("sqlite3", ["-bail", file, ".timeout 5000", sql]);

const account = (home: Home) => join(home.data, "agents.db");

/** Changes a row of the account's audit log behind the triggers that refuse it. */
export function breakAuditLog(home: Home): void {
  const triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'";
  const names = execFileSync("sqlite3", [account(home), triggers], { encoding: "utf8" });
  for (const name of names.split("\n").filter(Boolean)) rewrite(account(home), `DROP TRIGGER "${name}"`);
  rewrite(account(home), "UPDATE audit SET operator = 'somebody' WHERE sequence = 1");
}

const spoil = (folder: string) => {
  for (const path of tree(folder).filter((it: string) => /agents\.db(-wal|-shm)?$/.test(it)))
    writeFileSync(path, "These are my holiday notes.");
};

/** Writes something else into the database of the workspace in use. */
export function damageWorkspace(home: Home): void {
  const query = "SELECT id FROM workspaces WHERE name = 'The Drowned Coast'";
  const id = execFileSync("sqlite3", [account(home), query], { encoding: "utf8" }).trim();
  spoil(join(home.data, "workspaces", id));
}

/** The same, of every workspace. */
export function damageEveryWorkspace(home: Home): void {
  spoil(join(home.data, "workspaces"));
}

/** The same, of the account, of which there is no backup. */
export function damageAccount(home: Home): void {
  rmSync(join(home.data, "backups"), { recursive: true, force: true });
  for (const end of ["", "-wal", "-shm"]) writeFileSync(account(home) + end, "These are my holiday notes.");
}

/** Gives a third workspace, which a backup holds, a name that turns around. */
export async function damagedName(home: Home): Promise<void> {
  await ask(home, "workspace", "create", "Third");
  await ask(home, "backup", "now");
  rewrite(account(home), "UPDATE workspaces SET name = 'Ember \u202EtruoC' WHERE name = 'Third'");
}

/** Cuts the files of the oldest backup off: a check finds it damaged. */
export function damageBackup(home: Home): void {
  const sets = join(home.data, "backups", "sets");
  const [oldest = ""] = readdirSync(sets).sort();
  for (const path of tree(join(sets, oldest)).filter((it: string) => it.endsWith(".db")))
    truncateSync(path, 4_096);
}

/** Takes the index of words of a workspace out of touch with its texts. */
export function damageIndex(home: Home): void {
  const query = "SELECT id FROM workspaces WHERE name = 'The Drowned Coast'";
  const id = execFileSync("sqlite3", [account(home), query], { encoding: "utf8" }).trim();
  const file = join(home.data, "workspaces", id, "agents.db");
  emptyIndex(file, "memories_fts");
}
