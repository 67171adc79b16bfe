// What the benches of the window measure on. It is made once and kept under `target/bench`.
import { cpSync, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ask, root } from "../lib/app.mjs";
import { makeWorkspace, memory } from "../lib/store.mjs";
import { makeTurns, writeJsonl } from "../lib/turns.mjs";

/** Gives `home` the data folder that was kept under a name. The first time, `make` fills the folder. */
export async function keptFolder(home, name, make) {
  const kept = join(root, "target", "bench", name);
  if (existsSync(kept)) {
    cpSync(kept, home.data, { recursive: true });
    return;
  }
  await make();
  // There whole or not at all, should somebody break off.
  cpSync(home.data, `${kept}.part`, { recursive: true });
  renameSync(`${kept}.part`, kept);
}

/** Gives `home` a workspace with so many embedded memories. */
export const fill = (home, memories) =>
  keptFolder(home, String(memories), async () => {
    await makeWorkspace(home);
    const file = join(home.path, "turns.jsonl");
    writeJsonl(file, makeTurns(memories));
    await memory(home, "import-jsonl", "--scope", "channel", "--channel", "chronicle", file);
    await ask(home, "embed", "--all");
  });

/** The value that a share of the times does not exceed. */
export function percentile(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)];
}
