import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "../../../components/Button";
import { TextField } from "../../../components/Fields";
import { useSettled } from "../../../components/hooks";
import { Modal } from "../../../components/Modal";
import { Failed } from "../../../components/States";
import { useToasts } from "../../../components/toast";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import { core } from "../../../ipc/client";
import { pagesFoundQuery, promotionPageQuery, promotionQuery } from "../../../ipc/queries";

const MOST = 6;
/** Milliseconds that the typing rests before pages are searched. */
const REST = 80;

/** Shows a memory as a change of a page, to be copied. */
export function PromoteDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useI18n();
  const [text, setText] = useState("");
  const [page, setPage] = useState<{ id: string; title: string } | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const query = useSettled(text.trim(), text.trim() === "" ? 0 : REST);
  const { data: pages } = useQuery(pagesFoundQuery(query));
  return (
    <Modal open onClose={onClose} title={t("promote.title")} body={t("promote.body")} initialFocus={first}>
      <div className="space-y-4">
        <TextField
          ref={first}
          label={t("promote.find")}
          placeholder={t("promote.placeholder")}
          value={text}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            setPage(null);
          }}
        />
        {page === null && query !== "" && pages && (
          <ul aria-label={t("promote.pages")} className="-mx-2">
            {pages.slice(0, MOST).map(({ page: row }) => (
              <li key={row.id}>
                <button
                  type="button"
                  onClick={() => setPage(row)}
                  className="flex min-h-8 w-full flex-wrap items-baseline gap-x-3 rounded-sm px-2 py-1 text-left text-ui text-ink hover:bg-hover"
                >
                  <span className="wrap-anywhere">{row.title}</span>
                  <span className="text-meta text-ink-3 wrap-anywhere">{row.path}</span>
                </button>
              </li>
            ))}
            {pages.length === 0 && <li className="px-2 text-ui text-ink-2">{t("promote.none")}</li>}
          </ul>
        )}
        {page && <Change id={id} page={page} onAppended={onClose} />}
        <div className="flex justify-end pt-2">
          <Button onClick={onClose}>{t("action.close")}</Button>
        </div>
      </div>
    </Modal>
  );
}

type ChangeProps = { id: string; page: { id: string; title: string }; onAppended(): void };

function Change({ id, page, onAppended }: ChangeProps) {
  const { t } = useI18n();
  const copy = useCopy();
  const { notify, failed } = useToasts();
  const canAppend = useQuery(promotionPageQuery).data?.id === page.id;
  const append = () =>
    core.appendMemory(id).then(({ title }) => {
      notify(t("promote.done", { page: title }));
      onAppended();
    }, failed);
  const { data, error, refetch } = useQuery(promotionQuery(id, page.id));
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return <div role="status" aria-label={t("state.loading")} className="skeleton h-24" />;
  return (
    <figure>
      <figcaption className="mb-1 flex items-center justify-between gap-3 text-meta text-ink-2">
        <span className="min-w-0 truncate">{t("promote.diff", { page: page.title })}</span>
        <Button look="ghost" className="px-2!" onClick={() => copy(data)}>
          {t("promote.copy")}
        </Button>
        {canAppend && <Button onClick={() => void append()}>{t("promote.append")}</Button>}
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with keys
        tabIndex={0}
        className="max-h-64 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-meta leading-5 text-ink"
      >
        {data}
      </pre>
    </figure>
  );
}
