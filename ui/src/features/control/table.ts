/** The looks of the tables of this page: hairlines, quiet heads. */
export const HEAD = "h-8 border-b border-line text-left text-meta text-ink-3 [&>*]:font-normal [&>*]:px-3";
export const ROW = "border-b border-line align-top [&>*]:px-3 [&>*]:py-3";
export const EDGES = "[&_tr>:first-child]:pl-0 [&_tr>:last-child]:pr-0";
