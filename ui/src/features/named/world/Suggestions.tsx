import { useQuery } from "@tanstack/react-query";
import { Lightbulb } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/Button";
import { Modal } from "../../../components/Modal";
import { useI18n } from "../../../i18n/i18n";
import { suggestionsQuery } from "../../../ipc/queries";

/** Names that recur in memories and talk without a page of their own, at the foot of the list. */
export function Suggestions({ onChoose }: { onChoose(name: string): void }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const names = useQuery(suggestionsQuery).data ?? [];
  if (names.length === 0) return null;
  return (
    <div className="border-t border-line px-1 py-2">
      <Button look="ghost" className="w-full justify-start!" onClick={() => setOpen(true)}>
        <Lightbulb size={14} aria-hidden />
        {t("world.suggested", { count: names.length })}
      </Button>
      {open && (
        <Modal
          open
          onClose={() => setOpen(false)}
          title={t("world.suggestedTitle")}
          body={t("world.suggestedBody")}
        >
          <ul aria-label={t("world.suggestedTitle")} className="-mx-2 max-h-80 overflow-y-auto px-2">
            {names.map(({ name, texts }) => (
              <li
                key={name}
                className="flex min-h-10 items-center gap-3 border-b border-line last:border-b-0"
              >
                <span className="min-w-0 flex-1 truncate text-lead text-ink">{name}</span>
                <span className="tabular shrink-0 text-meta text-ink-2">
                  {t("world.suggestedTexts", { count: texts })}
                </span>
                <Button
                  aria-label={t("world.suggestedAdd", { name })}
                  onClick={() => {
                    setOpen(false);
                    onChoose(name);
                  }}
                >
                  {t("relation.do")}
                </Button>
              </li>
            ))}
          </ul>
        </Modal>
      )}
    </div>
  );
}
