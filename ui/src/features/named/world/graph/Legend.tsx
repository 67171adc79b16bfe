import { clsx } from "clsx";
import { useKindName } from "../../../../components/SubjectKind";
import { useI18n } from "../../../../i18n/i18n";
import { colourOf, shapeOf } from "./shapes";

/** The shape of a kind in its colour, as the picture has it. */
export function KindShape({ kind, size = 14 }: { kind: string; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="-1.4 -1.4 2.8 2.8" className="shrink-0" aria-hidden>
      <polygon points={shapeOf(kind).join(" ")} fill={`var(--${colourOf(kind)})`} />
    </svg>
  );
}

type LegendProps = {
  /** How many subjects each kind has. */
  kinds: readonly [string, number][];
  hidden: readonly string[];
  onChange(hidden: string[]): void;
};

/** What the shapes mean. Each can be left out. */
export function Legend({ kinds, hidden, onChange }: LegendProps) {
  const { t, number } = useI18n();
  const nameOf = useKindName();
  return (
    <ul aria-label={t("graph.legend")} className="flex min-w-0 flex-wrap gap-x-1 gap-y-0.5">
      {kinds.map(([kind, count]) => {
        const isShown = !hidden.includes(kind);
        return (
          <li key={kind}>
            <button
              type="button"
              aria-pressed={isShown}
              onClick={() => onChange(isShown ? [...hidden, kind] : hidden.filter((it) => it !== kind))}
              className={clsx(
                "inline-flex h-7 items-center gap-1.5 rounded-sm px-2 text-meta hover:bg-hover",
                isShown ? "text-ink" : "text-ink-3 line-through [&_svg]:opacity-40",
              )}
            >
              <KindShape kind={kind} />
              {nameOf(kind)}
              <span className="tabular text-ink-3">{number(count)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
