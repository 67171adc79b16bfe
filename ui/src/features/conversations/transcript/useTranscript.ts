import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { MessagePage, MessageRange, MessageView } from "../../../ipc/bindings.gen";
import { onChange } from "../../../ipc/changes";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";
import { isBeingRead, settled } from "../../../ipc/refresh";

const PAGE = 100;

type Pages = InfiniteData<MessagePage, MessageRange>;

/** One row for each message, although pages that were read at different times may overlap. */
export function flatten(pages: readonly MessagePage[]): MessageView[] {
  const rows: MessageView[] = [];
  let last = -1;
  for (const page of pages) {
    for (const message of page.messages) {
      if (message.position <= last) continue;
      last = message.position;
      rows.push(message);
    }
  }
  return rows;
}

/**
 * A transcript, page after page by keyset in both directions, from its end or around a message. After a change the
 * last page and the pages in view are read again: with 10,000 messages loaded, a word must not cost a hundred reads.
 */
export function useTranscript(conversation: string, at: number | undefined) {
  const client = useQueryClient();
  const key = useMemo(() => keys.transcript(conversation, at), [conversation, at]);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => core.listMessages(conversation, pageParam, PAGE),
    initialPageParam: (at === undefined
      ? { kind: "newest" }
      : { kind: "after", position: Math.max(0, at - PAGE / 2) }) as MessageRange,
    getPreviousPageParam: (first: MessagePage): MessageRange | undefined => {
      const position = first.messages[0]?.position;
      return first.earlier && position !== undefined ? { kind: "before", position } : undefined;
    },
    getNextPageParam: (last: MessagePage): MessageRange | undefined => {
      const position = last.messages.at(-1)?.position;
      return last.later && position !== undefined ? { kind: "after", position } : undefined;
    },
    gcTime: 60_000,
  });

  const visible = useRef<[number, number]>([0, 0]);
  const onVisible = useCallback((first: number, last: number) => {
    visible.current = [first, last];
  }, []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let again = false;
    let busy = false;
    const refresh = async () => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      try {
        await settled(client, key);
        const data = client.getQueryData<Pages>(key);
        const [from, to] = visible.current;
        for (const [page, { messages }] of (data?.pages ?? []).entries()) {
          const first = messages[0]?.position;
          const last = messages.at(-1)?.position;
          const isLast = page === (data?.pages.length ?? 0) - 1;
          const inView = first !== undefined && last !== undefined && first <= to && last >= from;
          if (!isLast && !inView) continue;
          // The first page of a transcript of few words may have been empty.
          const range: MessageRange =
            first === undefined ? { kind: "newest" } : { kind: "after", position: first - 1 };
          const limit = isLast ? Math.max(PAGE, messages.length + 20) : messages.length;
          const fresh = await core.listMessages(conversation, range, limit);
          if (isBeingRead(client, key)) {
            // A page that is being added brings along the others as they were: all is looked at again behind it.
            again = true;
            break;
          }
          client.setQueryData<Pages>(key, (now) =>
            now && page < now.pages.length ? { ...now, pages: now.pages.with(page, fresh) } : now,
          );
        }
      } catch {
        // A failed refresh leaves the words as they were; the next change or a retry reads them again.
      } finally {
        busy = false;
        if (again) {
          again = false;
          void refresh();
        }
      }
    };
    const stop = onChange((topic) => {
      if (topic !== "transcript") return;
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(), 20);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, key, conversation]);

  const messages = useMemo(() => flatten(query.data?.pages ?? []), [query.data]);
  return { ...query, messages, onVisible };
}
