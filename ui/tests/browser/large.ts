import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { idOf } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";

declare global {
  interface Window {
    frameTimes: number[];
  }
}

const AT = "2026-01-01T00:00:00Z";

/** What every entry of a file to import has. */
export const importedEntry = (n: number) => ({
  id: idOf(100_000 + n),
  scope: "workspace",
  lifetime: "long_term",
  curator: "author",
  written_by: "author",
  kind: "note",
  importance: 0.5,
  source: "user",
  version: 1,
  created_at: AT,
  accessed_at: AT,
  updated_at: AT,
});

/** Imports what would take minutes to add one after the other. */
export async function importWorld(
  core: Core,
  lists: { memories: object[]; named_entries: object[] },
): Promise<void> {
  const file = join(core.home.path, "world.json");
  const world = {
    schema_version: 1,
    exported_at: AT,
    scope: { account: true, workspace: true },
    channels: [{ id: "default", name: "general" }],
    conversations: [],
    messages: [],
    episodes: [],
    facts: [],
    scratchpads: [],
    ...lists,
  };
  writeFileSync(file, JSON.stringify(world));
  await core.cli("import", file, "--pick-all");
}

/** How long the frames took while something was done. */
export async function framesDuring(page: Page, act: () => Promise<void>) {
  await page.evaluate(() => {
    const times: number[] = [];
    window.frameTimes = times;
    let last = performance.now();
    const next = () => {
      // Another count began.
      if (window.frameTimes !== times) return;
      const now = performance.now();
      times.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await act();
  const frames = await page.evaluate(() => {
    const times = window.frameTimes;
    window.frameTimes = [];
    return times.sort((a, b) => a - b);
  });
  const share = (of: number) => Math.round(frames[Math.floor((frames.length - 1) * of)] ?? 0);
  return { count: frames.length, p50: share(0.5), p95: share(0.95), longest: share(1) };
}
