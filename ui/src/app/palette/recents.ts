import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { z } from "zod";
import { worldList } from "../../preferences/worldList";

const KINDS = ["memory", "subject", "named", "page", "conversation", "channel", "action"] as const;

/** What was opened or done: its id alone, and never a word of it. */
const recent = z.object({ kind: z.enum(KINDS), id: z.string().max(100) });
export type Recent = z.infer<typeof recent>;

const list = worldList("recent", recent);

/** More than are shown: some of them may be gone. */
const KEPT = 20;

/** Milliseconds that something is open before it counts: what one only passes through in a list does not. */
const STAYS = 800;

export const useRecentIds = list.use;

const isSame = (a: Recent) => (b: Recent) => a.kind === b.kind && a.id === b.id;

export function addRecent(world: string, item: Recent): void {
  const others = list.read(world).filter((it) => !isSame(item)(it));
  list.write(world, [item, ...others].slice(0, KEPT));
}

/** Forgets what is not there any more. */
export function removeRecents(world: string, gone: readonly Recent[]): void {
  list.write(
    world,
    list.read(world).filter((it) => !gone.some(isSame(it))),
  );
}

/** What an address has open. */
export function openAt(pathname: string, search: { id?: unknown; channel?: unknown }): Recent | null {
  const [, page, ref] = pathname.split("/");
  const id = typeof search.id === "string" ? search.id : undefined;
  if (page === "memory" && id) return { kind: "memory", id };
  if (page === "world" && id) return { kind: "subject", id };
  if (page === "named" && id) return { kind: "named", id };
  if (page === "pages" && id) return { kind: "page", id };
  if (page !== "conversations") return null;
  if (ref) return { kind: "conversation", id: ref };
  return typeof search.channel === "string" ? { kind: "channel", id: search.channel } : null;
}

export function useOpenNow(): Recent | null {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  return openAt(pathname, search);
}

/** Keeps what was opened in a world, however it was opened. */
export function useKeepRecents(world: string | undefined): void {
  const open = useOpenNow();
  const kind = open?.kind;
  const id = open?.id;
  useEffect(() => {
    if (world === undefined || kind === undefined || id === undefined) return;
    const timer = setTimeout(() => addRecent(world, { kind, id }), STAYS);
    return () => clearTimeout(timer);
  }, [world, kind, id]);
}
