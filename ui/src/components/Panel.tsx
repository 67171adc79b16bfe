import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n";
import { Failed } from "./States";

type AnswerProps<T> = {
  query: { data: T | undefined; error: unknown; refetch(): unknown };
  children(data: T): ReactNode;
};

/** Loading, failed, or there: the same in every panel. */
export function Answer<T>({ query, children }: AnswerProps<T>) {
  const { t } = useI18n();
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div role="status" aria-label={t("state.loading")} className="space-y-3">
      <div className="skeleton h-4 w-1/2" />
      <div className="skeleton h-12 w-full" />
      <div className="skeleton h-12 w-full" />
    </div>
  );
}

/** Says that there is nothing, in a narrow column. */
export function PanelEmpty({ title, body }: { title: string; body: string }) {
  return (
    <div className="py-6">
      <p className="font-serif text-[1.0625rem] leading-6 text-ink">{title}</p>
      <p className="mt-1 text-ui text-pretty text-ink-2">{body}</p>
    </div>
  );
}

export function Group({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line py-4 first:border-t-0 first:pt-0">
      <header className="mb-1 flex min-h-6 items-center justify-between gap-2">
        <h3 className="text-meta font-strong text-ink-3">{title}</h3>
        {aside}
      </header>
      {children}
    </section>
  );
}
