import {
  BookOpen,
  CalendarDays,
  CalendarRange,
  Flag,
  Gem,
  Glasses,
  Landmark,
  Lightbulb,
  type LucideIcon,
  MapPin,
  Scale,
  Shapes,
  UserRound,
} from "lucide-react";
import { useCallback } from "react";
import { useI18n } from "../i18n/i18n";
import { type MessageKey, messages } from "../i18n/messages";

const ICONS: Record<string, LucideIcon> = {
  character: UserRound,
  place: MapPin,
  faction: Flag,
  item: Gem,
  event: CalendarDays,
  chapter: BookOpen,
  culture: Landmark,
  rule: Scale,
  concept: Lightbulb,
  audience: Glasses,
  calendar: CalendarRange,
};

export function KindIcon({
  kind,
  size = 15,
  className,
}: {
  kind: string;
  size?: number;
  className?: string;
}) {
  const Icon = ICONS[kind] ?? Shapes;
  return <Icon size={size} strokeWidth={1.75} className={className ?? "shrink-0 text-ink-3"} aria-hidden />;
}

const isKey = (key: string): key is MessageKey => key in messages;

/** What a kind is called: one of the offered kinds in the language of the window, another as it was typed. */
export function useKindName(): (kind: string) => string {
  const { t } = useI18n();
  return useCallback(
    (kind) => {
      const key = `kind.${kind}`;
      return kind in ICONS && isKey(key) ? t(key) : kind.charAt(0).toUpperCase() + kind.slice(1);
    },
    [t],
  );
}
