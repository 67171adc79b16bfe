import { type ReactNode, useMemo, useState } from "react";
import { Differing } from "../../../../components/Differing";
import { NamedText } from "../../../../components/names/NameLink";
import { wordParts } from "../../../../components/words";
import { useI18n } from "../../../../i18n/i18n";
import { WAY, written } from "./kind";

/** Letters of a text that is shown whole at once. A longer one would put the decisions out of sight. */
const WHOLE = 600;
/** Letters of a text that is short enough to be marked however much of it differs. */
const SHORT = 120;
/** The share of a longer text that both must have in common for marks to say something. */
const IN_COMMON = 0.2;
/** Letters of a text in which its sentences are found at a glance, so that they are not shown above it as well. */
const GLANCE = 240;
/** Letters that a text has besides its sentences while it says no more than they do. */
const NO_MORE = 40;

type TextProps = {
  text: string;
  /** The sentences that contradict the other side; none: all of the text does. */
  sentences: readonly string[];
  /** The words of the other side. */
  other: string;
  /** All words that this side is compared by. */
  whole: string;
};

/** The text of a side. Of a long one the sentences that contradict the other side come first. */
export function Text({ text, sentences, other, whole }: TextProps) {
  const { t } = useI18n();
  if (sentences.length === 0) return <Marked text={text} other={other} whole={whole} />;
  if (text.length <= GLANCE && sentences.every((it) => text.includes(it)))
    return <Differing text={text} other={other} within={sentences} />;
  const compared = written(sentences);
  if (text.length <= compared.length + NO_MORE) return <Differing text={text} other={other} />;
  return (
    <>
      <Differing text={compared} other={other} within={sentences} />
      <h4 className="mt-4 mb-1 text-meta text-ink-3">{t("drift.wholeText")}</h4>
      {/* Four lines. */}
      <Folded isLong={text.length > GLANCE} height="max-h-22">
        <p className="memory-prose text-snippet! whitespace-pre-wrap text-ink-2!">
          <NamedText text={text} />
        </p>
      </Folded>
    </>
  );
}

/** The words that the other side does not have are marked, unless that is nearly all of a long text. */
function Marked({ text, other, whole }: Omit<TextProps, "sentences">) {
  const isMarked = useMemo(() => {
    if (whole.length <= SHORT) return true;
    const kept = wordParts(other, whole).filter((part) => !part.added && !part.removed);
    return kept.reduce((sum, part) => sum + part.value.length, 0) >= IN_COMMON * whole.length;
  }, [whole, other]);
  return (
    // Twelve lines.
    <Folded isLong={text.length > WHOLE} height="max-h-66">
      {isMarked ? (
        <Differing text={text} other={other} />
      ) : (
        <p className="memory-prose text-snippet! whitespace-pre-wrap">
          <NamedText text={text} />
        </p>
      )}
    </Folded>
  );
}

type FoldedProps = { isLong: boolean; height: string; children: ReactNode };

/** A text of which the beginning is shown if it is long, and the whole on request. */
function Folded({ isLong, height, children }: FoldedProps) {
  const { t } = useI18n();
  const [isWhole, setIsWhole] = useState(!isLong);
  return (
    <>
      <div className={isWhole ? undefined : `${height} overflow-hidden`}>{children}</div>
      {isLong && (
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
