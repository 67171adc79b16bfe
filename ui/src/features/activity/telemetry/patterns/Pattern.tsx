import { Eye, EyeOff, History } from "lucide-react";
import { Button } from "../../../../components/Button";
import { Select } from "../../../../components/Select";
import { useRelative } from "../../../../components/Time";
import { useI18n } from "../../../../i18n/i18n";
import type { AgentPatternView, PatternAnnotation } from "../../../../ipc/bindings.gen";
import { ANNOTATIONS, patternWords } from "../words";

const NONE = "none";

type PatternProps = {
  pattern: AgentPatternView;
  readOnly: boolean;
  onAnnotate(word: PatternAnnotation | null): void;
  onSuppress(hide: boolean): void;
};

export function Pattern({ pattern, readOnly, onAnnotate, onSuppress }: PatternProps) {
  const { t } = useI18n();
  const words = patternWords(pattern, t);
  const isHidden = pattern.suppressedBy !== null;
  const act = isHidden ? "show" : "hide";
  return (
    <article aria-label={words} className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <h2 className="text-lead font-strong text-ink">{words}</h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-ui text-ink-2">
          <Evidence pattern={pattern} />
          <span>{t("telemetry.pattern.on", { target: t(`telemetry.target.${pattern.target}`) })}</span>
          <Since at={pattern.promotedAt} />
        </p>
        <figure className="mt-3">
          <figcaption className="text-meta text-ink-3">{t("telemetry.pattern.line")}</figcaption>
          <blockquote className="mt-1 rounded-md bg-sunken px-3 py-2 font-mono text-meta wrap-anywhere text-ink-2">
            {pattern.line}
          </blockquote>
        </figure>
      </div>
      <div className="flex w-56 flex-col items-start gap-2">
        <Seen pattern={pattern} />
        <Button
          disabled={readOnly}
          aria-label={t(`telemetry.pattern.${act}Of`, { pattern: words })}
          onClick={() => onSuppress(!isHidden)}
        >
          {t(`telemetry.pattern.${act}`)}
        </Button>
        <Select
          label={t("telemetry.pattern.judgementOf", { pattern: words })}
          value={pattern.annotation ?? NONE}
          disabled={readOnly}
          onChange={(next) => onAnnotate(next === NONE ? null : next)}
          options={[
            { value: NONE, label: t("telemetry.pattern.noJudgement") },
            ...ANNOTATIONS.map((it) => ({ value: it, label: t(`telemetry.pattern.judged.${it}`) })),
          ]}
        />
      </div>
    </article>
  );
}

/** In how many of the sequences, in words and as a bar. */
function Evidence({ pattern: { sequences, ofSequences } }: { pattern: AgentPatternView }) {
  const { t } = useI18n();
  const share = ofSequences > 0 ? sequences / ofSequences : 0;
  return (
    <span className="tabular inline-flex items-center gap-2">
      <span className="fc-border h-1.5 w-16 overflow-hidden rounded-full bg-line" aria-hidden>
        <span style={{ width: `${share * 100}%` }} className="block h-full bg-ink-3" />
      </span>
      {t("telemetry.pattern.evidence", { count: sequences, of: ofSequences })}
    </span>
  );
}

function Since({ at }: { at: string }) {
  const { t, exact } = useI18n();
  return (
    <time dateTime={at} title={exact(at)} className="text-ink-3">
      {t("telemetry.pattern.since", { when: useRelative(at) })}
    </time>
  );
}

/** Whether agents are shown it, and why not. */
function Seen({ pattern: { suppressedBy, holds } }: { pattern: AgentPatternView }) {
  const { t } = useI18n();
  const Icon = suppressedBy !== null ? EyeOff : holds ? Eye : History;
  const words =
    suppressedBy !== null
      ? t(`telemetry.pattern.hidden.${suppressedBy}`)
      : t(holds ? "telemetry.pattern.shown" : "telemetry.pattern.past");
  return (
    <p className="flex min-h-6 items-start gap-1.5 text-ui text-ink-2">
      <Icon size={14} className="mt-0.75 shrink-0 text-ink-3" aria-hidden />
      {words}
    </p>
  );
}
