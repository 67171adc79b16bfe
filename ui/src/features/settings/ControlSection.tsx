import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { Part } from "../../components/Parts";
import { useI18n } from "../../i18n/i18n";

const PARTS = ["overview", "scrub", "clients", "audit", "backups"] as const;

/** The way to what is rarely needed. */
export function ControlSection() {
  const { t } = useI18n();
  return (
    <Part title={t("settings.control.title")} body={t("settings.control.body")}>
      <ul className="border-t border-line">
        {PARTS.map((part) => (
          <li key={part} className="border-b border-line">
            <Link
              to="/control"
              search={{ part }}
              className="focus-inset -mx-3 flex items-center gap-4 rounded-md px-3 py-2.5 hover:bg-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="block text-ui text-ink">{t(`control.tab.${part}`)}</span>
                <span className="block text-meta text-pretty text-ink-2">
                  {t(`settings.control.${part}`)}
                </span>
              </span>
              <ChevronRight size={16} className="shrink-0 text-ink-3" aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
