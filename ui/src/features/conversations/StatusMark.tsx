import { clsx } from "clsx";
import { Archive, CircleDot, CirclePause } from "lucide-react";
import { useI18n } from "../../i18n/i18n";
import type { ConversationStatus } from "../../ipc/bindings.gen";

const ICONS = { active: CircleDot, idle: CirclePause, archived: Archive };

/** How a conversation stands: a picture and a word. */
export function StatusMark({ status, className }: { status: ConversationStatus; className?: string }) {
  const { t } = useI18n();
  const Icon = ICONS[status];
  return (
    <span className={clsx("inline-flex shrink-0 items-center gap-1 text-meta text-ink-3", className)}>
      <Icon
        size={12}
        strokeWidth={1.75}
        className={status === "active" ? "text-accent" : undefined}
        aria-hidden
      />
      {t(`talk.status.${status}`)}
    </span>
  );
}

export function useTitle(): (view: { title: string }) => string {
  const { t } = useI18n();
  return ({ title }) => (title === "" ? t("talk.untitled") : title);
}
