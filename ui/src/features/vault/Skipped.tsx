import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ShowMore } from "../../components/ShowMore";
import { Failed } from "../../components/States";
import { visible } from "../../components/visible";
import { useI18n } from "../../i18n/i18n";
import type { VaultView } from "../../ipc/bindings.gen";
import { keys } from "../../ipc/keys";
import { vaultSkipsQuery } from "../../ipc/queries";

/** Which files and folders of a linked folder are not indexed, and why. They are read when they are asked for. */
export function Skipped({ vault }: { vault: VaultView }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const query = useInfiniteQuery({ ...vaultSkipsQuery(vault.id), enabled: open });
  const skips = query.data?.pages.flatMap((page) => page.skips);
  return (
    <details className="mt-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-6 w-fit cursor-pointer rounded-sm text-ui text-ink-2 hover:text-ink">
        {t("vault.skipped", { count: vault.skipped })}
      </summary>
      <dl className="mt-2 border-l border-line pl-4">
        {skips?.map((skip) => (
          <div key={skip.path} className="py-1">
            <dt className="font-mono text-meta wrap-anywhere text-ink">{visible(skip.path)}</dt>
            <dd className="text-meta text-ink-2">{skip.message}</dd>
          </div>
        ))}
      </dl>
      {query.error && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      <ShowMore queryKey={keys.vaultSkips(vault.id)} query={query}>
        {t("vault.skippedMore")}
      </ShowMore>
    </details>
  );
}
