import { X } from "lucide-react";
import { useId, useRef } from "react";
import { useI18n } from "../../i18n/i18n";
import type { MemoryRow, Scope } from "../../ipc/bindings.gen";
import { IconButton } from "../Button";
import { factText, MemoryPicker, textOf } from "../MemoryPicker";
import { TierIcon } from "../Tier";

/** A memory or a fact that a test expects. */
export type Item = {
  id: string;
  text: string;
  /** The tier of a memory; null: it is a fact. */
  scope: Scope | null;
};

export function itemOf(row: MemoryRow): Item {
  const heading = row.name ?? row.title;
  const text = heading === null ? textOf(row) : `${heading}: ${textOf(row)}`;
  return { id: row.id, text, scope: row.scope };
}

type ItemsFieldProps = {
  label: string;
  items: readonly Item[];
  /** Ids that are named already. */
  without: readonly string[];
  /** False: there is no room for more. */
  canAdd: boolean;
  onChange(items: Item[]): void;
};

/** Memories and facts, each added by its words. */
export function ItemsField({ label, items, without, canAdd, onChange }: ItemsFieldProps) {
  const { t } = useI18n();
  const id = useId();
  const box = useRef<HTMLFieldSetElement>(null);
  const remove = (item: Item) => {
    onChange(items.filter((it) => it.id !== item.id));
    // Its button is gone with the line.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>("button:last-of-type")?.focus());
  };
  return (
    <fieldset ref={box} aria-labelledby={id} className="min-w-0">
      <legend id={id} className="mb-1 text-meta text-ink-2">
        {label}
      </legend>
      {items.length > 0 && (
        <ul aria-label={label} className="mb-2">
          {items.map((item) => (
            <li key={item.id} className="flex items-center gap-2 border-b border-line py-1 first:border-t">
              {item.scope === null ? (
                <span className="shrink-0 text-meta text-ink-3">{t("recall.fact")}</span>
              ) : (
                <>
                  <TierIcon scope={item.scope} />
                  <span className="sr-only">{t(`tier.${item.scope}`)}: </span>
                </>
              )}
              <span className="min-w-0 flex-1 truncate font-serif text-snippet text-ink" title={item.text}>
                {item.text}
              </span>
              <IconButton
                className="size-7!"
                label={t("recall.removeItem", { item: item.text })}
                onClick={() => remove(item)}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {canAdd && (
        <MemoryPicker
          over
          label={t("recall.addItem")}
          value={null}
          without={without}
          onChange={(row) => onChange([...items, itemOf(row)])}
          onFact={(fact) => onChange([...items, { id: fact.id, text: factText(fact), scope: null }])}
        />
      )}
    </fieldset>
  );
}
