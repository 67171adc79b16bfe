import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { type RefObject, useState } from "react";
import { Button } from "../../../components/Button";
import { useFocusFallback } from "../../../components/hooks";
import { ShortcutKeys } from "../../../components/Keys";
import { LazyEditor } from "../../../components/LazyEditor";
import { useConversationName } from "../../../components/useConversationName";
import { useI18n } from "../../../i18n/i18n";
import type { Decision, Mark, ProposalView } from "../../../ipc/bindings.gen";
import { proposalEdits } from "./drafts";
import { KindIcon, kindKey } from "./Kind";
import { Texts } from "./Texts";

type DetailProps = {
  proposal: ProposalView;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  editing: boolean;
  onEditing(on: boolean): void;
  onDecide(decision: Decision): void;
  onLeave(): void;
};

const LINK = "inline-flex min-h-6 items-center rounded-sm text-ink-2 hover:text-accent hover:underline";

/** One proposal: what would change, why, who says so, and what can be answered. */
export function ProposalDetail(props: DetailProps) {
  const { proposal, readOnly, region, editing, onEditing, onDecide, onLeave } = props;
  const { t, relative, exact } = useI18n();
  const { kind, state, reason, subjects, filedBy, createdAt, decidedAt } = proposal;
  const stale = state === "open" && subjects.some((it) => it.changedSince);
  const conversation = useConversationName(proposal.conversationRef);
  useFocusFallback(region);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("proposal.region")}
      className="@container flex min-w-0 flex-1 flex-col outline-none"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        if (editing) onEditing(false);
        else onLeave();
      }}
    >
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached from the keyboard
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        <div className="mx-auto max-w-220 px-8 pt-7 pb-10">
          <h2 className="flex items-center gap-2 text-title font-strong text-ink">
            <KindIcon kind={kind} size={18} />
            {t(kindKey(proposal))}
          </h2>
          <p className="mt-2 max-w-[64ch] font-serif text-prose text-pretty text-ink">{reason}</p>
          <p className="mt-2 flex flex-wrap items-center gap-x-2 text-meta text-ink-3">
            <span title={exact(createdAt)}>
              {t("proposal.filed", {
                who: t(`actorKind.${filedBy}`),
                interface: t(`interface.${proposal.interface}`),
                when: relative(createdAt),
              })}
            </span>
            {proposal.conversationRef !== null && (
              <Link
                to="/conversations/$ref"
                params={{ ref: proposal.conversationRef }}
                search={{}}
                className={LINK}
              >
                {t("proposal.fromConversation", { name: conversation })}
              </Link>
            )}
            {proposal.runId !== null && (
              <Link to="/activity" search={{ page: "runs", id: proposal.runId }} className={LINK}>
                {t("proposal.fromRun")}
              </Link>
            )}
          </p>
          {stale && <Band>{t("proposal.changed")}</Band>}
          {state === "superseded" && <Band>{t("proposal.superseded")}</Band>}
          <div className="mt-7">
            <Texts proposal={proposal} />
          </div>
          <Marks lost={proposal.lost} added={proposal.added} />
          {editing && (
            <Edit key={proposal.id} proposal={proposal} onDecide={onDecide} onEditing={onEditing} />
          )}
        </div>
      </div>
      {state === "open" ? (
        !editing && (
          <Answers
            proposal={proposal}
            readOnly={readOnly}
            stale={stale}
            onDecide={onDecide}
            onEdit={() => onEditing(true)}
          />
        )
      ) : (
        <p className="shrink-0 border-t border-line py-3 text-ui text-ink-2">
          <span className="mx-auto block max-w-220 px-8">
            {t(`proposal.state.${state}`)}
            {decidedAt && (
              <span className="text-ink-3" title={exact(decidedAt)}>
                {" · "}
                {t("proposal.decided", { when: relative(decidedAt) })}
              </span>
            )}
          </span>
        </p>
      )}
    </section>
  );
}

function Band({ children }: { children: string }) {
  return (
    <p role="status" className="fc-border mt-5 flex gap-2 rounded-md bg-warn-wash px-4 py-3 text-ui text-ink">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden />
      {children}
    </p>
  );
}

