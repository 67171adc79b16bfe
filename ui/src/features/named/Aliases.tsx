import { Plus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Confirm } from "../../components/Modal";
import { useI18n } from "../../i18n/i18n";
import type { NamedEntryView } from "../../ipc/bindings.gen";
import { toCommandError } from "../../ipc/errors";
import { takenMessage } from "./useNamedWrites";

type AliasesProps = {
  entry: NamedEntryView;
  readOnly: boolean;
  adding: boolean;
  onAdding(adding: boolean): void;
  onAdd(alias: string, rebind: boolean): Promise<void>;
};

/** The other names of an entry. One that stands for another entry is only moved on purpose. */
export function Aliases({ entry, readOnly, adding, onAdding, onAdd }: AliasesProps) {
  const { t } = useI18n();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    onAdding(false);
    setText("");
    setProblem(null);
    // The field goes, the focus stays.
    setTimeout(() => opener.current?.focus(), 0);
  };
  const add = async (rebind: boolean) => {
    const alias = text.trim();
    if (alias === "") return;
    try {
      await onAdd(alias, rebind);
      setTaken(null);
      close();
    } catch (error) {
      const message = takenMessage(error);
      if (message !== null && !rebind) setTaken(message);
      else {
        setTaken(null);
        setProblem(toCommandError(error).message);
      }
    }
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    void add(false);
  };
  return (
    <div className="mt-3 flex min-h-6 flex-wrap items-center gap-1 text-meta">
      {entry.aliases.length > 0 && (
        <>
          <span className="mr-1 text-ink-2">{t("named.aliases")}</span>
          <ul aria-label={t("named.aliases")} className="contents">
            {entry.aliases.map((alias) => (
              <li
                key={alias}
                className="fc-border inline-flex h-6 items-center rounded-sm bg-sunken px-2 wrap-anywhere text-ink"
              >
                {alias}
              </li>
            ))}
          </ul>
        </>
      )}
      {adding ? (
        <form onSubmit={send} className="flex flex-wrap items-center gap-1">
          <input
            // biome-ignore lint/a11y/noAutofocus: it comes because it was asked for
            autoFocus
            aria-label={t("named.alias.label", { name: entry.name })}
            aria-invalid={problem ? true : undefined}
            value={text}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.preventDefault();
              event.stopPropagation();
              close();
            }}
            className="h-6 w-40 rounded-sm border border-line-strong bg-paper px-2 text-meta text-ink focus-visible:outline-offset-0"
          />
          <Button type="submit" look="ghost" className="h-6! px-2! text-meta!" disabled={text.trim() === ""}>
            {t("named.alias.do")}
          </Button>
          <Button look="ghost" className="h-6! px-2! text-meta!" onClick={close}>
            {t("action.cancel")}
          </Button>
          {problem && (
            <span role="alert" className="text-danger">
              {problem}
            </span>
          )}
        </form>
      ) : (
        !readOnly && (
          <button
            ref={opener}
            type="button"
            onClick={() => onAdding(true)}
            className="-ml-1 inline-flex h-6 items-center gap-1 rounded-sm px-1.5 text-ink-2 first:-ml-1.5 hover:bg-hover hover:text-ink"
          >
            <Plus size={12} aria-hidden />
            {t("named.alias.add")}
          </button>
        )
      )}
      <Confirm
        open={taken !== null}
        onClose={() => setTaken(null)}
        onConfirm={() => void add(true)}
        title={t("named.alias.rebindTitle", { alias: text.trim(), name: entry.name })}
        body={t("named.alias.rebindBody", { problem: taken ?? "", name: entry.name })}
        confirm={t("named.alias.rebindDo", { name: entry.name })}
      />
    </div>
  );
}
