import {
  BookCheck,
  CalendarRange,
  CircleSlash2,
  FilePenLine,
  type LucideIcon,
  UserRound,
} from "lucide-react";
import { type ComponentType, useId } from "react";
import { Keys } from "../../../components/Keys";
import { useI18n } from "../../../i18n/i18n";
import type { DriftDecision } from "../../../ipc/bindings.gen";
import { BeliefForm } from "./forms/BeliefForm";
import { ChangeForm } from "./forms/ChangeForm";
import type { FormProps } from "./forms/form";
import { TimesForm } from "./forms/TimesForm";

export const DECISIONS = ["canon_stands", "canon_changes", "both", "belief", "dismiss"] as const;

/** The key of each decision, while the list or the contradiction has the focus. */
export const DECISION_KEYS: Record<DriftDecision, string> = {
  canon_stands: "s",
  canon_changes: "c",
  both: "t",
  belief: "b",
  dismiss: "d",
};

export const DECISION_ICONS: Record<DriftDecision, LucideIcon> = {
  canon_stands: BookCheck,
  canon_changes: FilePenLine,
  both: CalendarRange,
  belief: UserRound,
  dismiss: CircleSlash2,
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
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="mb-2 text-meta font-strong text-ink-3">
        {t("drift.decide")}
      </h3>
      <ul className="border-t border-line">
        {DECISIONS.map((decision) => (
          <Decision
            key={decision}
            decision={decision}
            isOpen={form === decision}
            isOff={isOff}
            onDecide={() => onDecide(decision)}
            {...rest}
          />
        ))}
      </ul>
    </section>
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
  const id = useId();
  const Icon = DECISION_ICONS[decision];
  const Form = FORMS[decision];
  const isRead = rest.canon.isRead && rest.statement.isRead;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        disabled={isOff}
        aria-labelledby={id}
        aria-describedby={`${id}-note`}
        aria-expanded={Form ? isOpen : undefined}
        onClick={onDecide}
        className="group -mx-3 flex w-[calc(100%+24px)] items-start gap-3 rounded-md px-3 py-2.5 text-left transition-colors hover:bg-hover disabled:pointer-events-none disabled:opacity-50"
      >
        <Icon
          size={16}
          strokeWidth={1.75}
          className="mt-0.5 shrink-0 text-ink-3 group-hover:text-accent"
          aria-hidden
        />
        <span className="min-w-0 flex-1">
          <span id={id} className="block text-ui font-strong text-ink">
            {t(`drift.decision.${decision}`)}
          </span>
          <span id={`${id}-note`} className="block text-meta text-pretty text-ink-2">
            {t(`drift.note.${decision}`, { kind: rest.drift.statement.kind })}
          </span>
        </span>
        {!isOff && <Keys keys={DECISION_KEYS[decision]} />}
      </button>
      {isOpen && Form && isRead && (
        <div className="appear pt-2 pb-5 pl-7">
          <Form {...rest} />
        </div>
      )}
    </li>
  );
}
