import { call, overStdio } from "../../../e2e/lib/mcp.mjs";
import { WORLD } from "./fixtures/folders";
import type { Core } from "./serve";

/** Calls tools as an AI client of this name does: through a process of its own. */
export async function asClient(
  core: Core,
  name: string,
  calls: readonly [tool: string, args: object][],
): Promise<void> {
  const client = await overStdio(core.home, name, undefined, WORLD);
  try {
    for (const [tool, args] of calls) await call(client, tool, args);
  } finally {
    await client.close();
  }
}
