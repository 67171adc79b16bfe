import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { CalendarField, DateField, useCalendar, useDates } from "../../../../components/StoryTime";
import { useI18n } from "../../../../i18n/i18n";
import { toCommandError } from "../../../../ipc/errors";
import { Buttons, type FormProps } from "./form";

/** When each side holds. A side that nobody changes keeps its time, and a message has none. */
export function TimesForm({ drift, canon, statement, onSettle, onClose }: FormProps) {
  const { t } = useI18n();
  const by = useCalendar();
  const first = useDates(canon.storyTime?.text ?? "", by);
  const second = useDates(statement.storyTime?.text ?? "", by);
  const [problem, setProblem] = useState<string | null>(null);
  const last = useRef<HTMLInputElement>(null);
  const hasTime = drift.statement.kind !== "message";
  const canDate = by.calendars.length > 0;
  const { isRead } = by;
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isRead) box.current?.querySelector<HTMLElement>("input, a")?.focus();
  }, [isRead]);
  const forget = () => setProblem(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const sent = ({ isChanged, text }: typeof first) => (isChanged ? text.trim() : null);
    try {
      await onSettle({ kind: "both", canon: sent(first), statement: sent(second), calendar: by.calendar });
    } catch (error) {
      setProblem(toCommandError(error).message);
      last.current?.focus();
    }
  };
  if (!isRead) return null;
  return (
    <form ref={box} onSubmit={(event) => void send(event)} className="space-y-4">
      {canDate ? (
        <>
          <div className="grid gap-4 @2xl:grid-cols-2">
            <div className="space-y-2">
              <DateField
                dates={first}
                label={t("drift.canonDates")}
                problem={hasTime ? null : problem}
                field={hasTime ? undefined : last}
                onType={forget}
              />
            </div>
            {hasTime && (
              <div className="space-y-2">
                <DateField
                  dates={second}
                  label={t("drift.statementDates")}
                  problem={problem}
                  field={last}
                  onType={forget}
                />
              </div>
            )}
          </div>
          <CalendarField by={by} />
        </>
      ) : (
        <p className="text-ui text-ink-2">
          {t("drift.noCalendar")}{" "}
          <Link to="/timeline" search={{ page: "calendars" }} className="text-accent hover:underline">
            {t("drift.addCalendar")}
          </Link>
        </p>
      )}
      <Buttons
        isReady={canDate && first.unread === null && second.unread === null}
        label={t(hasTime ? "drift.timesDo" : "drift.timeDo")}
        onClose={onClose}
      />
    </form>
  );
}
