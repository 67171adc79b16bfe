import { Copy, TriangleAlert } from "lucide-react";
import { type RefObject, useId } from "react";
import { IconButton } from "../../../components/Button";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import type { ScrubManifest } from "../../../ipc/bindings.gen";
import { AlsoFound } from "./AlsoFound";
import { nameOf } from "./counts";
import { Sample } from "./Sample";
import { useTitle } from "./useTitle";

type ManifestProps = {
  manifest: ScrubManifest;
  /** The one that was confirmed, where its rows changed since. */
  before: ScrubManifest | null;
  region: RefObject<HTMLElement | null>;
};

/** What a scrub would destroy: how much of what, what stays, and some of it to look at. */
export function Manifest({ manifest, before, region }: ManifestProps) {
  const i18n = useI18n();
  const { t, number } = i18n;
  const copy = useCopy();
  const id = useId();
  const title = useTitle(manifest);
  const { counts, keeps, sample, total } = manifest;
  const was = (what: string) => before?.counts.find((it) => it.what === what)?.rows ?? 0;
  const gone = before?.counts.filter((it) => !counts.some((now) => now.what === it.what)) ?? [];
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-labelledby={id}
      className="mt-8 border-t border-line pt-6 outline-none"
    >
      {before && (
        <p
          role="alert"
          className="fc-border mb-5 flex gap-2 rounded-md bg-warn-wash px-4 py-3 text-ui text-ink"
        >
          <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" aria-hidden />
          {t("scrub.changed")}
        </p>
      )}
      <h2 id={id} className="text-meta text-ink-2">
        {t("scrub.manifest")}
      </h2>
      <p className="mt-0.5 text-title font-strong text-ink">{title}</p>
      {total === 0 ? (
        <p className="mt-2 text-lead text-ink-2">{t("scrub.nothing")}</p>
      ) : (
        <>
          <p className="tabular mt-1 text-lead text-ink-2">
            {t("scrub.total", { count: total })} {t("scrub.keeps", { count: keeps })}
          </p>
          <dl className="tabular mt-5 flex flex-wrap gap-x-10 gap-y-3">
            {[...counts, ...gone.map((it) => ({ ...it, rows: 0 }))].map(({ what, rows }) => (
              <div key={what} className="flex flex-col-reverse justify-end">
                <dt className="text-meta text-ink-2">
                  {nameOf(what, i18n)}
                  {before && was(what) !== rows && (
                    <span className="block text-warn">{t("scrub.was", { count: was(what) })}</span>
                  )}
                </dt>
                <dd className="font-serif text-title text-ink">{number(rows)}</dd>
              </div>
            ))}
          </dl>
          {sample.length > 0 && (
            <section className="mt-6" aria-label={t("scrub.sample", { count: sample.length })}>
              <h3 className="text-meta text-ink-2">{t("scrub.sample", { count: sample.length })}</h3>
              <ul
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached from the keyboard
                tabIndex={0}
                className="focus-inset mt-1 max-h-44 overflow-y-auto border-l border-line pl-3"
              >
                {sample.map((it) => (
                  <li key={it} className="py-1">
                    <Sample id={it} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <AlsoFound manifest={manifest} />
          <p className="mt-5 flex items-center gap-1 text-meta text-ink-2">
            {t("scrub.fingerprint")}
            <code title={manifest.hash} className="ml-1 font-mono text-ink select-text">
              {manifest.hash.slice(0, 16)}
            </code>
            <IconButton
              className="size-6!"
              label={t("scrub.copyFingerprint")}
              onClick={() => copy(manifest.hash)}
            >
              <Copy size={13} aria-hidden />
            </IconButton>
          </p>
        </>
      )}
    </section>
  );
}
