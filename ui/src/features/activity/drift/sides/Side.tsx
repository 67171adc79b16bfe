import { CalendarDays, Eye, Info } from "lucide-react";
import { Knowers } from "../../../../components/lens/KnownBy";
import { Side as Column } from "../../../../components/TwoVersions";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide } from "../../../../ipc/bindings.gen";
import { kindOf, stateOf } from "./kinds";
import { Origin } from "./Origin";
import { Text } from "./Text";
import type { About } from "./useAbout";

type SideProps = {
  title: string;
  side: DriftSide;
  /** The words of what it is compared with. */
  other: string;
  about: About;
};

/** One side of a contradiction: where it lives, who wrote it, its text, when it holds, and who knows of it. */
export function Side({ title, side, other, about }: SideProps) {
  const { t } = useI18n();
  const { Icon, Place, Way, writer, writtenAt, words, sentences } = kindOf(side);
  const by = writer(side, t);
  const at = writtenAt(side);
  const state = stateOf(side);
  const { storyTime, knownBy } = about;
  return (
    <Column title={title} note={<Way side={side} />}>
      {by !== null && (
        <Origin icon={<Icon side={side} size={12} />} place={<Place side={side} />} by={by} at={at} />
      )}
      {side.text !== "" && (
        <Text text={side.text} sentences={sentences(side)} other={other} whole={words(side)} />
      )}
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
