import type { ReactNode } from "react";
import { Button } from "../../../../components/Button";
import { useI18n } from "../../../../i18n/i18n";
import type { DriftSettlement, DriftView } from "../../../../ipc/bindings.gen";
import type { About } from "../sides/useAbout";

/** What a form of a decision is given. */
export type FormProps = {
  drift: DriftView;
  canon: About;
  statement: About;
  /** Throws what the core refuses. */
  onSettle(settlement: DriftSettlement): Promise<void>;
  onClose(): void;
};

type ButtonsProps = { label: string; isReady: boolean; onClose(): void; children?: ReactNode };

/** What ends a form. */
export function Buttons({ label, isReady, onClose, children }: ButtonsProps) {
  const { t } = useI18n();
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      <Button type="submit" look="primary" disabled={!isReady}>
        {label}
      </Button>
      <Button look="ghost" onClick={onClose}>
        {t("action.back")}
      </Button>
      {children}
    </div>
  );
}
