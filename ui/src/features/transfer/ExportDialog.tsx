import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../components/Button";
import { ChannelSelect } from "../../components/ChannelSelect";
import { Choices } from "../../components/Choices";
import { ConversationPicker, type Picked } from "../../components/ConversationPicker";
import { Checkbox } from "../../components/Fields";
import { Modal } from "../../components/Modal";
import { PathField } from "../../components/PathField";
import { size } from "../../components/size";
import { useCopy } from "../../components/useCopy";
import { useI18n } from "../../i18n/i18n";
import type { ExportReport, ExportScope } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { hasCode, toCommandError } from "../../ipc/errors";
import { channelsQuery } from "../../ipc/queries";
import { pickFolder, pickNewFile } from "../../ipc/window";
import { rowsName, WRITTEN, type Written } from "./formats";
import { Running } from "./Running";
import { useTransferProgress } from "./useTransferProgress";

type What = "workspace" | "channel" | "conversation" | "account";
const WHAT: readonly What[] = ["workspace", "channel", "conversation", "account"];

type Step =
  | { at: "choose" }
  | { at: "running" }
  /** The format has no place for some of it: nothing is written yet. */
  | { at: "losses"; report: ExportReport }
  | { at: "done"; report: ExportReport };

type ExportProps = {
  /** The conversation it was opened for, chosen already. */
  initial: Picked | null;
  onClose(): void;
};

