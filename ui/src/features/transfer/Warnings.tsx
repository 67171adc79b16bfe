import { Checkbox } from "../../components/Fields";
import { useI18n } from "../../i18n/i18n";
import type { ImportPlan } from "../../ipc/bindings.gen";

type WarningsProps = {
  plan: ImportPlan;
  partial: boolean;
  onPartial(partial: boolean): void;
  onlyWhenNamed: boolean;
  onOnlyWhenNamed(onlyWhenNamed: boolean): void;
};

/** Damaged files, and entries that are always shown and take too much room: each with its choice. */
export function Warnings({ plan, partial, onPartial, onlyWhenNamed, onOnlyWhenNamed }: WarningsProps) {
  const { t } = useI18n();
  const always = plan.alwaysShown;
  return (
    <>
      {plan.damaged > 0 && (
        <div className="mt-4 rounded-md bg-warn-wash px-4 py-3 text-ui text-ink">
          <p className="mb-2">{t("importing.damaged", { count: plan.damaged })}</p>
          <Checkbox checked={partial} onChange={onPartial}>
            {t("importing.partial")}
          </Checkbox>
        </div>
      )}
      {always !== null && (
        <div className="mt-4 rounded-md bg-warn-wash px-4 py-3 text-ui text-ink">
          <p className="mb-2">
            {t("importing.always", { count: always.entries, tokens: always.tokens, room: always.budget })}
          </p>
          <Checkbox checked={onlyWhenNamed} onChange={onOnlyWhenNamed}>
            {t("importing.onlyWhenNamed")}
          </Checkbox>
        </div>
      )}
    </>
  );
}
