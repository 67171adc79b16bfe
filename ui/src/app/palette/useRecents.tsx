import { useQueries, useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { useEffect } from "react";
import type { Action } from "../../components/actions";
import { useNameIndex } from "../../components/names/useNameIndex";
import { plain } from "../../components/plain";
import { TierIcon } from "../../components/Tier";
import { visible } from "../../components/visible";
import { useI18n } from "../../i18n/i18n";
import type { LensSpec, MemoryDetail, PageView } from "../../ipc/bindings.gen";
import { hasCode } from "../../ipc/errors";
import { channelsQuery, conversationQuery, detailQuery, namedQuery, pageQuery } from "../../ipc/queries";
import { PlaceBody } from "./PlaceItem";
import { useOpenPlace } from "./places";
import { type Recent, removeRecents, useOpenNow, useRecentIds } from "./recents";
import type { PaletteGroup, PaletteRow } from "./rows";
import { actionRow } from "./useCommands";
import { type Shown, useShown } from "./usePlaces";

/** As many as are read, and as are shown. */
const READ = 10;
const MOST = 6;

const isGone = (error: unknown) => error !== null && hasCode(error, "not_found");

/** What one of them is now: `undefined` while it is read, and `null` if it is gone. */
type Found = PaletteRow | null | undefined;

function useMemoryShown() {
  const { t } = useI18n();
  return ({ row }: MemoryDetail): Shown => ({
    name: row.name ?? row.title ?? plain(row.preview).text,
    icon: <TierIcon scope={row.scope} size={15} />,
    note: t(`tier.${row.scope}`),
    place: { kind: "memory", id: row.id },
  });
}

const pageShown = ({ row }: PageView): Shown => ({
  name: visible(row.title),
  icon: <FileText size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />,
  note: visible(row.path),
  place: { kind: "page", id: row.id },
});

type Recents = { world: string | undefined; lens: LensSpec | null | undefined; actions: readonly Action[] };

/**
 * What was opened or done lately, as it is now: only ids are kept, so what was forgotten or erased is not shown and its id goes,
 * too. Through a lens memories, pages and entries are left out, because the core says of no single one whether it is shown.
 */
export function useRecents({ world, lens, actions }: Recents): PaletteGroup {
  const { t } = useI18n();
  const shown = useShown();
  const memoryShown = useMemoryShown();
  const open = useOpenPlace(lens ?? null);
  const now = useOpenNow();
  const kept = useRecentIds(world).filter((it) => it.kind !== now?.kind || it.id !== now.id);
  const all = lens === undefined ? [] : kept.slice(0, READ);
  const isPlain = lens === null;
  const ids = (kind: Recent["kind"]) => all.filter((it) => it.kind === kind).map(({ id }) => id);
  const memories = useQueries({ queries: isPlain ? ids("memory").map(detailQuery) : [] });
  const pages = useQueries({ queries: isPlain ? ids("page").map(pageQuery) : [] });
  const conversations = useQueries({ queries: ids("conversation").map(conversationQuery) });
  const index = useNameIndex(lens ?? null);
  const named = useQuery(namedQuery);
  const channels = useQuery(channelsQuery);

  const row = (it: Shown): PaletteRow => ({
    value: `recent ${it.place.kind} ${it.place.id}`,
    icon: it.icon,
    body: <PlaceBody name={it.name} note={it.note} />,
    run: () => open(it.place),
  });
  const read = <T,>(
    queries: { data: T | undefined; error: unknown }[],
    at: number,
    show: (data: T) => Shown,
  ) => {
    const query = queries[at];
    if (query?.data !== undefined && !query.error) return row(show(query.data));
    return isGone(query?.error ?? null) ? null : undefined;
  };
  const listed = <T,>(
    list: readonly T[] | undefined,
    isIt: (item: T) => boolean,
    show: (item: T) => Shown,
  ) => {
    const item = list?.find(isIt);
    return item ? row(show(item)) : list && null;
  };
  const find = ({ kind, id }: Recent): Found => {
    const at = ids(kind).indexOf(id);
    if (kind === "memory") {
      const detail = memories[at]?.data;
      return detail && detail.forgotten !== null ? null : read(memories, at, memoryShown);
    }
    if (kind === "page") return read(pages, at, pageShown);
    if (kind === "conversation") return read(conversations, at, shown.conversation);
    if (kind === "subject") {
      const subject = index?.rows.get(id);
      return subject ? row(shown.subject(subject)) : isPlain && index ? null : undefined;
    }
    if (kind === "named") return isPlain ? listed(named.data, (it) => it.id === id, shown.named) : undefined;
    if (kind === "channel") return listed(channels.data, (it) => it.id === id, shown.channel);
    const action = actions.find((it) => it.id === id);
    return action && { ...actionRow(action), value: `recent action ${id}` };
  };
  const found = all.map((item) => ({ item, row: find(item) }));
  const gone = found.flatMap(({ item, row }) => (row === null ? [item] : []));
  const goneKey = JSON.stringify(gone);
  useEffect(() => {
    if (world !== undefined && goneKey !== "[]") removeRecents(world, JSON.parse(goneKey));
  }, [world, goneKey]);
  const rows = found.flatMap(({ row }) => (row ? [row] : [])).slice(0, MOST);
  return { id: "recent", heading: t("palette.recent"), isFresh: true, rows };
}
