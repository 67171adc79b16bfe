import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { Button } from "../../../../components/Button";
import { INPUT } from "../../../../components/Fields";
import { Answer } from "../../../../components/Panel";
import { useI18n } from "../../../../i18n/i18n";
import type { LensSpec, LensView } from "../../../../ipc/bindings.gen";
import { orientQuery } from "../../../../ipc/queries";
import { Ledger } from "./Ledger";
import { TryAs } from "./TryAs";

/** What the agent would be shown for a question. Nothing is sent, and no ledger is kept. */
export function Try({ refCode, lens }: { refCode: string; lens: LensView | null }) {
  const { t } = useI18n();
  const id = useId();
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  /** Another lens than that of the conversation. */
  const [other, setOther] = useState<LensSpec | null>(null);
  const request = { conversation: refCode, channelId: null, query: asked, budget: null, lens: other };
  const query = useQuery({ ...orientQuery(request), enabled: asked !== "" });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setAsked(text.trim());
  };
  return (
    <>
      <form onSubmit={send} className="flex gap-2">
        <input
          aria-label={t("ledger.try.label")}
          aria-describedby={asked === "" ? id : undefined}
          placeholder={t("ledger.try.placeholder")}
          value={text}
          maxLength={10_000}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          className={INPUT}
        />
        <Button type="submit" disabled={text.trim() === ""}>
          {t("ledger.try.do")}
        </Button>
      </form>
      <TryAs lens={lens} other={other} onOther={setOther} />
      {asked === "" ? (
        <p id={id} className="mt-3 text-ui text-pretty text-ink-2">
          {t("ledger.try.body")}
        </p>
      ) : (
        <div className="mt-5" aria-live="polite" aria-busy={query.isFetching}>
          <Answer query={query}>{(view) => <Ledger view={view} of={{ orient: request }} />}</Answer>
        </div>
      )}
    </>
  );
}
