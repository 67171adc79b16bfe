import { useI18n } from "../../i18n/i18n";

const MAX_BYTES = 64 * 1024;

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What keeps a text from being saved, if anything. */
export function useTextProblem(text: string): string | null {
  const { t } = useI18n();
  if (text.trim() === "") return t("edit.empty");
  if (text.length * 3 > MAX_BYTES && byteLength(text) > MAX_BYTES) return t("edit.tooLong");
  return null;
}
