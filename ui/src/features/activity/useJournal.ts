import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { usePages } from "../../components/usePages";
import type { ActorKind, JournalPage, JournalView } from "../../ipc/bindings.gen";
import { onChange } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { settled } from "../../ipc/refresh";

const PAGE = 100;
type Pages = InfiniteData<JournalPage, string | null>;
const idOf = (row: JournalView) => row.changeId;

/**
 * Puts what is new on top of what is loaded. The journal only grows, and a row only ever changes by being taken back,
 * which the newer row says: so nothing else has to be read again. Null where more is new than one page shows.
 */
export function grown(data: Pages, fresh: JournalPage, all: JournalPage): Pages | null {
  const [first, ...others] = data.pages;
  if (!first) return null;
  const known = new Set(data.pages.flatMap((page) => page.rows.map(idOf)));
  const added = fresh.rows.filter((row) => !known.has(row.changeId));
  if (added.length === fresh.rows.length && fresh.next !== null) return null;
  const undone = new Map(
    all.rows.flatMap((row) => (row.undoes === null ? [] : [[row.undoes, row.changeId]])),
  );
  const mark = (row: JournalView) => ({ ...row, undoneBy: undone.get(row.changeId) ?? row.undoneBy });
  const pages = [{ ...first, rows: [...added, ...first.rows] }, ...others];
  return { ...data, pages: pages.map((page) => ({ ...page, rows: page.rows.map(mark) })) };
}

/** The journal, page after page by keyset. A write costs the reading of its head, however much is loaded. */
export function useJournal(actorKind: ActorKind | null) {
  const client = useQueryClient();
  const key = useMemo(() => keys.journal(actorKind), [actorKind]);
  const query = usePages(key, (after) => core.listChanges(actorKind, after, PAGE), idOf, 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async () => {
      try {
        const fresh = await core.listChanges(actorKind, null, PAGE);
        // Whoever takes back a change may be another actorKind.
        const all = actorKind === null ? fresh : await core.listChanges(null, null, PAGE);
        // A page that is being read comes with the others as they were when it was asked for: new rows are put in behind it.
        await settled(client, key);
        const data = client.getQueryData<Pages>(key);
        const next = data && grown(data, fresh, all);
        if (next) client.setQueryData<Pages>(key, next);
        else if (data) await client.resetQueries({ queryKey: key });
      } catch {
        // The rows stay as they were; the next change reads them again.
      }
    };
    const stop = onChange((topic) => {
      if (topic !== "memories" && topic !== "runs") return;
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(), 40);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, key, actorKind]);
  return query;
}
