import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Empty, Failed } from "../../../../components/States";
import { useToasts } from "../../../../components/toast";
import { useI18n } from "../../../../i18n/i18n";
import type { AgentPatternView, PatternAnnotation } from "../../../../ipc/bindings.gen";
import { core } from "../../../../ipc/client";
import { keys } from "../../../../ipc/keys";
import { agentPatternsQuery } from "../../../../ipc/queries";
import { Loading } from "../../Loading";
import { Pattern } from "./Pattern";

/** Outcomes that recur: their evidence, the line that agents are shown, and what is thought of it. */
export function PatternsPart({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { data, error, refetch, isPending } = useQuery(agentPatternsQuery);
  const client = useQueryClient();
  const { notify, failed } = useToasts();
  const put = async (work: () => Promise<AgentPatternView>) => {
    try {
      const next = await work();
      client.setQueryData(agentPatternsQuery.queryKey, (all) =>
        all?.map((it) => (it.id === next.id ? next : it)),
      );
      return true;
    } catch (thrown) {
      failed(thrown);
      void client.invalidateQueries({ queryKey: keys.agentPatterns });
      return false;
    }
  };
  const suppress = async (id: string, hide: boolean) => {
    if (await put(() => core.suppressAgentPattern(id, hide)))
      notify(t(hide ? "telemetry.pattern.done.hidden" : "telemetry.pattern.done.shown"));
  };
  const annotate = (id: string, word: PatternAnnotation | null) =>
    void put(() => core.annotateAgentPattern(id, word));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading height={104} />;
  if (data?.length === 0)
    return <Empty title={t("telemetry.pattern.none.title")} body={t("telemetry.pattern.none.body")} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="max-w-270 px-4 pt-6 pb-16">
        <p className="max-w-[60ch] text-lead text-pretty text-ink-2">{t("telemetry.pattern.body")}</p>
        <ul aria-label={t("telemetry.pattern.list")} className="mt-3">
          {data?.map((pattern) => (
            <li key={pattern.id} className="border-b border-line py-5 last:border-b-0">
              <Pattern
                pattern={pattern}
                readOnly={readOnly}
                onAnnotate={(word) => annotate(pattern.id, word)}
                onSuppress={(hide) => void suppress(pattern.id, hide)}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
