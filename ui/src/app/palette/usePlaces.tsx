import { useQuery } from "@tanstack/react-query";
import { Hash, MessagesSquare, Quote } from "lucide-react";
import type { ReactNode } from "react";
import { type Match, matchName } from "../../components/match";
import { useNameIndex } from "../../components/names/useNameIndex";
import { KindIcon, useKindName } from "../../components/SubjectKind";
import { useFindConversations } from "../../components/useFindConversations";
import { useI18n } from "../../i18n/i18n";
import type {
  ChannelView,
  ConversationView,
  LensSpec,
  NamedEntryView,
  SubjectRow,
} from "../../ipc/bindings.gen";
import { channelsQuery, namedQuery } from "../../ipc/queries";
import { PlaceBody } from "./PlaceItem";
import { type Place, useOpenPlace } from "./places";
import { retryRow } from "./RetryRow";
import { type PaletteGroup, type PaletteRow, SHOWN } from "./rows";

const ICON = { size: 15, strokeWidth: 1.75, className: "shrink-0 text-ink-3", "aria-hidden": true } as const;

/** How a thing with a name is shown and opened. */
export type Shown = { name: string; icon: ReactNode; note?: ReactNode; place: Place };

/** The words for things with a name, the same where they are found and where they were opened before. */
export function useShown() {
  const { t } = useI18n();
  const kindName = useKindName();
  return {
    subject: (row: SubjectRow): Shown => ({
      name: row.name,
      icon: <KindIcon kind={row.kind} />,
      note: kindName(row.kind),
      place: { kind: "subject", id: row.id },
    }),
    named: (entry: NamedEntryView): Shown => ({
      name: entry.name,
      icon: <Quote {...ICON} />,
      note: t("palette.named"),
      place: { kind: "named", id: entry.id },
    }),
    channel: (channel: ChannelView): Shown => {
      const isArchived = channel.archivedAt !== null;
      return {
        name: channel.name,
        icon: <Hash {...ICON} />,
        note: t(isArchived ? "palette.channelArchived" : "palette.channel", {
          count: isArchived ? channel.archivedConversations : channel.conversations,
        }),
        place: { kind: "channel", id: channel.id, isArchived },
      };
    },
    conversation: (it: ConversationView): Shown => ({
      name: it.title || t("conversation.untitled"),
      icon: <MessagesSquare {...ICON} />,
      note: `#${it.channelName}`,
      place: { kind: "conversation", id: it.refCode },
    }),
  };
}

export const placeKey = ({ kind, id }: Place) => `${kind} ${id}`;

/** The best match of a name and its aliases. An alias that matches better is named with it. */
function best(name: string, aliases: readonly string[], typed: string): (Match & { text: string }) | null {
  const own = matchName(name, typed);
  let found = own && { ...own, text: name };
  for (const alias of aliases) {
    const match = matchName(alias, typed);
    if (!match || match.score <= (found?.score ?? 0)) continue;
    const text = `${name} (${alias})`;
    const moved = name.length + 2;
    const spans = match.spans.map(({ start, end }) => ({ start: start + moved, end: end + moved }));
    found = { score: match.score, text, spans };
  }
  return found;
}

type List<T> = { data: readonly T[] | undefined; error: unknown; refetch?: () => unknown };

/** Subjects, entries, channels and conversations whose names match. */
export function usePlaces(typed: string, lens: LensSpec | null | undefined) {
  const { t } = useI18n();
  const shown = useShown();
  const open = useOpenPlace(lens ?? null);
  const index = useNameIndex(lens ?? null);
  const named = useQuery(namedQuery);
  const channels = useQuery(channelsQuery);
  const conversations = useFindConversations(typed);

  const group = <T,>(
    id: "subject" | "named" | "channel" | "conversation",
    list: List<T>,
    show: (item: T) => Shown,
    aliasesOf: (item: T) => readonly string[] = () => [],
  ): PaletteGroup => {
    const heading = t(`palette.kind.${id}`);
    if (list.error) {
      const retry = () => void list.refetch?.();
      return { id, heading, isFresh: true, rows: typed === "" ? [] : [retryRow(id, list.error, retry, t)] };
    }
    // A channel is typed with its sign, too.
    const text = id === "channel" ? typed.replace(/^#/, "") : typed;
    const found = (text === "" ? [] : (list.data ?? [])).flatMap((item) => {
      const it = show(item);
      const match = best(it.name, aliasesOf(item), text);
      return match ? [{ it, match }] : [];
    });
    found.sort((a, b) => b.match.score - a.match.score);
    const rows = found.slice(0, SHOWN).map(
      ({ it, match }): PaletteRow => ({
        value: placeKey(it.place),
        icon: it.icon,
        body: <PlaceBody name={match.text} spans={match.spans} note={it.note} />,
        run: () => open(it.place),
      }),
    );
    return { id, heading, isFresh: true, rows };
  };

  const subjects = lens === undefined || index === null ? undefined : [...index.rows.values()];
  // What a lens shows of them the core says of subjects alone.
  const entries = lens === null ? named.data?.filter((it) => it.subject === null) : undefined;
  return {
    groups: [
      group("subject", { data: subjects, error: null }, shown.subject, (row) => row.aliases),
      group("named", { ...named, data: entries }, shown.named, (entry) => entry.aliases),
      group("channel", channels, shown.channel),
      group("conversation", { ...conversations, data: conversations.rows }, shown.conversation),
    ],
    waits: typed !== "" && (channels.isPending || conversations.waits || named.isPending),
  };
}
