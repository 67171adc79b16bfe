import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { plain } from "../../../../components/plain";
import { ScoreParts } from "../../../../components/ScoreParts";
import { useI18n } from "../../../../i18n/i18n";
import type { OrientationItem } from "../../../../ipc/bindings.gen";

type ItemProps = {
  item: OrientationItem;
  /** The text that says the same, if that is why it was left out. */
  same: string | undefined;
};

/** One candidate: its words, who stands behind it, and on asking the parts of its score. */
export function Item({ item, same }: ItemProps) {
  const { t, number } = useI18n();
  const id = useId();
  const [open, setOpen] = useState(false);
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const text = item.label === "" ? t("ledger.gone") : plain(item.label).text;
  const facts = [
    item.curator && t(`curator.by.${item.curator}`),
    item.importance !== null && t("ledger.importance", { value: number(item.importance, two) }),
    item.relevance !== null && t("ledger.relevance", { value: number(item.relevance, two) }),
    item.ageDays !== null && t("ledger.days", { count: Math.floor(item.ageDays) }),
    // What is withheld was never measured.
    item.tokens > 0 && t("ledger.itemTokens", { count: item.tokens }),
    item.shortened && t("ledger.shortened"),
  ].filter((it) => typeof it === "string");
  const words = "line-clamp-2 font-serif text-lead wrap-anywhere";
  const explained = item.score !== null && item.parts.length > 0;
  return (
    <li className="py-1">
      {item.kind === "memory" && item.label !== "" ? (
        <Link
          to="/memory"
          search={{ id: item.id }}
          className={`${words} min-h-6 rounded-sm py-0.5 text-ink hover:text-accent`}
        >
          {text}
        </Link>
      ) : item.kind === "page" && item.label !== "" ? (
        <Link
          to="/pages"
          search={{ id: item.id }}
          className={`${words} min-h-6 rounded-sm py-0.5 text-ink hover:text-accent`}
        >
          {text}
        </Link>
      ) : (
        <p className={`${words} py-0.5 ${item.label === "" ? "text-ink-3 italic" : "text-ink"}`}>{text}</p>
      )}
      {same !== undefined && (
        <p className="line-clamp-2 text-meta text-ink-2">
          {t("ledger.repeats", { label: plain(same).text })}
        </p>
      )}
      {explained ? (
        <>
          <button
            type="button"
            title={t("ledger.why")}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
            className="tabular -mx-1 flex min-h-6 w-[calc(100%+0.5rem)] flex-wrap items-center gap-x-2 rounded-sm px-1 text-left text-meta text-ink-3 hover:bg-hover hover:text-ink-2"
          >
            <span className="sr-only">{t("ledger.why")}: </span>
            {facts.map((it) => (
              <span key={it}>{it}</span>
            ))}
            <ChevronRight
              size={12}
              className={`shrink-0 transition-transform ${open ? "rotate-90" : ""}`}
              aria-hidden
            />
          </button>
          {open && (
            <div id={id} className="appear mb-2 border-l border-line pl-3">
              <ScoreParts parts={item.parts} score={item.score ?? 0} />
            </div>
          )}
        </>
      ) : (
        <p className="tabular flex flex-wrap gap-x-2 text-meta text-ink-3">
          {facts.map((it) => (
            <span key={it}>{it}</span>
          ))}
        </p>
      )}
    </li>
  );
}
