import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { INPUT, ShareSlider, Switch } from "../../../components/Fields";
import { useLatest } from "../../../components/hooks";
import { Select } from "../../../components/Select";
import { TagInput } from "../../../components/TagInput";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail } from "../../../ipc/bindings.gen";
import { curveQuery } from "../../../ipc/queries";
import { LIFETIMES } from "../list/BulkBar";
import { useWrites } from "../useWrites";
import { Section } from "./Section";

/** The longest title that the core takes. */
const MOST_TITLE = 300;

/** Ten presses of an arrow key are one decision and should be one version: waits until the hand rests. */
function useSettledCommit(write: (value: number) => void): (value: number) => void {
  const latest = useLatest(write);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; value: number }>(undefined);
  const flush = useCallback(() => {
    if (!waiting.current) return;
    clearTimeout(waiting.current.timer);
    const { value } = waiting.current;
    waiting.current = undefined;
    latest.current(value);
  }, [latest]);
  useEffect(() => flush, [flush]);
  return useCallback(
    (value) => {
      if (waiting.current) clearTimeout(waiting.current.timer);
      waiting.current = { timer: setTimeout(flush, 400), value };
    },
    [flush],
  );
}

/** The title as it is typed: written when the field is left or Enter is pressed, and as it was after Escape. */
function TitleField({
  title,
  disabled,
  onCommit,
}: {
  title: string;
  disabled: boolean;
  onCommit(title: string): void;
}) {
  const { t } = useI18n();
  const [text, setText] = useState(title);
  useEffect(() => setText(title), [title]);
  const commit = () => {
    if (text.trim() !== title) onCommit(text.trim());
  };
  return (
    <input
      value={text}
      aria-label={t("prop.name")}
      disabled={disabled}
      maxLength={MOST_TITLE}
      autoComplete="off"
      className={INPUT}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key === "Escape" && text !== title) {
          event.preventDefault();
          event.stopPropagation();
          setText(title);
        }
      }}
    />
  );
}

/** What can be set without touching the text. Each change is written at once and can be undone. */
export function Properties({ detail, readOnly }: { detail: MemoryDetail; readOnly: boolean }) {
  const { row } = detail;
  const { t, number } = useI18n();
  const writes = useWrites();
  const [importance, setImportance] = useState(row.importance);
  useEffect(() => setImportance(row.importance), [row.importance]);
  const commit = useSettledCommit((value: number) => {
    if (value !== row.importance) void writes.patch(row, { importance: value });
  });
  const disabled = readOnly || row.forgottenAt !== null;
  const named = row.name !== null;
  const fades = useQuery({ ...curveQuery(row.id), enabled: row.forgottenAt === null }).data?.exempt == null;
  const unpinned = !detail.locked ? "prop.pinnedOff" : fades ? "prop.pinnedOffFades" : "prop.pinnedOn";
  return (
    <Section title={t("prop.title")}>
      <div className="grid max-w-md grid-cols-[6rem_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
        {/* A named entry has a name and aliases in their place. */}
        {!named && (
          <>
            <span className="text-ui text-ink-2">{t("prop.name")}</span>
            <TitleField
              title={row.title ?? ""}
              disabled={disabled}
              onCommit={(title) => void writes.patch(row, { title })}
            />
            <span className="self-start pt-0.5 text-ui text-ink-2">{t("prop.keys")}</span>
            <div className="max-h-40 min-w-0 overflow-y-auto">
              <TagInput
                label={t("prop.keys")}
                tags={detail.keys}
                disabled={disabled}
                add={t("prop.keysAdd")}
                remove={(name) => t("prop.keysRemove", { name })}
                onChange={(keys) => void writes.patch(row, { keys })}
              />
            </div>
          </>
        )}
        <span className="text-ui text-ink-2">{t("prop.importance")}</span>
        <div className="flex items-center gap-3">
          <ShareSlider
            label={t("prop.importance")}
            value={importance}
            onChange={setImportance}
            onCommit={commit}
            disabled={disabled}
          />
          <output className="tabular w-8 text-right text-ui text-ink">
            {number(importance, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
          </output>
        </div>
        <span className="self-start pt-0.5 text-ui text-ink-2">{t("prop.pinned")}</span>
        <div className="flex items-start gap-3">
          <Switch
            label={t("prop.pinned")}
            checked={row.pinned}
            disabled={disabled}
            onChange={(pinned) => void writes.patch(row, { pinned })}
          />
          <span className="pt-1 text-meta text-pretty text-ink-2">
            {t(row.pinned ? "prop.pinnedOn" : unpinned)}
          </span>
        </div>
        <span className="text-ui text-ink-2">{t("lifetime.label")}</span>
        <div className="-ml-2">
          <Select
            ghost
            label={t("lifetime.label")}
            value={row.lifetime}
            disabled={disabled}
            onChange={(lifetime) => lifetime !== row.lifetime && void writes.patch(row, { lifetime })}
            options={LIFETIMES.map((lifetime) => ({ value: lifetime, label: t(`lifetime.${lifetime}`) }))}
          />
        </div>
        <span className="self-start pt-0.5 text-ui text-ink-2">{t("prop.tags")}</span>
        <TagInput
          label={t("prop.tags")}
          tags={row.tags}
          disabled={disabled}
          onChange={(tags) => void writes.patch(row, { tags })}
        />
      </div>
    </Section>
  );
}
