import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarDays } from "lucide-react";
import { type Ref, useState } from "react";
import { useI18n } from "../i18n/i18n";
import type { MemoryDetail } from "../ipc/bindings.gen";
import { core } from "../ipc/client";
import { toCommandError } from "../ipc/errors";
import { calendarsQuery, dateQuery } from "../ipc/queries";
import { Button } from "./Button";
import { Labelled, TextField } from "./Fields";
import { FormDialog } from "./FormDialog";
import { useSettled } from "./hooks";
import { moonText } from "./moon";
import { Select } from "./Select";
import { useToasts } from "./toast";
import { useSubmit } from "./useSubmit";

/** How long typing rests before the date is read. */
const REST = 250;

/** When an entry holds in the story, with a way to set it. Nothing for an entry that has no such time. */
export function StoryTime({ detail, readOnly }: { detail: MemoryDetail; readOnly: boolean }) {
  const { t } = useI18n();
  const [editing, setEditing] = useState(false);
  const hasCalendars = (useQuery(calendarsQuery).data?.calendars.length ?? 0) > 0;
  const { row, storyTime, readingNumber } = detail;
  if (detail.isCalendar)
    return (
      <Link
        to="/timeline"
        search={{ page: "calendars" }}
        className="inline-flex min-h-8 items-center gap-3 rounded-sm text-ui text-accent hover:underline"
      >
        <CalendarDays size={15} strokeWidth={1.75} className="shrink-0" aria-hidden />
        {t("time.ofCalendar")}
      </Link>
    );
  if (row.scope === "account" || row.kind !== "note") return null;
  const isLocked = readOnly || row.forgottenAt !== null;
  const isSet = storyTime !== null || readingNumber !== null;
  // Without a calendar there are no dates to set, and nothing to say on every memory.
  if (!isSet && (isLocked || !hasCalendars)) return null;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 text-ui">
      <CalendarDays size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
      <span className={storyTime ? "text-ink" : "text-ink-2"}>{storyTime?.text ?? t("time.none")}</span>
      {readingNumber !== null && (
        <span className="text-ink-2">{t("timeline.reading", { number: readingNumber })}</span>
      )}
      {!isLocked && (
        <Button look="ghost" onClick={() => setEditing(true)}>
          {t(storyTime ? "time.change" : "time.set")}
        </Button>
      )}
      {editing && <TimeDialog detail={detail} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** The calendar that reads dates: the first one, unless another is chosen. */
export function useCalendar() {
  const { data } = useQuery(calendarsQuery);
  const calendars = data?.calendars ?? [];
  const [chosen, setChosen] = useState<string>();
  return {
    calendars,
    isRead: data !== undefined,
    calendar: chosen ?? calendars[0]?.id ?? null,
    isChosen: chosen !== undefined,
    setChosen,
  };
}

type CalendarOfDates = ReturnType<typeof useCalendar>;

/** Dates as they are typed, with how the core reads them while typing rests. */
export function useDates(initial: string, by: CalendarOfDates) {
  const { calendar } = by;
  const [text, setText] = useState(initial);
  const settled = useSettled(text.trim(), REST);
  const reading = useQuery({ ...dateQuery(settled, calendar), enabled: settled !== "" && calendar !== null });
  const isRead = settled === text.trim() && settled !== "";
  return {
    text,
    setText,
    by,
    /** As it is written, a time may say less than it is: what nobody changed is left as it is. */
    isChanged: by.isChosen || text !== initial,
    reading: isRead ? reading.data : undefined,
    unread: isRead && reading.error ? toCommandError(reading.error).message : null,
  };
}

type DatesProps = {
  dates: ReturnType<typeof useDates>;
  label: string;
  problem: string | null;
  field?: Ref<HTMLInputElement>;
  onType(): void;
};

/** The field of dates, how they are read, and the choice among several calendars. */
export function Dates(props: DatesProps) {
  return (
    <>
      <DateField {...props} />
      <CalendarField by={props.dates.by} />
    </>
  );
}

/** The field of dates, and how they are read. */
export function DateField({ dates, label, problem, field, onType }: DatesProps) {
  const { t } = useI18n();
  const { reading } = dates;
  return (
    <>
      <TextField
        ref={field}
        label={label}
        placeholder={t("time.example")}
        value={dates.text}
        maxLength={1000}
        disabled={dates.by.calendars.length === 0}
        error={problem ?? dates.unread}
        onChange={(event) => {
          dates.setText(event.target.value);
          onType();
        }}
      />
      {reading && (
        <div className="text-meta text-ink-2" aria-live="polite">
          <p className="text-ui text-ink">{reading.time.text}</p>
          <p>
            {[reading.weekday, ...reading.moons.map((moon) => moonText(moon, { t }))]
              .filter(Boolean)
              .join(" · ")}
          </p>
          {reading.elsewhere.map((other) => (
            <p key={other.calendar}>{t("time.elsewhere", other)}</p>
          ))}
        </div>
      )}
    </>
  );
}

/** The choice among several calendars. */
export function CalendarField({ by: { calendars, calendar, setChosen } }: { by: CalendarOfDates }) {
  const { t } = useI18n();
  if (calendars.length < 2 || calendar === null) return null;
  return (
    <Labelled label={t("time.calendar")}>
      <Select
        label={t("time.calendar")}
        value={calendar}
        onChange={setChosen}
        options={calendars.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Labelled>
  );
}

/** Asks for dates and shows how they are read. What the core refuses is said at the field. */
function TimeDialog({ detail, onClose }: { detail: MemoryDetail; onClose(): void }) {
  const { t } = useI18n();
  const { done } = useToasts();
  const dates = useDates(detail.storyTime?.text ?? "", useCalendar());
  const [number, setNumber] = useState(detail.readingNumber?.toString() ?? "");
  const save = async () => {
    const { row } = detail;
    const { change } = await core.setStoryTime(row.id, row.version, {
      text: dates.isChanged ? dates.text.trim() : null,
      calendar: dates.by.calendar,
      readingNumber: number === "" ? null : Number(number),
    });
    done(t("time.done"), change);
  };
  const form = useSubmit(save, { onDone: onClose });
  const isSubject = detail.subject !== null;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("time.title")}
      body={t(dates.by.calendars.length === 0 ? "time.noCalendar" : "time.body")}
      submit={t("time.save")}
      ready={dates.unread === null}
    >
      <Dates
        dates={dates}
        label={t("time.dates")}
        problem={form.problem}
        field={form.field}
        onType={() => form.setProblem(null)}
      />
      {isSubject && (
        <TextField
          label={t("time.number")}
          type="number"
          min={1}
          value={number}
          className="max-w-40"
          onChange={(event) => {
            setNumber(event.target.value);
            form.setProblem(null);
          }}
        />
      )}
    </FormDialog>
  );
}
