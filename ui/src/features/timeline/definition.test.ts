import { expect, test } from "vitest";
import type { CalendarDefinition, Month } from "../../ipc/bindings.gen";
import { withoutMonth } from "./definition";

const month = (name: string): Month => ({ name, short: null, days: 30, intercalary: false, in_week: true });

test("a removed month takes its leap rules along, and the others keep their months", () => {
  const rule = (at: number) => ({ month: at, days: at + 1, intervals: [] });
  const definition: CalendarDefinition = {
    months: ["Thaw", "Seed", "Grain"].map(month),
    leap_rules: [rule(0), rule(1), rule(2)],
    week: null,
    eras: [],
    moons: [],
    hours_per_day: 24,
    minutes_per_hour: 60,
    epoch_day: 0,
  };
  const left = withoutMonth(definition, 1);
  expect(left.months?.map(({ name }) => name)).toEqual(["Thaw", "Grain"]);
  expect(left.leap_rules?.map((it) => [it.month, it.days])).toEqual([
    [0, 1],
    [1, 3],
  ]);
});
