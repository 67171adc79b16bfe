import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n";
import { toCommandError } from "../ipc/errors";
import { Button } from "./Button";

type EmptyProps = { title: string; body: string; children?: ReactNode };

/** Says that there is nothing, and what to do next. */
export function Empty({ title, body, children }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-6 py-16 text-center">
      <p className="font-serif text-[1.1875rem] leading-7 text-balance text-ink">{title}</p>
      <p className="mt-2 text-ui text-pretty text-ink-2">{body}</p>
      {children && <div className="mt-5 flex gap-2">{children}</div>}
    </div>
  );
}

type FailedProps = {
  error: unknown;
  onRetry?: () => void;
  /** True if nothing else is on the page: then this is its heading. */
  page?: boolean;
};

/** Says what went wrong, in words, and offers to try again. */
export function Failed({ error, onRetry, page = false }: FailedProps) {
  const { t } = useI18n();
  const { code, message } = toCommandError(error);
  const Title = page ? "h1" : "p";
  return (
    <div role="alert" className="mx-auto flex max-w-sm flex-col items-center px-6 py-16 text-center">
      <Title className="font-serif text-[1.1875rem] leading-7 text-ink">{t(`error.${code}`)}</Title>
      <p className="mt-2 text-ui text-pretty text-ink-2">{message}</p>
      {onRetry && (
        <Button className="mt-5" onClick={onRetry}>
          {t("action.retry")}
        </Button>
      )}
    </div>
  );
}
