import { RotateCcw, X } from "lucide-react";
import { useRef, useState } from "react";
import { Button, IconButton } from "../../../components/Button";
import { Keys, useStrokeText } from "../../../components/Keys";
import { choose, holdersOf, useChosen } from "../../../components/shortcuts/chosen";
import type { Stroke } from "../../../components/shortcuts/strokes";
import { type ShortcutId, shortcutOf } from "../../../components/shortcuts/table";
import { useShortcutName } from "../../../components/shortcuts/useShortcutName";
import { useI18n } from "../../../i18n/i18n";
import { Recorder } from "./Recorder";

type RowProps = { id: ShortcutId; onAnnounce(text: string): void };

/** Strokes that others have, too: they are taken from them if that is wanted. */
type Asked = { strokes: readonly Stroke[]; stroke: Stroke; holders: ShortcutId[] };

/** What a shortcut does, its keys, and how to change them. */
export function ShortcutRow({ id, onAnnounce }: RowProps) {
  const { t, list } = useI18n();
  const text = useStrokeText();
  const nameOf = useShortcutName();
  const name = nameOf(id);
  const chosen = useChosen();
  const strokes = chosen.strokes(id);
  const { fixed, isFixed, strokes: first } = shortcutOf(id);
  const [refused, setRefused] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const row = useRef<HTMLDivElement>(null);
  const yes = useRef<HTMLButtonElement>(null);

  /** What had the focus may have gone. */
  const focusKeys = () =>
    setTimeout(() => row.current?.querySelector<HTMLElement>("[aria-pressed]")?.focus(), 0);
  const apply = (next: readonly Stroke[]) => {
    choose(id, next);
    setAsked(null);
    setRefused(null);
    focusKeys();
    const [stroke] = next;
    onAnnounce(
      stroke === undefined
        ? t("shortcuts.isOff", { name })
        : t("shortcuts.isNow", { name, keys: list(next.map(text)) }),
    );
  };
  const want = (next: readonly Stroke[]) => {
    for (const stroke of next) {
      const holders = holdersOf(stroke, id);
      const fixedOther = holders.find((it) => shortcutOf(it).fixed.includes(stroke));
      if (fixedOther !== undefined) {
        setRefused(t("shortcuts.refused.fixed", { keys: text(stroke), other: nameOf(fixedOther) }));
        return;
      }
      if (holders.length > 0) {
        setRefused(null);
        setAsked({ strokes: next, stroke, holders });
        setTimeout(() => yes.current?.focus(), 0);
        return;
      }
    }
    apply(next);
  };

  return (
    <div
      ref={row}
      data-setting={name}
      className="group/row flex min-h-9 flex-wrap items-center gap-x-6 py-0.5"
    >
      <p className="min-w-0 flex-1 text-ui text-ink">{name}</p>
      <div className="flex items-center gap-1">
        {chosen.isChanged(id) && (
          <IconButton
            data-secondary
            label={t("shortcuts.resetFor", { name })}
            className="size-6!"
            onClick={() => want(first)}
          >
            <RotateCcw size={14} aria-hidden />
          </IconButton>
        )}
        {fixed.map((stroke) => (
          <span
            key={stroke}
            title={t("shortcuts.fixed", { keys: text(stroke) })}
            className="px-1.5 opacity-75"
          >
            <Keys keys={stroke} />
          </span>
        ))}
        {!isFixed &&
          (strokes.length > 0 ? strokes : [null]).map((stroke, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the button stays, and keeps the focus, when its key is changed
            <span key={n} className="inline-flex items-center">
              {stroke !== null && (
                <IconButton
                  data-secondary
                  label={t("shortcuts.removeFor", { keys: text(stroke), name })}
                  className="size-6! opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
                  onClick={() => apply(strokes.toSpliced(n, 1))}
                >
                  <X size={14} aria-hidden />
                </IconButton>
              )}
              <Recorder
                name={name}
                stroke={stroke}
                onBegin={() => {
                  setAsked(null);
                  setRefused(null);
                }}
                onLeave={() => setRefused(null)}
                onRefused={setRefused}
                onStroke={(next) => want(stroke === null ? [next] : strokes.with(n, next))}
              />
            </span>
          ))}
      </div>
      {refused !== null && (
        <p role="alert" className="basis-full pb-1 text-meta text-pretty text-danger">
          {refused}
        </p>
      )}
      {asked && (
        <div
          role="alert"
          className="mb-1 flex basis-full flex-wrap items-center gap-2 rounded-md bg-warn-wash px-3 py-2"
        >
          <p className="min-w-0 flex-1 text-ui text-pretty text-ink">
            {t("shortcuts.taken", {
              keys: text(asked.stroke),
              others: list(asked.holders.map((it) => t("text.quoted", { text: nameOf(it) }))),
            })}
          </p>
          <Button ref={yes} onClick={() => apply(asked.strokes)}>
            {t("shortcuts.take")}
          </Button>
          <Button
            look="ghost"
            onClick={() => {
              setAsked(null);
              focusKeys();
            }}
          >
            {t("action.cancel")}
          </Button>
        </div>
      )}
    </div>
  );
}
