import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useI18n } from "../i18n/i18n";
import type { ReadItem, ReadView } from "../ipc/bindings.gen";
import type { ReadsOf } from "../ipc/keys";
import { readsQuery } from "../ipc/queries";
import { plain } from "./plain";
import { ShowMore } from "./ShowMore";
import { Failed } from "./States";
import { Time } from "./Time";

/** What tools in a turn and clients were shown, newest first: who, through which read, and which entries. */
export function Reads({ of, title }: { of: ReadsOf; title: string }) {
  const { t } = useI18n();
  const id = useId();
  const options = readsQuery(of);
  const query = useInfiniteQuery(options);
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section aria-labelledby={id} className="mt-8 border-t border-line pt-5">
      <h3 id={id} className="text-lead font-strong text-ink">
        {title}
      </h3>
      {query.error && rows.length === 0 ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        !query.isPending && <p className="mt-2 text-ui text-ink-2">{t("reads.none")}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {rows.map((read) => (
            <Read key={read.id} read={read} named={of.client === undefined} />
          ))}
        </ul>
      )}
      <ShowMore queryKey={options.queryKey} query={query}>
        {t("reads.more")}
      </ShowMore>
    </section>
  );
}

function Read({ read, named }: { read: ReadView; named: boolean }) {
  const { t } = useI18n();
  const further = read.items.length > 0 ? read.count - read.items.length : 0;
  return (
    <li className="py-2 text-ui text-ink">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {named && <span className="font-strong">{read.client ?? t("reads.agent")}</span>}
        <span>{t(`reads.through.${read.through}`)}</span>
        <span className="tabular text-meta text-ink-3">{t("reads.count", { count: read.count })}</span>
        <Time iso={read.at} className="tabular ml-auto text-meta text-ink-3" />
      </p>
      {read.items.length > 0 && (
        <ul className="mt-1">
          {read.items.map((item) => (
            <li key={`${item.id} ${item.version}`} className="min-h-6 py-0.5">
              <Shown item={item} />
            </li>
          ))}
        </ul>
      )}
      {further > 0 && <p className="text-meta text-ink-3">{t("reads.further", { count: further })}</p>}
    </li>
  );
}

function Shown({ item }: { item: ReadItem }) {
  const { t } = useI18n();
  const text = item.label === "" ? t("ledger.gone") : plain(item.label).text;
  if (item.kind !== "memory" || item.label === "")
    return <span className="line-clamp-2 wrap-anywhere text-ink-2">{text}</span>;
  return (
    <Link to="/memory" search={{ id: item.id }} className="line-clamp-2 wrap-anywhere hover:text-accent">
      {text}
    </Link>
  );
}
