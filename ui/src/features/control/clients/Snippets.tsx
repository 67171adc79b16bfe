import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/Button";
import { Choices } from "../../../components/Choices";
import { Select } from "../../../components/Select";
import { Failed } from "../../../components/States";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import type { ClientView } from "../../../ipc/bindings.gen";
import { mcpQuery, snippetsQuery } from "../../../ipc/queries";

type Transport = "http" | "stdio";
const TRANSPORTS: readonly Transport[] = ["http", "stdio"];

/** What to write into the settings of the program, ready to paste. */
export function Snippets({ client, token }: { client: ClientView; token: string | null }) {
  const { t } = useI18n();
  const copy = useCopy();
  const { data, error, refetch } = useQuery(snippetsQuery(client.id, token));
  const running = useQuery(mcpQuery).data?.running ?? false;
  const [transport, setTransport] = useState<Transport>("http");
  const [program, setProgram] = useState<string | null>(null);
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="skeleton h-40 w-full" />;
  const all = data[transport];
  const shown = all.find((it) => it.program === program) ?? all[0];
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Choices
          label={t("clients.transport")}
          value={transport}
          onChange={(next) => setTransport(next)}
          options={TRANSPORTS.map((it) => ({ value: it, label: t(`clients.transport.${it}`) }))}
          className="grid-flow-col [&>*]:px-3! [&>*]:py-1.5!"
        />
        {shown && (
          <Select
            label={t("clients.program")}
            value={shown.program}
            onChange={setProgram}
            options={all.map((it) => ({ value: it.program, label: it.program }))}
          />
        )}
      </div>
      {shown && (
        <figure className="mt-4">
          <figcaption className="flex items-center justify-between gap-4 text-meta text-ink-2">
            <span className="min-w-0 wrap-anywhere">{t("clients.snippetFile", { file: shown.file })}</span>
            <Button look="ghost" className="h-7! px-2!" onClick={() => copy(shown.text)}>
              <Copy size={13} aria-hidden />
              {t("clients.snippetCopy")}
            </Button>
          </figcaption>
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached from the keyboard
            tabIndex={0}
            aria-label={t("clients.snippet", { program: shown.program })}
            className="focus-inset mt-1 max-h-64 overflow-auto rounded-md bg-sunken p-3"
          >
            <pre className="font-mono text-meta text-ink select-text">{shown.text}</pre>
          </section>
        </figure>
      )}
      {transport === "http" && token === null && (
        <p className="mt-2 text-meta text-ink-2">{t("clients.snippetToken")}</p>
      )}
      {transport === "http" && !running && (
        <p className="mt-2 text-meta text-warn">{t("clients.snippetOff")}</p>
      )}
    </>
  );
}
