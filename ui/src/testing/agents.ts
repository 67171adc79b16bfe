import { addClient, call, overStdio, refused } from "../../../e2e/lib/mcp.mjs";
import type { MetricSeriesView } from "../ipc/bindings.gen";
import { write } from "./drifts";
import { WORLD } from "./fixtures/folders";
import type { Core } from "./serve";

/** A client that tries to change what is the author's, and then searches for nothing that is there. */
export async function refusedClient(core: Core, name: string, target?: string): Promise<void> {
  const id = target ?? (await write(core, `Saltmere is built on herring, and ${name} lives there.`));
  await addClient(core.home, name, { allow: ["workspace:write"], workspace: WORLD });
  const client = await overStdio(core.home, name, undefined, WORLD);
  try {
    await refused(client, "memory_update", { id, content: "Nobody lives there." });
    await call(client, "memory_search", { query: "zzzz" });
  } finally {
    await client.close();
  }
}

/** Enough clients that are refused in the same way: it recurs. */
export async function recurringRefusals(core: Core): Promise<void> {
  for (const name of ["Ada", "Brin", "Cleo", "Dara", "Edda"]) await refusedClient(core, name);
}

/** The measures with values of these days ago. The core has values of whole days alone, and no test waits for one. */
export const measured =
  (valuesOf: Record<string, Record<number, number>>, now: number) =>
  (all: MetricSeriesView[]): MetricSeriesView[] =>
    all.map((it) => ({
      ...it,
      values: Object.entries(valuesOf[it.metric] ?? {})
        .map(([ago, value]) => ({
          day: new Date(now - Number(ago) * 86_400_000).toISOString().slice(0, 10),
          value,
        }))
        .sort((a, b) => a.day.localeCompare(b.day)),
    }));
