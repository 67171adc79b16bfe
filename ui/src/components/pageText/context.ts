import { createContext } from "react";
import type { PageLinkView } from "../../ipc/bindings.gen";

/** What the text of a page needs beyond that of a memory. */
export type PageTextValue = {
  /** Where the shown text begins in the content of the page. */
  offset: number;
  /** The link that is written like this, without what is shown for it. */
  linkOf(written: string): PageLinkView | undefined;
};

/** `null`: the text is not that of a page, and brackets in it are brackets. */
export const PageTextContext = createContext<PageTextValue | null>(null);

/** The id of a heading in the document, by where it begins in the content of the page. */
export const headingId = (start: number) => `user-content-${headingName(start)}`;

/** The id before the sanitiser puts its own word in front of it. */
export const headingName = (start: number) => `heading-${start}`;

/** The links of a page by the way they are written. */
export function linksByText(links: readonly PageLinkView[]): PageTextValue["linkOf"] {
  const byText = new Map<string, PageLinkView>();
  for (const link of links) {
    const written = link.heading === null ? link.target : `${link.target}#${link.heading}`;
    if (!byText.has(written)) byText.set(written, link);
  }
  return (written) => byText.get(written) ?? byText.get(written.replace("#^", "#"));
}
