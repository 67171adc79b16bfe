import { CalendarDays, Eye, Info } from "lucide-react";
import { useMemo, useState } from "react";
import { Differing } from "../../../../components/Differing";
import { Knowers } from "../../../../components/lens/KnownBy";
import { Time } from "../../../../components/Time";
import { Side as Column } from "../../../../components/TwoVersions";
import { wordParts } from "../../../../components/words";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide } from "../../../../ipc/bindings.gen";
import { WAY } from "./kind";
import { kindOf, stateOf } from "./kinds";
import type { About } from "./useAbout";

type SideProps = { title: string; side: DriftSide; other: DriftSide; about: About };

/** One side of a contradiction: where it lives, who wrote it, its text, when it holds, and who knows of it. */
export function Side({ title, side, other, about }: SideProps) {
  const { t } = useI18n();
  const { Icon, Place, Way, writer, writtenAt, words } = kindOf(side);
  const by = writer(side, t);
  const at = writtenAt(side);
  const state = stateOf(side);
  const { storyTime, knownBy } = about;
  return (
    <Column title={title} note={<Way side={side} />}>
      {by !== null && (
        <div className="mb-3 text-meta text-ink-2">
          <p className="flex items-start gap-1.5 wrap-anywhere">
            <span className="mt-0.5">
              <Icon side={side} size={12} />
            </span>
            <span className="min-w-0">
              <Place side={side} />
            </span>
          </p>
          <p className="mt-0.5 text-ink-3">
            {by}
            {at !== null && (
              <>
                {" · "}
                <Time iso={at} />
              </>
            )}
          </p>
        </div>
      )}
      {side.text !== "" && <Text text={side.text} other={kindOf(other).words(other)} whole={words(side)} />}
      {storyTime && (
        <p className="mt-2 flex items-start gap-2 text-ui text-ink-2">
          <CalendarDays size={14} strokeWidth={1.75} className="mt-0.75 shrink-0 text-ink-3" aria-hidden />
          {storyTime.text}
        </p>
      )}
      {knownBy.length > 0 && (
        <div className="mt-1 flex items-start gap-2 text-ui">
          <span className="flex h-8 shrink-0 items-center text-ink-3">
            <Eye size={14} strokeWidth={1.75} aria-hidden />
          </span>
          <div className="flex min-w-0 flex-wrap items-center gap-x-3">
            <Knowers knowers={knownBy} />
          </div>
        </div>
      )}
      {state !== null && (
        <p className="mt-3 flex items-start gap-2 text-ui text-pretty text-ink-2">
          <Info size={14} className="mt-0.75 shrink-0 text-ink-3" aria-hidden />
          {t(`drift.side.${state}`)}
        </p>
      )}
    </Column>
  );
}

/** Letters of a text that is shown whole at once. A longer one would put the decisions out of sight. */
const WHOLE = 600;
/** Letters of a text that is short enough to be marked however much of it differs. */
const SHORT = 120;
/** The share of a longer text that both must have in common for marks to say something. */
const IN_COMMON = 0.2;

type TextProps = { text: string; other: string; whole: string };

/** The words that the other side does not have are marked, unless that is nearly all of a long text. */
function Text({ text, other, whole }: TextProps) {
  const isMarked = useMemo(() => {
    if (whole.length <= SHORT) return true;
    const kept = wordParts(other, whole).filter((part) => !part.added && !part.removed);
    return kept.reduce((sum, part) => sum + part.value.length, 0) >= IN_COMMON * whole.length;
  }, [whole, other]);
  const [isWhole, setIsWhole] = useState(text.length <= WHOLE);
  const { t } = useI18n();
  return (
    <>
      {/* Twelve lines. */}
      <div className={isWhole ? undefined : "max-h-66 overflow-hidden"}>
        {isMarked ? (
          <Differing text={text} other={other} />
        ) : (
          <p className="memory-prose text-snippet! whitespace-pre-wrap">{text}</p>
        )}
      </div>
      {text.length > WHOLE && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className={`${WAY} mt-1!`}
        >
          {t(isWhole ? "drift.less" : "drift.whole")}
        </button>
      )}
    </>
  );
}
