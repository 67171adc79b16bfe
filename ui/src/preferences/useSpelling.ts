import { usePreference } from "./preference";
import { spelling } from "./preferences";

/** The attributes of a field for prose: whether mistakes are marked, and in which language it is written. */
export function useSpelling(): { spellCheck: boolean; lang: string | undefined } {
  const choice = usePreference(spelling);
  return { spellCheck: choice !== "off", lang: choice === "off" || choice === "window" ? undefined : choice };
}
