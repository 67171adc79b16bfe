import { clsx } from "clsx";
import { Archive, CircleDot, CirclePause } from "lucide-react";
import { useI18n } from "../../i18n/i18n";
import type { ConversationStatus } from "../../ipc/bindings.gen";

const ICONS = { active: CircleDot, idle: CirclePause, archived: Archive };

/** How a conversation stands: a picture and a word. */
export function StatusMark({
  status,
  brief,
  className,
}: {
  status: ConversationStatus;
  /** Only the picture, where most are alike; the word is on hover and for those who do not see it. */
  brief?: boolean;
  className?: string;
}) {
  const { t } = useI18n();
  const Icon = ICONS[status];
  return (
    <span
      title={brief ? t(`conversation.status.${status}`) : undefined}
      className={clsx("inline-flex shrink-0 items-center gap-1 text-meta text-ink-3", className)}
    >
      <Icon
        size={12}
        strokeWidth={1.75}
        className={status === "active" ? "text-accent" : undefined}
        aria-hidden
      />
      <span className={brief ? "sr-only" : undefined}>{t(`conversation.status.${status}`)}</span>
    </span>
  );
}

export function useTitle(): (view: { title: string }) => string {
  const { t } = useI18n();
  return ({ title }) => (title === "" ? t("conversation.untitled") : title);
}
