import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/Button";
import { Select } from "../../components/Select";
import { Empty, Failed } from "../../components/States";
import { useI18n } from "../../i18n/i18n";
import type { CalendarDefinition, CalendarList } from "../../ipc/bindings.gen";
import { statusQuery } from "../../ipc/queries";
import { CalendarForm } from "./CalendarForm";
import { beginCalendar, settleCalendar, useCalendarDraft } from "./drafts";
import { useCalendarWrites } from "./useCalendarWrites";

type PaneProps = { list: CalendarList | undefined; error: unknown; readOnly: boolean };

/** The smallest calendar: a year of twelve equal months. */
const plainDefinition = (monthName: (n: number) => string): CalendarDefinition => ({
  months: Array.from({ length: 12 }, (_, n) => ({
    name: monthName(n + 1),
    short: null,
    days: 30,
    intercalary: false,
    in_week: true,
  })),
  leap_rules: [],
  week: null,
  eras: [],
  moons: [],
  hours_per_day: 24,
  minutes_per_hour: 60,
  epoch_day: 0,
});

/** The calendars of the workspace, one of them to edit. */
export function CalendarsPane({ list, error, readOnly }: PaneProps) {
  const { t } = useI18n();
  const writes = useCalendarWrites();
  const [chosen, setChosen] = useState<string>();
  const world = useQuery(statusQuery).data?.workspace?.id ?? "";
  const added = useCalendarDraft(world);
  if (!list) return error ? <Failed error={error} /> : null;
  const open = list.calendars.find(({ id }) => id === chosen) ?? list.calendars[0];
  const start = (definition: CalendarDefinition) => beginCalendar(world, definition);
  const offers = (
    <>
      {list.presets.map((preset) => (
        <Button key={preset.name} disabled={readOnly} onClick={() => start(preset.definition)}>
          {t("calendar.addPreset", { name: preset.name })}
        </Button>
      ))}
      <Button
        disabled={readOnly}
        onClick={() => start(plainDefinition((n) => t("calendar.monthName", { number: n })))}
      >
        {t("calendar.addOwn")}
      </Button>
    </>
  );
  if (added)
    return (
      <CalendarForm
        key={world}
        draftId={world}
        calendar={null}
        readOnly={readOnly}
        onSave={async (sent) => {
          const { id, version } = await writes.add(sent.name.trim(), sent.definition);
          settleCalendar(world, sent, id, version);
          setChosen(id);
        }}
      />
    );
  if (!open)
    return (
      <div className="flex flex-1 items-center justify-center overflow-y-auto">
        <Empty title={t("calendar.none.title")} body={t("calendar.none.body")}>
          {offers}
        </Empty>
      </div>
    );
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line px-4 py-3">
        <Select
          label={t("calendar.choose")}
          value={open.id}
          onChange={setChosen}
          options={list.calendars.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <span className="flex-1 text-meta text-ink-2">
          {open.id === list.calendars[0]?.id && t("calendar.first")}
        </span>
        {offers}
      </div>
      <CalendarForm
        key={open.id}
        draftId={open.id}
        calendar={open}
        readOnly={readOnly}
        onSave={async (sent) => {
          const { id, version } = await writes.define(open, sent.base ?? open.version, sent.definition);
          settleCalendar(id, sent, id, version);
        }}
      />
    </>
  );
}
