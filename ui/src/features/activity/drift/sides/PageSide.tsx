import { FileText } from "lucide-react";
import { plain } from "../../../../components/plain";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSide } from "../../../../ipc/bindings.gen";
import type { SideKind } from "./kind";

/** The title of the page. The icon says that it is one. */
function Place({ side: { page } }: { side: DriftSide }) {
  const { t } = useI18n();
  if (page === null) return t("drift.page");
  return (
    <>
      <span className="sr-only">{t("drift.page")}: </span>
      <span className="text-ink">{page}</span>
    </>
  );
}

const Way = () => null;

function Icon({ size }: { size: number }) {
  return <FileText size={size} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />;
}

/** A page that has changed since the memory was made of it. Its words are those nearest to the memory now. */
export const PAGE: SideKind = {
  Icon,
  Place,
  Way,
  writer: () => null,
  writtenAt: () => null,
  line: ({ page, text }, t) => (page === null ? t("drift.side.gone") : plain(text).text),
  words: ({ text }) => text,
  sentences: () => [],
  state: ({ page }) => (page === null ? "gone" : null),
};
