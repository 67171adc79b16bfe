// Looks for texts in every database of a data folder, backups, trash and what was set aside too.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tree } from "../../lib/app.mjs";

const HELD = "SELECT content FROM memories UNION SELECT content FROM memory_versions ORDER BY 1";

const rows = (file, query) =>
  JSON.parse(
    execFileSync("sqlite3", ["-readonly", "-json", "-bail", file, ".timeout 20000", query], {
      encoding: "utf8",
      maxBuffer: 256 << 20,
    }) || "[]",
  );

/** The texts of entries, by where they are: `live` in use, and `kept` in backups, the trash or quarantine. */
export function heldTexts(home) {
  const held = { live: new Set(), kept: new Set() };
  // Copies are read as they are: opening one would leave files beside it. One that has a log is read with it, elsewhere.
  for (const path of tree(home.data).filter((name) => /agents\.db\+*$/.test(name))) {
    const isLive = /^[\\/](agents\.db|workspaces[\\/][0-9a-f-]{36}[\\/]agents\.db)$/.test(
      path.slice(home.data.length),
    );
    if (isLive || !existsSync(`${path}-wal`)) {
      const file = isLive ? path : `file:${path}?immutable=1`;
      for (const { content } of rows(file, HELD)) held[isLive ? "live" : "kept"].add(content);
      continue;
    }
    const copy = mkdtempSync(join(tmpdir(), "inklings-copy-"));
    try {
      for (const end of ["", "-wal"]) copyFileSync(path + end, join(copy, `agents.db${end}`));
      for (const { content } of rows(join(copy, "agents.db"), HELD)) held.kept.add(content);
    } finally {
      rmSync(copy, { recursive: true });
    }
  }
  return held;
}
