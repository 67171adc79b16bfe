import { Link } from "@tanstack/react-router";
import { Differing } from "../../../components/Differing";
import { TierIcon } from "../../../components/Tier";
import { Time } from "../../../components/Time";
import { Side } from "../../../components/TwoVersions";
import { WordDiff } from "../../../components/WordDiff";
import { useI18n } from "../../../i18n/i18n";
import type { ProposalSubject, ProposalView } from "../../../ipc/bindings.gen";

const PAIR =
  "grid gap-px overflow-hidden rounded-md border border-line bg-line @2xl:grid-cols-2 [&>*]:min-w-0";

const LINK = "inline-flex min-h-6 items-center rounded-sm text-ink-2 hover:text-accent hover:underline";

/** What it is about, in the form that shows the difference best. */
export function Texts({ proposal }: { proposal: ProposalView }) {
  const { t } = useI18n();
  const { kind, subjects, content, makes, lost, added } = proposal;
  const [first, second] = subjects;
  if (makes)
    return (
      <section aria-label={t("proposal.newText")}>
        <p className="mb-1 flex flex-wrap items-center gap-x-2 text-meta text-ink-3">
          <TierIcon scope={makes.scope} size={12} />
          {t(`tier.${makes.scope}`)}
          <span aria-hidden>·</span>
          {t("proposal.suggestedBy", { source: makes.source })}
          {makes.row && (
            <Link to="/memory" search={{ id: makes.row.id }} className={LINK}>
              {t("proposal.openMemory")}
            </Link>
          )}
        </p>
        <p className="memory-prose whitespace-pre-wrap">{content}</p>
      </section>
    );
  if (!first) return null;
  if (kind === "edit")
    return (
      <section aria-label={t("proposal.text")}>
        <Source subject={first} />
        <WordDiff
          before={first.content}
          after={content ?? ""}
          lost={lost.map((it) => it.text)}
          added={added.map((it) => it.text)}
        />
      </section>
    );
  if (kind === "conflict" && second) {
    const [older, newer] = [first, second].sort((a, b) => (bornAt(a) < bornAt(b) ? -1 : 1));
    if (!older || !newer) return null;
    return (
      <div className={PAIR}>
        <Side title={t("proposal.older")} note={<Age subject={older} />}>
          <Source subject={older} />
          <Differing text={older.content} other={newer.content} />
        </Side>
        <Side title={t("proposal.newer")} note={<Age subject={newer} />}>
          <Source subject={newer} />
          <Differing text={newer.content} other={older.content} />
        </Side>
      </div>
    );
  }
  if (kind === "merge")
    return (
      <div className={PAIR}>
        <Side title={t("proposal.before")}>
          <div className="space-y-5">
            {subjects.map((it) => (
              <div key={it.id}>
                <Source subject={it} />
                <Differing text={it.content} other={content ?? ""} />
              </div>
            ))}
          </div>
        </Side>
        <Side title={t("proposal.after")}>
          <Differing text={content ?? ""} other={subjects.map((it) => it.content).join("\n")} />
        </Side>
      </div>
    );
  return (
    <section aria-label={t("proposal.retireText")} className="space-y-5">
      {subjects.map((it) => (
        <div key={it.id}>
          <Source subject={it} />
          <p className="memory-prose whitespace-pre-wrap">{it.content}</p>
        </div>
      ))}
    </section>
  );
}

const bornAt = (subject: ProposalSubject) => subject.row?.updatedAt ?? "";

function Age({ subject }: { subject: ProposalSubject }) {
  return subject.row && <Time iso={subject.row.updatedAt} />;
}

/** Where a text stands, with the way to it. */
function Source({ subject }: { subject: ProposalSubject }) {
  const { t } = useI18n();
  const { row } = subject;
  if (!row) return <p className="mb-1 text-meta text-ink-3">{t("proposal.subjectGone")}</p>;
  return (
    <p className="mb-1 flex flex-wrap items-center gap-x-2 text-meta text-ink-3">
      <TierIcon scope={row.scope} size={12} />
      {row.channelName ? `#${row.channelName}` : t(`tier.${row.scope}`)}
      <span aria-hidden>·</span>
      <Link to="/memory" search={{ id: row.id }} className={LINK}>
        {t("proposal.openMemory")}
      </Link>
    </p>
  );
}
