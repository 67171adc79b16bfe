import { Link } from "@tanstack/react-router";
import { Check, ShieldAlert, ShieldCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../../components/Button";
import { useI18n } from "../../../i18n/i18n";
import type { ScrubDone } from "../../../ipc/bindings.gen";
import { nameOf } from "./counts";
import { useTitle } from "./useTitle";

const LINK = "inline-flex min-h-6 items-center rounded-sm text-accent hover:underline";

/** What is gone, and the proof of it. */
export function Done({ done, onAgain }: { done: ScrubDone; onAgain(): void }) {
  const i18n = useI18n();
  const { t, number } = i18n;
  const { manifest, proof, auditSequence, backupId } = done;
  const region = useRef<HTMLElement>(null);
  useEffect(() => region.current?.focus(), []);
  const title = t("scrub.done", { title: useTitle(manifest) });
  return (
    <section ref={region} tabIndex={-1} aria-label={title} className="max-w-190 outline-none">
      <div role="status">
        <h2 className="text-title font-strong text-ink">{title}</h2>
        <p className="tabular mt-1 text-lead text-ink-2">
          {t("scrub.gone", { count: manifest.total })} {t("scrub.keeps", { count: manifest.keeps })}
        </p>
      </div>
      <dl className="tabular mt-5 flex flex-wrap gap-x-10 gap-y-3">
        {manifest.counts.map(({ what, rows }) => (
          <div key={what} className="flex flex-col-reverse">
            <dt className="text-meta text-ink-2">{nameOf(what, i18n)}</dt>
            <dd className="font-serif text-title text-ink">{number(rows)}</dd>
          </div>
        ))}
      </dl>
      <section aria-label={t("scrub.proof")} className="mt-8 border-t border-line pt-6">
        {proof.ok ? (
          <p className="flex items-center gap-2 text-lead text-ink">
            <ShieldCheck size={16} className="shrink-0 text-accent" aria-hidden />
            {t("scrub.proofOk")}
          </p>
        ) : (
          <div
            role="alert"
            className="fc-border flex gap-3 rounded-md border border-danger bg-danger-wash px-4 py-3 text-lead text-ink"
          >
            <ShieldAlert size={18} className="mt-0.5 shrink-0 text-danger" aria-hidden />
            {t("scrub.proofBad", { count: proof.residues })}
          </div>
        )}
        <ul aria-label={t("scrub.checked")} className="mt-3 flex flex-wrap gap-x-5 gap-y-1 pl-6">
          {proof.checked.map((it) => (
            <li key={it} className="flex items-center gap-1.5 text-ui text-ink-2">
              {proof.ok && <Check size={13} className="text-accent" aria-hidden />}
              {it}
            </li>
          ))}
        </ul>
      </section>
      <ul className="mt-6 text-ui">
        <li>
          <Link to="/control" search={{ part: "audit" }} className={LINK}>
            {t("scrub.toAudit", { sequence: auditSequence })}
          </Link>
        </li>
        {manifest.backups.length > 0 && (
          <li>
            <Link to="/control" search={{ part: "backups" }} className={LINK}>
              {t("scrub.also.backups", { count: manifest.backups.length })}
            </Link>
          </li>
        )}
        {backupId !== null && (
          <li className="flex flex-wrap items-center gap-x-3">
            <Link to="/control" search={{ part: "backups" }} className={LINK}>
              {t("scrub.toBackup")}
            </Link>
            <span className="text-meta text-ink-2">{t("scrub.backupOn")}</span>
          </li>
        )}
      </ul>
      <Button className="mt-6" onClick={onAgain}>
        {t("scrub.again")}
      </Button>
    </section>
  );
}
