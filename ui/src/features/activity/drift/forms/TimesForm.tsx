import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { CalendarField, DateField, useCalendar, useDates } from "../../../../components/StoryTime";
import { useSubmit } from "../../../../components/useSubmit";
import { useI18n } from "../../../../i18n/i18n";
import { Buttons, type FormProps } from "./form";

/** When each side holds. A side that nobody changes keeps its time, and a message has none. */
export function TimesForm({ drift, canon, statement, onSettle, onClose }: FormProps) {
  const { t } = useI18n();
  const by = useCalendar();
  const first = useDates(canon.storyTime?.text ?? "", by);
  const second = useDates(statement.storyTime?.text ?? "", by);
  const hasTime = drift.statement.kind !== "message";
  const canDate = by.calendars.length > 0;
  const { isRead } = by;
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isRead) box.current?.querySelector<HTMLElement>("input, a")?.focus();
  }, [isRead]);
  const sent = ({ isChanged, text }: typeof first) => (isChanged ? text.trim() : null);
  const form = useSubmit(() =>
    onSettle({ kind: "both", canon: sent(first), statement: sent(second), calendar: by.calendar }),
  );
  const forget = () => form.setProblem(null);
  if (!isRead) return null;
  return (
    <form ref={box} onSubmit={form.onSubmit} className="space-y-4">
      {canDate ? (
        <>
          <div className="grid gap-4 @2xl:grid-cols-2">
            <div className="space-y-2">
              <DateField
                dates={first}
                label={t("drift.canonDates")}
                problem={hasTime ? null : form.problem}
                field={hasTime ? undefined : form.field}
                onType={forget}
              />
            </div>
            {hasTime && (
              <div className="space-y-2">
                <DateField
                  dates={second}
                  label={t("drift.statementDates")}
                  problem={form.problem}
                  field={form.field}
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
