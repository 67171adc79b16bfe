import type { MetricValue } from "../../../../ipc/bindings.gen";

const DAY = 86_400_000;

/** A day of the core, and its value if it has one. */
export type DayValue = { day: string; value: number | null };

/** Each of the whole days, oldest first, up to yesterday. Days are those of UTC, as the core counts them. */
export function daysBack(values: readonly MetricValue[], days: number, now: number): DayValue[] {
  const known = new Map(values.map(({ day, value }) => [day, value]));
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(now - (days - at) * DAY).toISOString().slice(0, 10);
    return { day, value: known.get(day) ?? null };
  });
}

/** A moment of a day that is on that day in every place. */
export const noonOf = (day: string): number => new Date(`${day}T12:00`).getTime();

/** The end of a scale that holds a value: 1, 2 or 5 with zeros. */
export function topOf(most: number): number {
  if (most <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5].find((it) => it * power >= most) ?? 10) * power;
}
