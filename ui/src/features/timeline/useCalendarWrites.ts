import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { CalendarDefinition, CalendarView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";

/** The writes of calendars. They throw what the core refuses, so that it can be said at the form. */
export function useCalendarWrites() {
  const { t } = useI18n();
  const client = useQueryClient();
  const { done } = useToasts();
  return useMemo(
    () => ({
      add: async (name: string, definition: CalendarDefinition) => {
        const { change, detail } = await core.addCalendar(name, definition);
        await client.invalidateQueries({ queryKey: keys.calendars });
        done(t("calendar.done.added", { name }), change);
        return detail.row;
      },
      define: async ({ id, name }: CalendarView, version: number, definition: CalendarDefinition) => {
        const { change, detail } = await core.defineCalendar(id, version, definition);
        await client.invalidateQueries({ queryKey: keys.calendars });
        done(t("calendar.done.defined", { name }), change);
        return detail.row;
      },
    }),
    [client, t, done],
  );
}
