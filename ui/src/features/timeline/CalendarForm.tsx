import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Checkbox, INPUT, TextField } from "../../components/Fields";
import { Select } from "../../components/Select";
import { useI18n } from "../../i18n/i18n";
import type { CalendarDefinition, CalendarView, Month } from "../../ipc/bindings.gen";
import { hasCode, toCommandError } from "../../ipc/errors";
import { NameInput, NumberField, NumberInput, Part, Remove } from "./CalendarFields";
import { withoutMonth } from "./definition";
import {
  type CalendarDraft,
  dropCalendarDraft,
  getCalendarDraft,
  setCalendarDraft,
  useCalendarDraft,
} from "./drafts";
import { Eras } from "./Eras";
import { LeapRules } from "./LeapRules";
import { Moons } from "./Moons";

type FormProps = {
  /** What it is kept under while it is not saved. */
  draftId: string;
  /** Null: a new calendar, which is asked for its name. */
  calendar: CalendarView | null;
  readOnly: boolean;
  onSave(draft: CalendarDraft): Promise<unknown>;
};

/** What a calendar defines, as a form. The core checks it; what it refuses is said below, and what was typed stays. */
export function CalendarForm({ draftId, calendar, readOnly, onSave }: FormProps) {
  const { t } = useI18n();
  const draft = useCalendarDraft(draftId);
  const [problem, setProblem] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const it = draft?.definition ?? calendar?.definition;
  if (!it) return null;
  const write = (part: Partial<CalendarDraft>) => {
    const begun = { name: "", definition: it, start: it, base: calendar?.version ?? null };
    setCalendarDraft(draftId, { ...(getCalendarDraft(draftId) ?? begun), ...part });
    setProblem(null);
  };
  const change = (part: Partial<CalendarDefinition>) =>
    write({ definition: { ...(getCalendarDraft(draftId)?.definition ?? it), ...part } });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!draft || saving) return;
    setSaving(true);
    try {
      await onSave(draft);
    } catch (error) {
      const { message, details } = toCommandError(error);
      // Whoever saves once more has read that, and writes over what is there now. It stays in the history.
      if (hasCode(error, "stale_version"))
        write({ base: details?.current?.row.version ?? calendar?.version ?? null });
      setProblem(message);
      if (calendar === null && draft.name.trim() === "") field.current?.focus();
    } finally {
      setSaving(false);
    }
  };
  const name = calendar?.name ?? null;
  return (
    <form
      aria-label={name ?? t("calendar.new")}
      onSubmit={(event) => void save(event)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <fieldset disabled={readOnly} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <div className="mx-auto max-w-205 space-y-8 px-8 pt-6 pb-12">
          {name === null && (
            <TextField
              ref={field}
              label={t("calendar.name")}
              value={draft?.name ?? ""}
              maxLength={200}
              className="max-w-sm"
              onChange={(event) => write({ name: event.target.value })}
            />
          )}
          <Months definition={it} onChange={change} />
          <Week definition={it} onChange={change} />
          <Eras eras={it.eras} onChange={(eras) => change({ eras })} />
          <LeapRules definition={it} onChange={(leap_rules) => change({ leap_rules })} />
          <Moons moons={it.moons} onChange={(moons) => change({ moons })} />
          <Part title={t("calendar.clock")}>
            <div className="flex flex-wrap gap-4">
              <NumberField
                label={t("calendar.hours")}
                value={it.hours_per_day}
                min={1}
                onChange={(hours_per_day) => change({ hours_per_day })}
              />
              <NumberField
                label={t("calendar.minutes")}
                value={it.minutes_per_hour}
                min={1}
                onChange={(minutes_per_hour) => change({ minutes_per_hour })}
              />
              <NumberField
                label={t("calendar.epoch")}
                value={it.epoch_day}
                onChange={(epoch_day) => change({ epoch_day })}
              />
            </div>
            <p className="mt-2 max-w-[60ch] text-meta text-ink-2">{t("calendar.epochBody")}</p>
          </Part>
        </div>
      </fieldset>
      {(draft || problem !== null) && (
        <div className="flex shrink-0 items-center gap-3 border-t border-line px-8 py-3">
          <p role="alert" className="min-w-0 flex-1 text-ui text-danger">
            {problem}
          </p>
          <Button
            onClick={() => {
              dropCalendarDraft(draftId);
              setProblem(null);
            }}
          >
            {t("action.cancel")}
          </Button>
          <Button
            type="submit"
            look="primary"
            disabled={readOnly || saving || (name === null && !draft?.name.trim())}
          >
            {t(name === null ? "calendar.add" : "calendar.save")}
          </Button>
        </div>
      )}
    </form>
  );
}

