import { clsx } from "clsx";
import { useState } from "react";
import { Button } from "../../../../components/Button";
import { LAYER_TINT } from "../../../../components/layers";
import { useI18n } from "../../../../i18n/i18n";
import type { OrientationItem, OrientationLayer } from "../../../../ipc/bindings.gen";
import { Item } from "./Item";

type LayerItemsProps = {
  title: string;
  layer?: OrientationLayer;
  items: OrientationItem[];
  labels: ReadonlyMap<string, string>;
  /** How many are shown before one asks for more. */
  first?: number;
};

/** Items of one layer, or left out by one rule. */
export function LayerItems({ title, layer, items, labels, first = 12 }: LayerItemsProps) {
  const { t, number } = useI18n();
  const [all, setAll] = useState(false);
  if (items.length === 0) return null;
  const shown = all ? items : items.slice(0, first);
  return (
    <section aria-label={title} className="border-t border-line py-2.5">
      <h5 className="flex min-h-6 items-center gap-2 text-meta text-ink-2">
        {layer && <span aria-hidden className={clsx("size-2 shrink-0 rounded-full", LAYER_TINT[layer])} />}
        <span className="min-w-0 flex-1">{title}</span>
        <span className="tabular text-ink-3">{number(items.length)}</span>
      </h5>
      <ul>
        {shown.map((item) => (
          <Item key={`${item.kind}-${item.id}`} item={item} same={labels.get(item.repeats ?? "")} />
        ))}
      </ul>
      {shown.length < items.length && (
        <Button look="ghost" className="-ml-3 h-7!" onClick={() => setAll(true)}>
          {t("ledger.showMore", { count: items.length - shown.length })}
        </Button>
      )}
    </section>
  );
}
