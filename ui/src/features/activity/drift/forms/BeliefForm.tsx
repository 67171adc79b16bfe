import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { KnowerFields, useKnowers } from "../../../../components/lens/KnowerFields";
import { useSomebody } from "../../../../components/lens/useSomebody";
import { useSubmit } from "../../../../components/useSubmit";
import { useI18n } from "../../../../i18n/i18n";
import { subjectsQuery } from "../../../../ipc/queries";
import { Buttons, type FormProps } from "./form";

/** Who believes the statement, each since a time or always. */
export function BeliefForm({ drift: { statement }, onSettle, onClose }: FormProps) {
  const { t } = useI18n();
  const isRead = useQuery(subjectsQuery).data !== undefined;
  const isPossible = useSomebody(statement.id);
  const knowers = useKnowers([]);
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isRead) box.current?.querySelector<HTMLElement>("button, a")?.focus();
  }, [isRead]);
  const form = useSubmit(() => onSettle({ kind: "belief", knowers: knowers.specs }));
  if (!isRead) return null;
  return (
    <form ref={box} onSubmit={form.onSubmit} className="max-w-110 space-y-4">
      {isPossible ? (
        <div>
          <KnowerFields
            knowers={knowers}
            without={[statement.id]}
            empty={t("drift.believers")}
            problem={form.problem}
            onChange={() => form.setProblem(null)}
          />
        </div>
      ) : (
        <p className="text-ui text-ink-2">
          {t("drift.noSubjects")}{" "}
          <Link to="/world" search={{}} className="text-accent hover:underline">
            {t("drift.addSubject")}
          </Link>
        </p>
      )}
      <Buttons isReady={isPossible && !knowers.isUnread} label={t("drift.beliefDo")} onClose={onClose} />
    </form>
  );
}