type DefinitionProps = {
  definition: CalendarDefinition;
  onChange(part: Partial<CalendarDefinition>): void;
};

function Months({ definition, onChange }: DefinitionProps) {
  const { t, number } = useI18n();
  const { months } = definition;
  const set = (at: number, part: Partial<Month>) =>
    onChange({ months: months.map((month, n) => (n === at ? { ...month, ...part } : month)) });
  const days = months.reduce((sum, month) => sum + (Number.isFinite(month.days) ? month.days : 0), 0);
  return (
    <Part
      title={t("calendar.months")}
      note={t("calendar.yearDays", { days: number(days) })}
      add={t("calendar.addMonth")}
      onAdd={() =>
        onChange({
          months: [...months, { name: "", short: null, days: 30, intercalary: false, in_week: true }],
        })
      }
    >
      <ul className="space-y-2">
        {months.map((month, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a month has no other identity than its place
          <li key={at} className="flex flex-wrap items-center gap-3">
            <NameInput
              label={t("calendar.nameOf", { number: at + 1 })}
              value={month.name}
              onChange={(name) => set(at, { name })}
            />
            <NumberInput
              label={t("calendar.daysOf", { number: at + 1 })}
              value={month.days}
              min={0}
              onChange={(value) => set(at, { days: value })}
            />
            <span className="text-ui text-ink-2">{t("calendar.days")}</span>
            <Checkbox
              checked={month.intercalary}
              onChange={(intercalary) => set(at, { intercalary, in_week: !intercalary })}
            >
              {t("calendar.intercalary")}
            </Checkbox>
            <span className="flex-1" />
            <Remove
              name={month.name || String(at + 1)}
              disabled={months.length === 1}
              onClick={() => onChange(withoutMonth(definition, at))}
            />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The names that are typed with commas between them. */
const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

function Week({ definition: { week }, onChange }: DefinitionProps) {
  const { t } = useI18n();
  const [text, setText] = useState("");
  const days = week?.days.map((day) => day.name) ?? [];
  // As it is typed, until the week is another one.
  const shown = namesIn(text).join() === days.join() ? text : days.join(", ");
  const id = "calendar-week";
  return (
    <Part title={t("calendar.week")}>
      <label htmlFor={id} className="mb-1 block text-meta text-ink-2">
        {t("calendar.weekdays")}
      </label>
      <input
        id={id}
        className={INPUT}
        value={shown}
        autoComplete="off"
        spellCheck={false}
        placeholder={t("calendar.weekdaysNone")}
        onChange={(event) => {
          setText(event.target.value);
          const names = namesIn(event.target.value);
          const shorts = new Map(week?.days.map((day) => [day.name, day.short]));
          const days = names.map((name) => ({ name, short: shorts.get(name) ?? null }));
          onChange({
            week:
              days.length === 0
                ? null
                : {
                    first: Math.min(week?.first ?? 0, days.length - 1),
                    restart: week?.restart ?? "never",
                    days,
                  },
          });
        }}
      />
      {week && (
        <div className="mt-3 flex flex-wrap items-center gap-3 text-ui text-ink-2">
          <span>{t("calendar.restart")}</span>
          <Select
            label={t("calendar.restart")}
            value={week.restart}
            onChange={(restart) => onChange({ week: { ...week, restart } })}
            options={(["never", "month", "year"] as const).map((value) => ({
              value: value as string,
              label: t(`calendar.restart.${value}`),
            }))}
          />
          <span>{t("calendar.firstDay")}</span>
          <Select
            label={t("calendar.firstDay")}
            value={String(week.first)}
            onChange={(first) => onChange({ week: { ...week, first: Number(first) } })}
            options={week.days.map((day, at) => ({ value: String(at), label: day.name }))}
          />
        </div>
      )}
    </Part>
  );
}
