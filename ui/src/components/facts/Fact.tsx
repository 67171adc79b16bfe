import { useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { ClaimView, FactView, KnowerView } from "../../ipc/bindings.gen";
import { factHistoryQuery } from "../../ipc/queries";
import { Button, IconButton } from "../Button";
import { Menu, MenuItem } from "../Menu";
import { useFactWrites } from "../useFactWrites";

type FactProps = {
  fact: FactView;
  /** True among other facts of its key, whose heading says the key. */
  isOneOfSeveral: boolean;
  readOnly: boolean;
  onEdit(): void;
};

/** A fact with its time in the story, what the agent claims instead, and what it was before. */
export function Fact({ fact, isOneOfSeveral, readOnly, onEdit }: FactProps) {
  const { t, list } = useI18n();
  const writes = useFactWrites();
  const [open, setOpen] = useState(false);
  const { key, storyTime } = fact;
  const knower = ({ name, since }: KnowerView) =>
    since === null ? name : t("fact.knownSince", { name, since });
  return (
    <li>
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 text-ui wrap-anywhere text-ink">
          {!isOneOfSeveral && <span className="text-ink-2">{key}: </span>}
          {fact.value}
        </p>
        <Menu
          align="end"
          trigger={
            <IconButton
              className="-my-0.5 size-6!"
              label={
                storyTime ? t("fact.actionsAt", { key, dates: storyTime.text }) : t("fact.actions", { key })
              }
            >
              <Ellipsis size={14} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem disabled={readOnly} onSelect={onEdit}>
            {t("fact.change")}
          </MenuItem>
          <MenuItem onSelect={() => setOpen(!open)}>{t(open ? "fact.historyHide" : "fact.history")}</MenuItem>
          <MenuItem danger disabled={readOnly} onSelect={() => void writes.remove(fact)}>
            {t("fact.remove")}
          </MenuItem>
        </Menu>
      </div>
      {storyTime && (
        <p className="text-meta wrap-anywhere text-ink-2">{t("fact.time", { dates: storyTime.text })}</p>
      )}
      {fact.knownBy.length > 0 && (
        <p className="text-meta wrap-anywhere text-ink-2">
          {t("fact.knownBy", { names: list(fact.knownBy.map(knower)) })}
        </p>
      )}
      <p className="text-meta text-ink-3">{t(`fact.source.${fact.source}`)}</p>
      {fact.claims.map((claim) => (
        <Claim key={claim.id} claim={claim} fact={fact} readOnly={readOnly} />
      ))}
      {open && <Past id={fact.id} />}
    </li>
  );
}

function Claim({ claim, fact, readOnly }: { claim: ClaimView; fact: FactView; readOnly: boolean }) {
  const { t } = useI18n();
  const writes = useFactWrites();
  return (
    <div className="fc-border mt-2 rounded-md bg-accent-wash px-3 py-2">
      <p className="text-ui wrap-anywhere text-ink">{t("fact.claim", { value: claim.value })}</p>
      <div className="mt-2 flex gap-2">
        <Button disabled={readOnly} onClick={() => void writes.settle(claim, fact, true)}>
          {t("fact.accept")}
        </Button>
        <Button look="ghost" disabled={readOnly} onClick={() => void writes.settle(claim, fact, false)}>
          {t("fact.keep")}
        </Button>
      </div>
    </div>
  );
}

function Past({ id }: { id: string }) {
  const { t, date } = useI18n();
  const { data = [] } = useQuery(factHistoryQuery(id));
  return (
    <ol className="appear mt-2 space-y-1 border-l border-line pl-3 text-meta">
      {data.map((item) => (
        <li key={item.version} className="text-ink-2">
          <span className={item.removed ? "line-through" : "text-ink"}>{item.value}</span>{" "}
          {item.storyTime && (
            <span className="text-ink-2">{t("fact.time", { dates: item.storyTime.text })} </span>
          )}
          <span className="text-ink-3">
            {item.until
              ? t("fact.held", { from: date(item.from), until: date(item.until) })
              : t("fact.holds", { from: date(item.from) })}
          </span>
        </li>
      ))}
    </ol>
  );
}