/** Writes memory to a file: what, in which format, where. */
export default function ExportDialog({ initial, onClose }: ExportProps) {
  const i18n = useI18n();
  const { t } = i18n;
  const copy = useCopy();
  const { data: channels = [] } = useQuery(channelsQuery);
  const [step, setStep] = useState<Step>({ at: "choose" });
  const [format, setFormat] = useState<Written>("inklings");
  const [what, setWhat] = useState<What>(initial ? "conversation" : "workspace");
  const [channel, setChannel] = useState<string | null>(null);
  const [conversation, setConversation] = useState(initial);
  const [withAccount, setWithAccount] = useState(false);
  const [embeddings, setEmbeddings] = useState(false);
  const [journal, setJournal] = useState(false);
  const [path, setPath] = useState("");
  /** The file of the system's dialog, which asks before it gives one that is there. */
  const [picked, setPicked] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { progress, stopping, begin, stop } = useTransferProgress();
  const written = WRITTEN.find((it) => it.format === format) ?? WRITTEN[0];
  const whole = format === "inklings";
  const room = channel ?? channels.find((it) => it.isDefault)?.id ?? "";

  const missing = (what === "channel" && room === "") || (what === "conversation" && conversation === null);

  const pick = async () => {
    if (written.ending === null) return pickFolder(t("export.title"));
    const file = await pickNewFile(t("export.title"), written.name, written.ending);
    setPicked(file);
    return file;
  };
  const send = async (knowing: boolean) => {
    const scope: ExportScope = {
      account: what === "account" || (what === "workspace" && withAccount),
      workspace: what === "workspace",
      channelId: what === "channel" ? room : null,
      conversationId: what === "conversation" ? (conversation?.id ?? null) : null,
    };
    begin();
    setProblem(null);
    setStep({ at: "running" });
    try {
      const request = { path: path.trim(), format, scope };
      const full = {
        ...request,
        embeddings: whole && embeddings,
        journal: whole && journal,
        picture: null,
        replace: path.trim() === picked,
      };
      if (!knowing) {
        const look = await core.exportMemory({ ...full, dryRun: true });
        if (look.losses.length > 0) {
          setStep({ at: "losses", report: look });
          return;
        }
      }
      const report = await core.exportMemory({ ...full, dryRun: false });
      setStep({ at: "done", report });
    } catch (error) {
      setProblem(hasCode(error, "cancelled") ? t("export.cancelled") : toCommandError(error).message);
      setStep({ at: "choose" });
    }
  };

  return (
    <Modal
      open
      onClose={() => (step.at === "running" ? stop() : onClose())}
      title={t("export.title")}
      wide={step.at === "choose"}
    >
      {step.at === "choose" && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send(false);
          }}
          className="space-y-5"
        >
          <div>
            <h3 className="mb-2 text-meta text-ink-2">{t("export.scope")}</h3>
            <Choices
              label={t("export.scope")}
              value={what}
              onChange={(next) => setWhat(next)}
              options={WHAT.map((it) => ({
                value: it,
                label: t(`export.scope.${it}`),
                note: t(`export.scope.${it}Body`),
              }))}
              className="sm:grid-cols-2 [&>*]:p-3!"
            />
            {what === "channel" && (
              <div className="mt-3">
                <ChannelSelect
                  label={t("channel.label")}
                  value={room}
                  onChange={setChannel}
                  channels={channels}
                />
              </div>
            )}
            {what === "conversation" && (
              <div className="mt-3">
                <ConversationPicker value={conversation} onChange={setConversation} />
              </div>
            )}
            {what === "workspace" && (
              <div className="mt-3">
                <Checkbox checked={withAccount} onChange={setWithAccount}>
                  {t("export.withAccount")}
                </Checkbox>
              </div>
            )}
          </div>
          <div>
            <h3 className="mb-2 text-meta text-ink-2">{t("transfer.format")}</h3>
            <Choices
              label={t("transfer.format")}
              value={format}
              onChange={(next) => {
                setFormat(next);
                // Another format ends in another way.
                setPath("");
                setProblem(null);
              }}
              options={WRITTEN.map((it) => ({
                value: it.format,
                label: t(`transfer.format.${it.format}`),
                // With a line for each, the button would be below the edge of a small window.
                ...(it.format === "inklings" ? { note: t("export.formatBody.inklings") } : {}),
                // A file of our own has a row to itself, and a folder the rest of the last one.
                ...(it.format === "inklings" ? { className: "sm:col-span-3" } : {}),
                ...(it.ending === null ? { className: "sm:col-span-2" } : {}),
              }))}
              className="sm:grid-cols-3 [&>*]:p-3!"
            />
            {!whole && (
              <p className="mt-3 text-meta text-ink-2">{t(`export.formatBody.${written.format}`)}</p>
            )}
            {whole && (
              <div className="mt-3 space-y-2">
                <Checkbox checked={journal} onChange={setJournal}>
                  {t("export.journal")}
                </Checkbox>
                <Checkbox checked={embeddings} onChange={setEmbeddings}>
                  {t("export.embeddings")}
                </Checkbox>
              </div>
            )}
          </div>
          <PathField
            label={t(written.ending === null ? "export.pathFolder" : "export.path")}
            value={path}
            problem={problem}
            onChange={setPath}
            onProblem={setProblem}
            pick={pick}
          />
          <div className="flex justify-end gap-2 pt-1">
            <Button onClick={onClose}>{t("action.cancel")}</Button>
            <Button type="submit" look="primary" disabled={path.trim() === "" || missing}>
              {t("export.do")}
            </Button>
          </div>
        </form>
      )}
      {step.at === "running" && (
        <Running
          text={
            progress ? t("export.running", { what: rowsName(progress.what, { t }) }) : t("transfer.starting")
          }
          label={t("export.progress")}
          progress={progress}
          stopping={stopping}
          onStop={stop}
        />
      )}
      {step.at === "losses" && (
        <div>
          <div role="status">
            <p className="text-lead text-ink">{t("export.losses")}</p>
            <ul className="tabular mt-3 flex flex-wrap gap-x-4 text-ui text-ink-2">
              {step.report.losses.map((it) => (
                <li key={it.what}>{t("transfer.counts", { what: it.what, count: it.rows })}</li>
              ))}
            </ul>
          </div>
          <div className="mt-6 flex justify-end gap-2">
            <Button onClick={() => setStep({ at: "choose" })}>{t("export.back")}</Button>
            <Button look="primary" onClick={() => void send(true)}>
              {t("export.anyway")}
            </Button>
          </div>
        </div>
      )}
      {step.at === "done" && (
        <div>
          <div role="status">
            <p className="text-lead text-ink">{t("export.done", { size: size(step.report.bytes, i18n) })}</p>
            <p className="flex items-center gap-1">
              <code className="min-w-0 font-mono text-meta wrap-anywhere text-ink select-text">
                {step.report.path}
              </code>
              <IconButton className="size-6!" label={t("export.copy")} onClick={() => copy(step.report.path)}>
                <Copy size={13} aria-hidden />
              </IconButton>
            </p>
          </div>
          <ul className="tabular mt-3 flex flex-wrap gap-x-4 text-ui text-ink-2">
            {step.report.counts
              .filter((it) => it.rows > 0)
              .map((it) => (
                <li key={it.what}>
                  {t("transfer.counts", { what: rowsName(it.what, { t }), count: it.rows })}
                </li>
              ))}
          </ul>
          <div className="mt-6 flex justify-end">
            <Button look="primary" onClick={onClose}>
              {t("transfer.close")}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
