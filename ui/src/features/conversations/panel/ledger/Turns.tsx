import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../../../components/Button";
import { useFocusFallback } from "../../../../components/hooks";
import { Answer, PanelEmpty } from "../../../../components/Panel";
import { Reads } from "../../../../components/Reads";
import { ShowMore } from "../../../../components/ShowMore";
import { Time } from "../../../../components/Time";
import { useI18n } from "../../../../i18n/i18n";
import { orientationQuery, orientationsQuery } from "../../../../ipc/queries";
import { OF_MESSAGE } from "../../view";
import { Ledger } from "./Ledger";

type TurnsProps = { refCode: string; shown: string; onShown(shown: string | undefined): void };

/** The ledgers of a conversation, newest first, or one of them. */
export function Turns({ refCode, shown, onShown }: TurnsProps) {
  const { t } = useI18n();
  const box = useRef<HTMLDivElement>(null);
  useFocusFallback(box);
  if (shown === "turns")
    return (
      <div ref={box} tabIndex={-1} className="outline-none">
        <List refCode={refCode} onShown={onShown} />
        <Reads of={{ conversation: refCode }} title={t("reads.title")} />
      </div>
    );
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <Button look="ghost" className="-ml-2 mb-2 px-2!" onClick={() => onShown("turns")}>
        <ChevronLeft size={14} aria-hidden />
        {t("ledger.back")}
      </Button>
      {shown.startsWith(OF_MESSAGE) ? (
        <Found refCode={refCode} messageId={shown.slice(OF_MESSAGE.length)} />
      ) : (
        <One id={shown} />
      )}
    </div>
  );
}

function One({ id }: { id: string }) {
  const query = useQuery(orientationQuery(id));
  return <Answer query={query}>{(view) => <Ledger view={view} of={{ orientationId: id }} />}</Answer>;
}

/** Looks for the ledger of an answer, page after page. */
function Found({ refCode, messageId }: { refCode: string; messageId: string }) {
  const { t } = useI18n();
  const query = useInfiniteQuery(orientationsQuery(refCode));
  const { data, error, refetch, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const found = data?.pages.flatMap((page) => page.rows).find((it) => it.messageId === messageId);
  const looking = data === undefined || (!found && hasNextPage && !isFetchNextPageError);
  useEffect(() => {
    if (data && !found && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [data, found, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  if (found) return <One id={found.id} />;
  return (
    <Answer query={{ data: looking ? undefined : null, error, refetch }}>
      {() => <PanelEmpty title={t("ledger.unknown")} body={t("ledger.unknownBody")} />}
    </Answer>
  );
}

function List({ refCode, onShown }: Omit<TurnsProps, "shown">) {
  const { t } = useI18n();
  const options = orientationsQuery(refCode);
  const query = useInfiniteQuery(options);
  const rows = query.data?.pages.flatMap((page) => page.rows);
  return (
    <Answer query={{ data: rows, error: query.error, refetch: query.refetch }}>
      {(rows) =>
        rows.length === 0 ? (
          <PanelEmpty title={t("ledger.none")} body={t("ledger.noneBody")} />
        ) : (
          <>
            <ul aria-label={t("ledger.turns")} className="divide-y divide-line border-t border-line">
              {rows.map((row) => (
                <li key={row.id}>
                  <button
                    type="button"
                    onClick={() => onShown(row.id)}
                    className="focus-inset -mx-2 block w-[calc(100%+1rem)] rounded-sm px-2 py-2.5 text-left hover:bg-hover"
                  >
                    <span className="line-clamp-2 font-serif text-lead wrap-anywhere text-ink">
                      {row.query === "" ? t("ledger.noQuestion") : row.query}
                    </span>
                    <span className="tabular mt-0.5 flex flex-wrap gap-x-2 text-meta text-ink-3">
                      <Time iso={row.at} />
                      <span aria-hidden>·</span>
                      <span>{t("ledger.counts", { taken: row.taken, leftOut: row.leftOut })}</span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            <ShowMore queryKey={options.queryKey} query={query}>
              {t("ledger.more")}
            </ShowMore>
          </>
        )
      }
    </Answer>
  );
}
