import { useQuery } from "@tanstack/react-query";
import { useI18n } from "../../../i18n/i18n";
import type { ScrubManifest } from "../../../ipc/bindings.gen";
import { statusQuery } from "../../../ipc/queries";

/** What a scrub is about. The core calls the tier of a world by the term of the code; the window says World. */
export function useTitle({ target, title }: ScrubManifest): string {
  const { t } = useI18n();
  const name = useQuery(statusQuery).data?.workspace?.name;
  return target.kind === "workspace" && name !== undefined ? t("scrub.title.workspace", { name }) : title;
}
