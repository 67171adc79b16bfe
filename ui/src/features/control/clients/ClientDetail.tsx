import { Copy, KeyRound } from "lucide-react";
import { type ReactNode, type RefObject, useId, useState } from "react";
import { Button } from "../../../components/Button";
import { Confirm } from "../../../components/Modal";
import { Reads } from "../../../components/Reads";
import { useRelative } from "../../../components/Time";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import type { ClientView, NewClient } from "../../../ipc/bindings.gen";
import { Grants } from "./Grants";
import { Snippets } from "./Snippets";
import { useClientWrites } from "./useClientWrites";
import { Wrote } from "./Wrote";

type DetailProps = {
  client: ClientView;
  /** Its token, where it was made just now. */
  token: string | null;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  onFresh(made: NewClient): void;
  onTokenSeen(): void;
};

/** One client: what it may do, how it connects, and what it wrote. */
export function ClientDetail({ client, token, readOnly, region, onFresh, onTokenSeen }: DetailProps) {
  const { t } = useI18n();
  const writes = useClientWrites();
  const [asking, setAsking] = useState<"renew" | "revoke" | null>(null);
  const made = useRelative(client.createdAt);
  const seen = useRelative(client.lastSeenAt ?? client.createdAt);
  const ended = useRelative(client.revokedAt ?? client.createdAt);
  const { name } = client;
  const revoked = client.revokedAt !== null;
  const answer = () => {
    setAsking(null);
    if (asking === "revoke") void writes.revoke(client).then(() => region.current?.focus());
    else void writes.renew(client).then((fresh) => fresh && onFresh(fresh));
  };
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("clients.region", { name })}
      className="min-w-0 flex-1 outline-none"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="truncate text-title font-strong text-ink">{name}</h2>
          <p className="mt-0.5 text-ui text-ink-2">
            {[
              client.workspaceName === ""
                ? t("clients.nowhere")
                : t("clients.where", { workspace: client.workspaceName }),
              client.lastSeenAt === null ? t("clients.never") : t("clients.seen", { when: seen }),
              t("clients.made", { when: made }),
            ].join(" · ")}
          </p>
        </div>
        <div className="flex gap-2">
          <Button disabled={readOnly} onClick={() => setAsking("renew")}>
            <KeyRound size={14} aria-hidden />
            {t("clients.renew")}
          </Button>
          {!revoked && (
            <Button disabled={readOnly} onClick={() => setAsking("revoke")}>
              {t("clients.revoke")}
            </Button>
          )}
        </div>
      </header>
      {revoked && (
        <p className="fc-border mt-4 rounded-md bg-sunken px-4 py-3 text-ui text-ink">
          {t("clients.wasRevoked", { when: ended })}
        </p>
      )}
      {token !== null && <Token name={name} token={token} onSeen={onTokenSeen} />}
      <Section title={t("clients.grants")} body={revoked ? undefined : t("clients.grantsBody")}>
        <Grants client={client} disabled={readOnly || revoked} />
      </Section>
      {!revoked && (
        <Section title={t("clients.connect")}>
          <Snippets client={client} token={token} />
        </Section>
      )}
      <Wrote client={client} readOnly={readOnly} />
      <Reads of={{ client: client.id }} title={t("reads.ofClient")} />
      {asking && (
        <Confirm
          open
          onClose={() => setAsking(null)}
          onConfirm={answer}
          title={t(asking === "revoke" ? "clients.revokeTitle" : "clients.renewTitle", { name })}
          body={t(
            asking === "revoke"
              ? "clients.revokeBody"
              : revoked
                ? "clients.renewRevokedBody"
                : "clients.renewBody",
            { name },
          )}
          confirm={t(asking === "revoke" ? "clients.revokeDo" : "clients.renewDo")}
        />
      )}
    </section>
  );
}

type SectionProps = { title: string; body?: string; children: ReactNode };

function Section({ title, body, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8 border-t border-line pt-5">
      <h3 id={id} className="text-lead font-strong text-ink">
        {title}
      </h3>
      {body && <p className="text-meta text-ink-2">{body}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}

type TokenProps = { name: string; token: string; onSeen(): void };

/** Shown once: there is no way to see it again. */
function Token({ name, token, onSeen }: TokenProps) {
  const { t } = useI18n();
  const copy = useCopy();
  return (
    <section
      aria-label={t("clients.token", { name })}
      className="fc-border mt-5 rounded-md border border-accent bg-accent-wash px-4 py-3"
    >
      <h3 className="text-lead font-strong text-ink">{t("clients.token", { name })}</h3>
      <p className="text-ui text-pretty text-ink-2">{t("clients.tokenBody")}</p>
      <code className="mt-3 block font-mono text-ui wrap-anywhere text-ink select-text">{token}</code>
      <div className="mt-3 flex gap-2">
        <Button look="primary" onClick={() => copy(token)}>
          <Copy size={14} aria-hidden />
          {t("clients.tokenCopy")}
        </Button>
        <Button onClick={onSeen}>{t("clients.tokenDone")}</Button>
      </div>
    </section>
  );
}
