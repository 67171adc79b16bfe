import { clsx } from "clsx";
import type { ReactNode, RefObject } from "react";
import { Rows, type RowsProps } from "../../components/Rows";
import { Failed } from "../../components/States";
import type { MorePages } from "../../components/useMorePages";
import { Loading } from "./Loading";
import { useView } from "./view";

type ListAndDetailProps<T> = Omit<RowsProps<T>, "keyOf" | "onOpen" | "onFollow" | "more"> & {
  query: { error: unknown; isPending: boolean; refetch(): unknown; more: MorePages };
  /** Of what is open. It takes the focus when a row is opened with a key. */
  region: RefObject<HTMLElement | null>;
  above: ReactNode;
  below?: ReactNode;
  /** In place of the list, where there is nothing to choose. */
  empty: ReactNode;
  /** What is open, if anything is. */
  detail: ReactNode;
  /** In its place, where the list has not what the address names. */
  gone?: ReactNode;
};

/** A list, and next to it what is open of it. */
export function ListAndDetail<T extends { id: string }>(props: ListAndDetailProps<T>) {
  const { query, region, above, below, empty, detail, gone, ...rows } = props;
  const { view, go } = useView();
  const isEmpty = rows.items.length === 0;
  // Where there is nothing to choose, nothing stands next to it.
  const isAlone = isEmpty && !query.isPending;
  const show = (item: T) => go({ id: item.id }, { replace: true });
  return (
    <>
      <div
        className={clsx(
          "flex flex-col",
          isAlone
            ? "min-w-0 flex-1"
            : "w-[clamp(18.75rem,32%,27.5rem)] narrow:w-60 shrink-0 border-r border-line",
        )}
      >
        {above}
        {query.error && isEmpty ? (
          <Failed error={query.error} onRetry={() => void query.refetch()} />
        ) : query.isPending ? (
          <Loading height={rows.height} />
        ) : isEmpty ? (
          empty
        ) : (
          <Rows
            {...rows}
            keyOf={(item) => item.id}
            onOpen={(item, how) => {
              show(item);
              if (how === "enter") setTimeout(() => region.current?.focus(), 0);
            }}
            onFollow={show}
            more={query.more}
          />
        )}
        {below}
      </div>
      {detail ||
        (gone && view.id !== undefined && !query.isPending && !isEmpty ? (
          <div className="flex min-w-0 flex-1 items-center justify-center">{gone}</div>
        ) : (
          !isAlone && <div className="min-w-0 flex-1" />
        ))}
    </>
  );
}
