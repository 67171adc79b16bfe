import type { I18n } from "../i18n/i18n";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** A number of bytes in the unit in which it is easiest to read, by thousands. */
export function size(bytes: number, { number }: I18n): string {
  let value = bytes;
  let at = 0;
  while (value >= 1000 && at < UNITS.length - 1) {
    value /= 1000;
    at += 1;
  }
  return number(value, {
    style: "unit",
    unit: UNITS[at],
    unitDisplay: at === 0 ? "long" : "short",
    maximumFractionDigits: value < 10 && at > 0 ? 1 : 0,
  });
}
