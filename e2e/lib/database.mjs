// Looks into a database past the program, and puts back the clock of a lease: what no verb of the command line does.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { tree } from "./app.mjs";

/** The database of the only workspace of `home`. Backups hold others of its name. */
export const workspaceFile = (home) =>
  tree(join(home.data, "workspaces")).find((path) => /[\\/]agents\.db$/.test(path));

const run = (home, statement, ...options) =>
  execFileSync("sqlite3", ["-bail", ...options, workspaceFile(home), ".timeout 5000", statement], {
    encoding: "utf8",
  });

/** The rows of a query, as objects. */
export const rowsOf = (home, query) => JSON.parse(run(home, query, "-readonly", "-json") || "[]");

/** Makes the lease of a task lapse, as two minutes do. Whoever held it must be dead. */
export const lapse = (home, task) =>
  run(home, `UPDATE tasks SET lease_until = 1 WHERE task = '${task}' AND lease_until IS NOT NULL`);

/** The same in every workspace, where there are several; a task that never ran has no lease. */
export const lapseAll = (home, task) => {
  const files = tree(join(home.data, "workspaces")).filter((path) =>
    /[\\/][0-9a-f-]{36}[\\/]agents\.db$/.test(path),
  );
  for (const file of files) {
    const statement = `UPDATE tasks SET lease_until = 1 WHERE task = '${task}' AND lease_until IS NOT NULL`;
    execFileSync("sqlite3", ["-bail", file, ".timeout 5000", statement]);
  }
};

/** Takes what the log still holds into the file, so that the log's size tells what a process wrote. */
export const settle = (home) => run(home, "PRAGMA wal_checkpoint(TRUNCATE)");

/**
 * Empties a full-text index behind the program's back. This tool does not have the program's tokenizer, so the tables below
 * the index are emptied: row 1 holds its averages, row 10 its structure.
 */
export const emptyIndex = (file, index) =>
  execFileSync("sqlite3", [
    "-bail",
    file,
    ".timeout 5000",
    `DELETE FROM ${index}_docsize; DELETE FROM ${index}_idx; DELETE FROM ${index}_data WHERE id NOT IN (1, 10);
     UPDATE ${index}_data SET block = CASE id WHEN 1 THEN x'' ELSE x'00000000000000' END`,
  ]);
