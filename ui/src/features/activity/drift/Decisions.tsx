import {
  BookCheck,
  CalendarRange,
  CircleSlash2,
  FilePenLine,
  type LucideIcon,
  RefreshCw,
  UserRound,
} from "lucide-react";
import type { ComponentType } from "react";
import { useI18n } from "../../../i18n/i18n";
import type { DriftDecision, DriftView } from "../../../ipc/bindings.gen";
import { Choice, Choices } from "./Choice";
import { BeliefForm } from "./forms/BeliefForm";
import { ChangeForm } from "./forms/ChangeForm";
import type { FormProps } from "./forms/form";
import { TimesForm } from "./forms/TimesForm";

const OF_TEXTS = ["canon_stands", "canon_changes", "both", "belief", "dismiss"] as const;
/** A page is changed in its own file, so its memory alone can change. */
const OF_PAGES = ["derive_again", "canon_stands", "dismiss"] as const;

/** What can be decided about a contradiction. */
export const decisionsOf = ({ canon }: DriftView): readonly DriftDecision[] =>
  canon.kind === "page" ? OF_PAGES : OF_TEXTS;

export const DECISION_ICONS: Record<DriftDecision, LucideIcon> = {
  canon_stands: BookCheck,
  canon_changes: FilePenLine,
  both: CalendarRange,
  belief: UserRound,
  dismiss: CircleSlash2,
  derive_again: RefreshCw,
};

/** The decisions that need something more, and what asks for it. */
export const FORMS: Partial<Record<DriftDecision, ComponentType<FormProps>>> = {
  canon_changes: ChangeForm,
  both: TimesForm,
  belief: BeliefForm,
};

type DecisionsProps = FormProps & {
  /** The decision whose form is open. */
  form: DriftDecision | null;
  isOff: boolean;
  onDecide(decision: DriftDecision): void;
};

/** What can be decided, each with what comes of it. The form of one opens below it. */
export function Decisions({ form, isOff, onDecide, ...rest }: DecisionsProps) {
  const { t } = useI18n();
  return (
    <Choices title={t("drift.decide")}>
      {decisionsOf(rest.drift).map((decision) => (
        <Decision
          key={decision}
          decision={decision}
          isOpen={form === decision}
          isOff={isOff}
          onDecide={() => onDecide(decision)}
          {...rest}
        />
      ))}
    </Choices>
  );
}

type DecisionProps = FormProps & {
  decision: DriftDecision;
  isOpen: boolean;
  isOff: boolean;
  onDecide(): void;
};

function Decision({ decision, isOpen, isOff, onDecide, ...rest }: DecisionProps) {
  const { t } = useI18n();
  const Form = FORMS[decision];
  const isRead = rest.canon.isRead && rest.statement.isRead;
  return (
    <Choice
      icon={DECISION_ICONS[decision]}
      title={t(`drift.decision.${decision}`)}
      note={t(`drift.note.${decision}`, { kind: rest.drift.statement.kind })}
      shortcut={`drift.${decision}`}
      isOff={isOff}
      isOpen={Form ? isOpen : undefined}
      onChoose={onDecide}
    >
      {isOpen && Form && isRead && (
        <div className="appear pt-2 pb-5 pl-7">
          <Form {...rest} />
        </div>
      )}
    </Choice>
  );
}
