import type { CalendarDefinition } from "../../ipc/bindings.gen";

/** The core counts the cycles of moons in millionths of a day. */
export const MICRODAYS = 1_000_000;

/** The definition without a month. Leap rules name months by their place: those of this month go with it. */
export function withoutMonth(definition: CalendarDefinition, at: number): Partial<CalendarDefinition> {
  return {
    months: definition.months.filter((_, n) => n !== at),
    leap_rules: definition.leap_rules
      .filter(({ month }) => month !== at)
      .map((rule) => (rule.month > at ? { ...rule, month: rule.month - 1 } : rule)),
  };
}
