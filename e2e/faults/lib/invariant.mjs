// Invariant I, and the tally of a suite.
import assert from "node:assert/strict";
import { doctor, errorOf, memory, tryMemory } from "../../lib/store.mjs";

export const AFTERWARDS = "Written after the fault.";

/** Counts what was tried and what came of it; `say` prints it. */
export function makeTally() {
  const counts = { tried: 0, met: 0, acknowledged: 0, refused: 0, killed: 0, lost: 0, findings: 0 };
  const codes = new Map();
  const messages = new Map();
  /** Counts a refusal; the last message of a code is kept, because a code alone does not tell the cause. */
  const refused = (code, message = "") => {
    counts.refused++;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    messages.set(code, message);
  };
  const say = (t, what) => {
    const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    const refused = [...codes].map(([code, count]) => `${code} ${count}`).join(", ");
    t.diagnostic(`tally of ${what}: ${words.join(", ")}${refused ? `; refused as: ${refused}` : ""}`);
  };
  return { counts, codes, messages, refused, say };
}

/** The code of a command's error, whatever it printed. */
export function codeOf(result) {
  try {
    return errorOf({ stderr: result.stderr.trim().split("\n").at(-1) }).code;
  } catch {
    return result.signal ?? `exit ${result.code}`;
  }
}

/** The folder is sound: the next write works, and doctor finds nothing. */
export async function holds(home, where, tally) {
  const next = await tryMemory(home, ["add", "--scope", "workspace", AFTERWARDS]);
  assert.equal(next.code, 0, `${where}: the next write was refused: ${next.stderr}`);
  await isClean(home, where, tally);
}

/** Doctor finds nothing. */
export async function isClean(home, where, tally) {
  const { code, report, trouble } = await doctor(home);
  const found = code === 0 ? [] : JSON.parse(report).filter((finding) => !finding.ok);
  if (tally) tally.counts.findings += found.length;
  assert.equal(code, 0, `${where}: doctor found trouble: ${JSON.stringify(found)} ${trouble}`);
}

/** Every text that was acknowledged is listed, once. */
export async function areThere(home, acknowledged, where, tally) {
  const found = new Map();
  let after = null;
  do {
    const page = await memory(home, "list", "--limit", "500", ...(after ? ["--after", after] : []));
    for (const row of page.rows) found.set(row.preview, (found.get(row.preview) ?? 0) + 1);
    after = page.next;
  } while (after);
  const lost = [...acknowledged].filter((text) => !found.has(text));
  const twice = [...acknowledged].filter((text) => (found.get(text) ?? 0) > 1);
  if (tally) tally.counts.lost += lost.length;
  assert.deepEqual({ lost, twice }, { lost: [], twice: [] }, where);
}
