import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { WITHHOLDING } from "../../../../components/layers";
import { useI18n } from "../../../../i18n/i18n";
import type { OrientationItem } from "../../../../ipc/bindings.gen";
import { LayerItems } from "./LayerItems";

/** True for what somebody does not know, or not yet. */
export const isWithheld = ({ rule }: OrientationItem) => WITHHOLDING.some((it) => it === rule);

type WithheldProps = { items: OrientationItem[]; labels: ReadonlyMap<string, string> };

/** What the lens withholds: a count, and the items on request. */
export function Withheld({ items, labels }: WithheldProps) {
  const { t, number } = useI18n();
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <section aria-label={t("ledger.withheld")} className="border-t border-line py-1">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-2 rounded-sm text-left text-ui font-strong text-ink"
      >
        <ChevronRight
          size={13}
          className={`shrink-0 text-ink-3 transition-transform ${open ? "rotate-90" : ""}`}
          aria-hidden
        />
        <span className="min-w-0 flex-1">{t("ledger.withheld")}</span>
        <span className="tabular text-meta font-normal text-ink-3">{number(items.length)}</span>
      </button>
      {open && (
        <div id={id} className="appear mt-1">
          {WITHHOLDING.map((rule) => (
            <LayerItems
              key={rule}
              title={t(`ledger.rule.${rule}`)}
              items={items.filter((it) => it.rule === rule)}
              labels={labels}
              first={4}
            />
          ))}
        </div>
      )}
    </section>
  );
}