/** What tends to go wrong unseen: a name, a number or a “not” that came or went. */
function Marks({ lost, added }: { lost: Mark[]; added: Mark[] }) {
  const { t } = useI18n();
  if (lost.length + added.length === 0) return null;
  return (
    <section aria-label={t("proposal.marks")} className="mt-6 border-t border-line pt-4">
      <h3 className="text-meta font-strong text-ink-3">{t("proposal.marks")}</h3>
      <dl className="mt-1 text-ui">
        {(
          [
            ["proposal.lost", lost],
            ["proposal.added", added],
          ] as const
        ).map(
          ([title, marks]) =>
            marks.length > 0 && (
              <div key={title} className="flex gap-4 py-0.5">
                <dt className="w-16 shrink-0 text-ink-2">{t(title)}</dt>
                <dd className="flex min-w-0 flex-wrap gap-x-4 text-ink">
                  {marks.map((mark) => (
                    <span key={`${mark.kind}-${mark.text}`}>
                      <span className="text-ink-3">{t(`proposal.mark.${mark.kind}`)}</span>{" "}
                      <span className="font-serif text-snippet">{t("text.quoted", { text: mark.text })}</span>
                    </span>
                  ))}
                </dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

type AnswersProps = {
  proposal: ProposalView;
  readOnly: boolean;
  stale: boolean;
  onDecide(decision: Decision): void;
  onEdit(): void;
};

function Answers({ proposal: { kind }, readOnly, stale, onDecide, onEdit }: AnswersProps) {
  const { t } = useI18n();
  const off = readOnly || stale;
  return (
    <div className="shrink-0 border-t border-line">
      <div className="mx-auto flex max-w-220 flex-wrap items-center gap-2 px-8 py-3">
        {kind === "conflict" ? (
          <>
            <Button disabled={readOnly} onClick={() => onDecide({ kind: "reject" })}>
              {t("proposal.keepBoth")}
            </Button>
            {!readOnly && <ShortcutKeys id="proposal.reject" />}
            <Button disabled={off} onClick={() => onDecide({ kind: "newer_wins" })}>
              {t("proposal.newerWins")}
            </Button>
            <Button disabled={off} onClick={() => onDecide({ kind: "older_wins" })}>
              {t("proposal.olderWins")}
            </Button>
            <span className="text-meta text-ink-3">{t("proposal.losesNote")}</span>
          </>
        ) : (
          <>
            <Button look="primary" disabled={off} onClick={() => onDecide({ kind: "accept" })}>
              {t(kind === "retire" ? "proposal.acceptForget" : "proposal.accept")}
            </Button>
            {!off && <ShortcutKeys id="proposal.accept" />}
            {kind !== "retire" && (
              <>
                <Button disabled={off} onClick={onEdit}>
                  {t("proposal.edit")}
                </Button>
                {!off && <ShortcutKeys id="proposal.edit" />}
              </>
            )}
            <Button look="ghost" disabled={readOnly} onClick={() => onDecide({ kind: "reject" })}>
              {t("proposal.reject")}
            </Button>
            {!readOnly && <ShortcutKeys id="proposal.reject" />}
          </>
        )}
      </div>
    </div>
  );
}

type EditProps = Pick<DetailProps, "proposal" | "onDecide" | "onEditing">;

/** One's own words in place of the proposed ones. What was begun waits with the proposal. */
function Edit({ proposal, onDecide, onEditing }: EditProps) {
  const { t } = useI18n();
  const proposed = proposal.content ?? "";
  const [text, setText] = useState(() => proposalEdits.get(proposal.id) ?? proposed);
  return (
    <section aria-label={t("proposal.edit")} className="appear mt-6">
      <h3 className="mb-2 text-meta text-ink-2">{t("proposal.editLabel")}</h3>
      <div className="rounded-md border border-line-strong bg-raised p-4">
        <LazyEditor
          label={t("proposal.editLabel")}
          value={text}
          onChange={(next) => {
            setText(next);
            if (next === proposed) proposalEdits.drop(proposal.id);
            else proposalEdits.set(proposal.id, next);
          }}
          onSave={() => text.trim() !== "" && onDecide({ kind: "accept_edited", content: text })}
          onEscape={() => onEditing(false)}
          autoFocus
        />
      </div>
      <div className="mt-3 flex gap-2">
        <Button
          look="primary"
          disabled={text.trim() === ""}
          onClick={() => onDecide({ kind: "accept_edited", content: text })}
        >
          {t("proposal.acceptEdited")}
        </Button>
        <Button look="ghost" onClick={() => onEditing(false)}>
          {t("action.back")}
        </Button>
      </div>
    </section>
  );
}
