import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useMorePages } from "../../../components/useMorePages";
import type { MemoryFilter, MemoryPage, MemoryRow, Sort } from "../../../ipc/bindings.gen";
import { onChange } from "../../../ipc/changes";
import { core } from "../../../ipc/client";
import { keys, refreshedByPage } from "../../../ipc/keys";
import { isBeingRead, settled } from "../../../ipc/refresh";

const PAGE = 200;

type Pages = InfiniteData<MemoryPage, string | null>;

/**
 * Puts a freshly read stretch in the place of page `at`. The stretch was read from the same cursor but may be
 * longer than the page was; it is cut where the next loaded page begins. A row that changed is no landmark: it may
 * have moved here. Without a landmark everything behind is dropped, and read again on scrolling.
 */
export function splice(data: Pages, at: number, fresh: MemoryPage): Pages {
  const following = data.pages[at + 1];
  if (following) {
    const known = new Map(following.rows.map((row) => [row.id, row]));
    const cut = fresh.rows.findIndex((row) => {
      const old = known.get(row.id);
      return old?.version === row.version && old.updatedAt === row.updatedAt;
    });
    if (cut >= 0) {
      const page = { rows: fresh.rows.slice(0, cut), next: data.pageParams[at + 1] ?? null };
      return { ...data, pages: data.pages.with(at, page) };
    }
  }
  return {
    pages: [...data.pages.slice(0, at), fresh],
    pageParams: data.pageParams.slice(0, at + 1),
  };
}

function flatten(pages: MemoryPage[]): MemoryRow[] {
  const seen = new Set<string>();
  const rows: MemoryRow[] = [];
  for (const page of pages) {
    for (const row of page.rows) {
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      rows.push(row);
    }
  }
  return rows;
}

/**
 * The list, page after page by keyset. After a change only the pages in view are read again, the others when they
 * come into view: with 100,000 rows loaded a write must not cost a thousand reads.
 */
export function usePagedMemories(filter: MemoryFilter, sort: Sort, enabled: boolean) {
  const client = useQueryClient();
  const key = useMemo(() => keys.list(filter, sort), [filter, sort]);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => core.listMemories({ filter, sort, after: pageParam, limit: PAGE }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled,
    gcTime: 60_000,
  });

  const stale = useRef(new Set<number>());
  const visible = useRef<[number, number]>([0, 0]);
  const busy = useRef(false);

  const refresh = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      for (;;) {
        const data = client.getQueryData<Pages>(key);
        const [from, to] = visible.current;
        const at = [...stale.current].sort((a, b) => a - b).find((page) => page >= from && page <= to);
        if (!data || at === undefined) break;
        stale.current.delete(at);
        if (at >= data.pages.length) continue;
        const more = at + 1 < data.pages.length;
        const after = data.pageParams[at] ?? null;
        const fresh = await core.listMemories({ filter, sort, after, limit: more ? PAGE * 2 : PAGE });
        if (isBeingRead(client, key)) {
          // A page that is being added brings along the others as they were: this one is read again behind it.
          stale.current.add(at);
          await settled(client, key);
          continue;
        }
        client.setQueryData<Pages>(key, (now) =>
          now && at < now.pages.length ? splice(now, at, fresh) : now,
        );
      }
    } catch {
      // A failed refresh leaves the rows as they were; the next change or a retry reads them again.
    } finally {
      busy.current = false;
    }
  }, [client, key, filter, sort]);

  useEffect(() => {
    stale.current.clear();
    visible.current = [0, 0];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const stop = onChange((topic) => {
      if (refreshedByPage[topic] !== keys.lists) return;
      clearTimeout(timer);
      timer = setTimeout(async () => {
        await settled(client, key);
        if (stopped) return;
        const data = client.getQueryData<Pages>(key);
        data?.pages.forEach((_, page) => {
          stale.current.add(page);
        });
        void refresh();
      }, 40);
    });
    return () => {
      stopped = true;
      stop();
      clearTimeout(timer);
    };
  }, [client, key, refresh]);

  const onVisible = useCallback(
    (first: number, last: number) => {
      visible.current = [Math.max(0, Math.floor(first / PAGE) - 1), Math.floor(last / PAGE) + 1];
      if (stale.current.size > 0) void refresh();
    },
    [refresh],
  );

  const rows = useMemo(() => flatten(query.data?.pages ?? []), [query.data]);
  return { ...query, rows, more: useMorePages(key, query), onVisible };
}
