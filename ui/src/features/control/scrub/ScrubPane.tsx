import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../../components/Button";
import { channelOption } from "../../../components/ChannelSelect";
import { Choices } from "../../../components/Choices";
import { ConversationPicker, type Picked } from "../../../components/ConversationPicker";
import { Checkbox, TextField } from "../../../components/Fields";
import { Select } from "../../../components/Select";
import { useI18n } from "../../../i18n/i18n";
import type { ScrubDone, ScrubKind, ScrubManifest, ScrubMode, ScrubTarget } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { toCommandError } from "../../../ipc/errors";
import { channelsQuery, statusQuery } from "../../../ipc/queries";
import { Done } from "./Done";
import { Execute } from "./Execute";
import { Manifest } from "./Manifest";
import { Sample } from "./Sample";

const KINDS: readonly ScrubKind[] = [
  "subject",
  "conversation",
  "channel",
  "workspace",
  "account",
  "purge_conversation",
];
/** Whose mode is no choice: what was said has no named entries, and a memory that was picked goes, named or not. */
const WHOLE: readonly ScrubKind[] = ["purge_conversation", "entry"];
const MODES: readonly ScrubMode[] = ["full", "keep_named"];

/** A manifest, and the one before it where the rows changed in between. It answers the question of this number. */
type Seen = { manifest: ScrubManifest; before: ScrubManifest | null; question: number };

/** Destroys, in three steps: choose, look, type the phrase. Red only at the last one. */
export function ScrubPane({ readOnly, entry }: { readOnly: boolean; entry?: string }) {
  const { t } = useI18n();
  const { data: channels = [] } = useQuery(channelsQuery);
  const workspace = useQuery(statusQuery).data?.workspace?.name ?? "";
  const [kind, setKind] = useState<ScrubKind>(entry === undefined ? "conversation" : "entry");
  const [mode, setMode] = useState<ScrubMode>("keep_named");
  const [conversation, setConversation] = useState<Picked | null>(null);
  const [channel, setChannel] = useState("");
  const [subject, setSubject] = useState("");
  const [inAccount, setInAccount] = useState(false);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [done, setDone] = useState<ScrubDone | null>(null);
  const [looking, setLooking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const result = useRef<HTMLElement>(null);
  /** The question that an answer may still be shown for. Choosing something else abandons it. */
  const question = useRef(0);

  // Once it is drawn, which may be later than the answer.
  useEffect(() => {
    if (seen) result.current?.focus();
  }, [seen]);

  const forget = () => {
    question.current += 1;
    setLooking(false);
    setSeen(null);
    setProblem(null);
  };
  const ids: Record<ScrubKind, string | null> = {
    conversation: conversation?.id ?? "",
    purge_conversation: conversation?.id ?? "",
    channel,
    subject: subject.trim(),
    entry: entry ?? "",
    workspace: null,
    account: null,
  };
  const id = ids[kind];
  const target: ScrubTarget = { kind, id, ...(kind === "subject" && { account: inAccount }) };
  const asked: ScrubMode = WHOLE.includes(kind) ? "full" : mode;

  const look = async (before: ScrubManifest | null) => {
    question.current += 1;
    const own = question.current;
    setLooking(true);
    setProblem(null);
    try {
      const manifest = await core.previewScrub(target, asked);
      if (question.current === own) setSeen({ manifest, before, question: own });
    } catch (error) {
      if (question.current !== own) return;
      setSeen(null);
      setProblem(toCommandError(error).message);
    }
    if (question.current === own) setLooking(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!looking) void look(null);
  };

  if (done)
    return (
      <Done
        done={done}
        onAgain={() => {
          setDone(null);
          setConversation(null);
          setChannel("");
          setSubject("");
          if (kind === "entry") setKind("conversation");
          forget();
        }}
      />
    );
  return (
    <div className="max-w-190">
      <p className="max-w-[62ch] text-lead text-pretty text-ink-2">{t("scrub.body")}</p>
      <form onSubmit={submit} className="mt-6">
        <h2 className="mb-2 text-meta font-strong text-ink-2">{t("scrub.what")}</h2>
        <Choices
          label={t("scrub.what")}
          value={kind}
          onChange={(next) => {
            setKind(next);
            forget();
          }}
          options={[...(entry === undefined ? [] : (["entry"] as const)), ...KINDS].map((it) => ({
            value: it,
            label: t(`scrub.kind.${it}`),
            note: t(`scrub.kind.${it}Body`, { name: workspace }),
            className: it === "entry" ? "sm:col-span-2" : undefined,
          }))}
          className="sm:grid-cols-2"
        />
        {kind === "entry" && entry !== undefined && (
          <div className="mt-4">
            <Sample id={entry} />
          </div>
        )}
        {kind === "subject" && (
          <div className="mt-4 space-y-3">
            <TextField
              label={t("scrub.which.subject")}
              className="max-w-80"
              value={subject}
              maxLength={120}
              onChange={(event) => {
                setSubject(event.target.value);
                forget();
              }}
            />
            <Checkbox
              checked={inAccount}
              onChange={(next) => {
                setInAccount(next);
                forget();
              }}
            >
              {t("scrub.inAccount")}
            </Checkbox>
          </div>
        )}
        {kind === "channel" && (
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <span className="text-ui text-ink-2">{t("scrub.which.channel")}</span>
            <Select
              label={t("scrub.which.channel")}
              value={channel}
              onChange={(next) => {
                setChannel(next);
                forget();
              }}
              options={[
                ...(channel === "" ? [{ value: "", label: t("action.choose") }] : []),
                ...channels.map(channelOption),
              ]}
            />
          </div>
        )}
        {(kind === "conversation" || kind === "purge_conversation") && (
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <span className="text-ui text-ink-2">{t("pick.conversation")}</span>
            <ConversationPicker
              value={conversation}
              onChange={(next) => {
                setConversation(next);
                forget();
              }}
            />
          </div>
        )}
        {!WHOLE.includes(kind) && (
          <>
            <h2 className="mt-6 mb-2 text-meta font-strong text-ink-2">{t("scrub.how")}</h2>
            <Choices
              label={t("scrub.how")}
              value={mode}
              onChange={(next) => {
                setMode(next);
                forget();
              }}
              options={MODES.map((it) => ({
                value: it,
                label: t(`scrub.mode.${it}`),
                note: t(`scrub.mode.${it}Body`),
              }))}
              className="sm:grid-cols-2"
            />
          </>
        )}
        <Button
          type="submit"
          look={seen ? "plain" : "primary"}
          className="mt-5"
          disabled={id === ""}
          aria-disabled={looking || undefined}
        >
          {t(looking ? "scrub.looking" : "scrub.look")}
        </Button>
        {problem && (
          <p role="alert" className="mt-3 text-ui text-danger">
            {problem}
          </p>
        )}
      </form>
      {seen && (
        <>
          <Manifest manifest={seen.manifest} before={seen.before} region={result} />
          {seen.manifest.total > 0 && (
            <Execute
              // Another manifest is confirmed anew.
              key={seen.manifest.hash}
              manifest={seen.manifest}
              readOnly={readOnly}
              onDone={setDone}
              onStale={async () => {
                if (seen.question === question.current) await look(seen.manifest);
              }}
            />
          )}
        </>
      )}
    </div>
  );
}
