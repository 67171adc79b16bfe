import { useQuery } from "@tanstack/react-query";
import { ChevronRight, RotateCcw } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../../components/Button";
import { Failed } from "../../../components/States";
import { Time } from "../../../components/Time";
import { WordDiff } from "../../../components/WordDiff";
import { type I18n, useI18n } from "../../../i18n/i18n";
import type { MessageKey } from "../../../i18n/messages";
import { messages } from "../../../i18n/messages";
import type { HistoryItem, MemoryRow } from "../../../ipc/bindings.gen";
import { historyQuery } from "../../../ipc/queries";
import { useWrites } from "../useWrites";
import { Section } from "./Section";

/** Every version, newest first, with what each changed and a way back to it. */
export function History({ row, readOnly }: { row: MemoryRow; readOnly: boolean }) {
  const { t } = useI18n();
  const writes = useWrites();
  const { data, error, refetch } = useQuery(historyQuery(row.id));
  return (
    <Section title={t("history.title")}>
      {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      <ol className="-mx-2">
        {data?.map((item, i) => (
          <Version
            key={item.version}
            item={item}
            older={data[i + 1]}
            onRestore={
              item.current || readOnly ? undefined : () => void writes.restoreVersion(row, item.version)
            }
          />
        ))}
      </ol>
    </Section>
  );
}

/** What changed besides the text, in words. */
function changes(item: HistoryItem, older: HistoryItem | undefined, { t, number, list }: I18n): string[] {
  if (!older) return [];
  const words: string[] = [];
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (item.importance !== older.importance) {
    words.push(
      t("history.importance", { from: number(older.importance, two), to: number(item.importance, two) }),
    );
  }
  if (item.lifetime !== older.lifetime) {
    words.push(
      t("history.lifetime", { from: t(`lifetime.${older.lifetime}`), to: t(`lifetime.${item.lifetime}`) }),
    );
  }
  const added = item.tags.filter((tag) => !older.tags.includes(tag));
  const removed = older.tags.filter((tag) => !item.tags.includes(tag));
  if (added.length > 0) words.push(t("history.tagsAdded", { tags: list(added) }));
  if (removed.length > 0) words.push(t("history.tagsRemoved", { tags: list(removed) }));
  if (item.pinned !== older.pinned) words.push(t(item.pinned ? "history.pinned" : "history.unpinned"));
  return words;
}

type VersionProps = {
  item: HistoryItem;
  older: HistoryItem | undefined;
  onRestore: (() => void) | undefined;
};

function Version({ item, older, onRestore }: VersionProps) {
  const i18n = useI18n();
  const { t } = i18n;
  const [open, setOpen] = useState(false);
  const key = `history.action.${item.action}`;
  const action = t(key in messages ? (key as MessageKey) : "history.action.other");
  const words = changes(item, older, i18n);
  const sameText = older !== undefined && older.content === item.content;
  return (
    <li>
      <div className="group flex items-center gap-1 rounded-md pr-1 hover:bg-hover">
        <button
          type="button"
          aria-expanded={open}
          title={t(open ? "history.hide" : "history.compare")}
          onClick={() => setOpen(!open)}
          className="focus-inset flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1 text-left text-ui"
        >
          <ChevronRight
            size={14}
            className={`shrink-0 text-ink-3 transition-transform ${open ? "rotate-90" : ""}`}
            aria-hidden
          />
          <span className="tabular w-5 shrink-0 text-right text-ink-3">{item.version}</span>
          <span className="min-w-0 flex-1 truncate text-ink">
            {action}
            <span className="text-ink-2">
              {" "}
              ·{" "}
              {item.action === "setup"
                ? t(`actorKind.${item.actorKind}`)
                : t("history.by", {
                    who: t(`actorKind.${item.actorKind}`),
                    interface: t(`interface.${item.interface}`),
                  })}
            </span>
            {words.length > 0 && <span className="text-ink-2"> · {words.join("; ")}</span>}
          </span>
          {item.current && <span className="shrink-0 text-meta text-accent">{t("history.current")}</span>}
          <Time iso={item.at} className="shrink-0 text-meta text-ink-3" />
        </button>
        {onRestore ? (
          <IconButton label={t("history.restore")} onClick={onRestore} className="size-7!">
            <RotateCcw size={14} aria-hidden />
          </IconButton>
        ) : (
          <span className="size-7" />
        )}
      </div>
      {open && (
        <div className="appear mx-2 mb-3 ml-9 border-l border-line py-1 pl-4">
          {sameText ? (
            <p className="text-ui text-ink-2">{t("history.same")}</p>
          ) : (
            <WordDiff before={older?.content ?? item.content} after={item.content} />
          )}
          {!older && <p className="mt-2 text-meta text-ink-3">{t("history.first")}</p>}
        </div>
      )}
    </li>
  );
}
