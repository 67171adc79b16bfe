import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronRight, Globe, Import, type LucideIcon, Sparkles } from "lucide-react";
import { useAction } from "../../components/actions";
import { useI18n } from "../../i18n/i18n";
import { chatSettingsQuery, runningModelsQuery } from "../../ipc/queries";

type Beginning = { key: "import" | "sample" | "model"; Icon: LucideIcon; run: (() => void) | undefined };

/**
 * Ways to begin an empty world, besides writing the first memory. What cannot be done just now is not offered, nor is a
 * model to somebody who has one.
 */
export function Beginnings({ sample }: { sample: boolean }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const bring = useAction("transfer.import");
  const load = useAction("workspace.sample");
  const chat = useQuery(chatSettingsQuery).data;
  const running = useQuery({ ...runningModelsQuery, enabled: chat?.endpoint === null }).data?.[0];
  const connect = () => void navigate({ to: "/settings", search: { section: "language-model" } });
  const all: Beginning[] = [
    { key: "import", Icon: Import, run: bring?.run },
    { key: "sample", Icon: Globe, run: sample ? load?.run : undefined },
    { key: "model", Icon: Sparkles, run: chat?.endpoint === null ? connect : undefined },
  ];
  const offered = all.filter(({ run }) => run !== undefined);
  if (offered.length === 0) return null;
  return (
    <section aria-label={t("begin.title")} className="text-left">
      <ul className="border-t border-line">
        {offered.map(({ key, Icon, run }) => (
          <li key={key} className="border-b border-line">
            <button
              type="button"
              onClick={run}
              className="focus-inset -mx-3 flex w-[calc(100%+1.5rem)] items-center gap-4 rounded-md px-3 py-2.5 text-left hover:bg-hover"
            >
              <Icon size={16} className="shrink-0 text-ink-3" aria-hidden />
              <span className="min-w-0 flex-1">
                <span className="block text-ui text-ink">{t(`begin.${key}`)}</span>
                <span className="block text-meta text-pretty text-ink-2">
                  {key === "model" && running
                    ? t("begin.modelFound", { name: running.preset.name })
                    : t(`begin.${key}Body`)}
                </span>
              </span>
              <ChevronRight size={16} className="shrink-0 text-ink-3" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
