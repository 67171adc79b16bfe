import type { QueryClient } from "@tanstack/react-query";
import { draftStore } from "../../components/draftStore";
import type { ConsolidationSettings } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { statusQuery } from "../../ipc/queries";
import { writeAhead } from "../../ipc/refresh";

/** Instructions for rewriting that are not saved, by world. They are saved when the field is left; what is refused stays. */
const drafts = draftStore<string>({
  closeBody: "settings.tidy.closeBody",
  save: (client: QueryClient) => saveInstructions(client).catch(() => undefined),
  // A window that was closed during a write gets no answer. The next one does not wait for it.
  onDrop: () => {
    last = Promise.resolve();
  },
});
let last: Promise<unknown> = Promise.resolve();

export const { set: setInstructions, drop: dropInstructions, useDraft: useInstructions } = drafts;

async function write(client: QueryClient): Promise<void> {
  const world = client.getQueryData(statusQuery.queryKey)?.workspace?.id ?? "";
  const typed = drafts.get(world);
  const settings = client.getQueryData<ConsolidationSettings>(keys.consolidationSettings);
  if (typed === undefined || !settings) return;
  const next = { ...settings, instructions: typed.trim() };
  if (next.instructions !== settings.instructions)
    await writeAhead(client, keys.consolidationSettings, next, () => core.setConsolidationSettings(next));
  if (drafts.get(world) === typed) drafts.drop(world);
}

/** Writes what was typed for the open world, one write after another. Throws what the core refuses. */
export function saveInstructions(client: QueryClient): Promise<void> {
  const work = last.then(() => write(client));
  last = work.catch(() => undefined);
  return work;
}
