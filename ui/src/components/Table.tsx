import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useIsNarrow } from "../preferences/width";

/** A row of such a table. */
export const ROW = "border-b border-line align-top [&>*]:px-3 [&>*]:py-3";

export type Column = {
  /** Null: a column of buttons, which needs no name. */
  label: string | null;
  /** A class that sets the width; without one it takes what is left. */
  width?: string;
  /** For figures: they end at one edge. */
  end?: boolean;
  title?: string;
};

type TableProps = {
  /** For those who do not see what stands around it. */
  caption?: string;
  columns: readonly Column[];
  className?: string;
  /** Small figures beside a text, without a line. */
  dense?: boolean;
  /** Rows. */
  children: ReactNode;
  /** The row of sums. */
  foot?: ReactNode;
};

/** Hairlines, a quiet head, and the outer edges flush with the text around. */
export function Table({ caption, columns, className, dense, children, foot }: TableProps) {
  const isNarrow = useIsNarrow();
  const table = (
    <table
      className={clsx(
        "tabular [&_tr>:first-child]:pl-0 [&_tr>:last-child]:pr-0",
        dense ? "text-meta" : "text-ui",
        className ?? "w-full",
      )}
    >
      {caption && <caption className="sr-only">{caption}</caption>}
      <thead>
        <tr
          className={clsx(
            "text-left text-meta text-ink-3 [&>*]:font-normal",
            dense ? "h-6" : "h-8 border-b border-line [&>*]:px-3",
          )}
        >
          {columns.map(({ label, width, end, title }, at) =>
            label === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns stay in their places
              <td key={at} className={width} />
            ) : (
              <th key={label} scope="col" title={title} className={clsx(width, end && "text-right")}>
                {label}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  );
  if (!isNarrow || dense) return table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached from the keyboard
    <section aria-label={caption} tabIndex={0} className="focus-inset overflow-x-auto">
      {table}
    </section>
  );
}
