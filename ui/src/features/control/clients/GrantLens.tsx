import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../../components/Button";
import { LensPopup } from "../../../components/lens/LensPopup";
import { useLens } from "../../../components/lens/useLens";
import { useLensText } from "../../../components/lens/useLensText";
import { useSomebody } from "../../../components/lens/useSomebody";
import { useI18n } from "../../../i18n/i18n";
import type { ClientView, LensSpec } from "../../../ipc/bindings.gen";
import { statusQuery } from "../../../ipc/queries";

type GrantLensProps = { client: ClientView; disabled: boolean; onChange(lens: LensSpec | null): void };

/** Whose knowledge all reads of a client show. Only subjects of the open workspace can be named. */
export function GrantLens({ client, disabled, onChange }: GrantLensProps) {
  const { t } = useI18n();
  const { reads } = useLensText();
  const box = useRef<HTMLDivElement>(null);
  const here = useQuery(statusQuery).data?.workspace?.id === client.workspaceId;
  const somebody = useSomebody();
  const { lens } = client.grants;
  const { view, problem } = useLens(here ? lens : null);
  // Nobody can be named: there is nothing to ask.
  if (lens === null && !(here && somebody)) return null;
  const sentence = () => {
    if (lens === null) return t("clients.lensNone");
    if (!here) return t("clients.lensElsewhere", { workspace: client.workspaceName });
    return view === null ? (problem ?? "…") : reads(view);
  };
  return (
    <>
      <h4 className="mt-6 text-meta text-ink-2">{t("clients.lens")}</h4>
      <p className="mt-1 max-w-[60ch] text-ui text-pretty text-ink" aria-live="polite">
        {sentence()}
      </p>
      {!disabled && (
        <div ref={box} className="mt-2 flex gap-2">
          {here && (
            <LensPopup
              start
              title={t("lens.showTitle")}
              body={t("clients.lensBody")}
              apply={t("clients.lensSet")}
              lens={view}
              onSet={(spec) => onChange(spec.knower === null && spec.at === null ? null : spec)}
              trigger={
                <Button>
                  <Eye size={14} strokeWidth={1.75} aria-hidden />
                  {t(lens === null ? "clients.lensAdd" : "clients.lensChange")}
                </Button>
              }
            />
          )}
          {lens !== null && (
            <Button
              onClick={() => {
                box.current?.querySelector("button")?.focus();
                onChange(null);
              }}
            >
              {t("clients.lensClear")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
