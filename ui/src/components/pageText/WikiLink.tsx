import { Link } from "@tanstack/react-router";
import { Paperclip } from "lucide-react";
import { type ReactNode, useContext } from "react";
import { useI18n } from "../../i18n/i18n";
import type { PageLinkView } from "../../ipc/bindings.gen";
import { UnknownLink } from "../UnknownLink";
import { PageTextContext } from "./context";

type LinkedProps = { link: PageLinkView; children: ReactNode };

/** What a link of a page leads to: another page, an attachment by its name, or nothing that is there. */
export function LinkedPage({ link, children }: LinkedProps) {
  const { t } = useI18n();
  if (link.pageId !== null)
    return (
      <Link
        to="/pages"
        search={({ vault, q }: { vault?: string; q?: string }) => ({
          vault,
          q,
          id: link.pageId ?? undefined,
          heading: link.heading ?? undefined,
        })}
        title={link.title ?? undefined}
        className="text-accent underline decoration-dotted underline-offset-3"
      >
        {children}
      </Link>
    );
  if (link.attachment !== null)
    return (
      <span
        title={link.attachment}
        className="inline-flex max-w-full items-center gap-1 rounded-sm bg-sunken px-2 font-sans text-meta text-ink-2"
      >
        <Paperclip size={12} className="shrink-0" aria-hidden />
        <span className="sr-only">{t("vault.attachment")}: </span>
        {children}
      </span>
    );
  return <UnknownLink reason={t("vault.noSuchPage")}>{children}</UnknownLink>;
}

/** A wiki link in the text of a page. */
export function WikiLink({ written, children }: { written: string; children: ReactNode }) {
  const link = useContext(PageTextContext)?.linkOf(written);
  return link ? <LinkedPage link={link}>{children}</LinkedPage> : children;
}
