import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { KindIcon, useKindName } from "../../../components/SubjectKind";
import { visible } from "../../../components/visible";
import type { PageRow } from "../../../ipc/bindings.gen";

type PageLinksProps = {
  title: string;
  pages: readonly PageRow[];
  className: string;
};

/** Pages of linked folders that belong to the world. Each opens among the pages. */
export function PageLinks({ title, pages, className }: PageLinksProps) {
  const id = useId();
  const nameOf = useKindName();
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby={id} className={className}>
      <h3 id={id} className="text-ui font-strong text-ink">
        {title}
      </h3>
      <ul className="mt-1">
        {pages.map((page) => (
          <li key={page.id}>
            <Link
              to="/pages"
              search={{ id: page.id }}
              className="flex min-h-6 items-center gap-2 rounded-sm py-1 text-ui text-ink hover:text-accent"
            >
              <KindIcon kind={page.pageKind ?? ""} className="shrink-0 text-ink-3" />
              <span className="min-w-0 truncate">{visible(page.title)}</span>
              {page.pageKind !== null && (
                <span className="shrink-0 text-meta text-ink-3">{nameOf(page.pageKind)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
