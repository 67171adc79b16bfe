import type { I18n } from "../i18n/i18n";
import type { MoonReading } from "../ipc/bindings.gen";

export const PHASES = [
  "new",
  "waxing_crescent",
  "first_quarter",
  "waxing_gibbous",
  "full",
  "waning_gibbous",
  "last_quarter",
  "waning_crescent",
] as const;

/** A moon with its phase, for people; a phase that this window does not know keeps its own name. */
export function moonText({ name, phase }: MoonReading, { t }: Pick<I18n, "t">): string {
  const known = PHASES.find((it) => it === phase);
  return t("time.moon", { name, phase: known ? t(`time.moon.${known}`) : phase });
}
