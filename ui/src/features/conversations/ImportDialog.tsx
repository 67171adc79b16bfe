import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../../components/Button";
import { ChannelSelect } from "../../components/ChannelSelect";
import { Checkbox } from "../../components/Fields";
import { FormPathField } from "../../components/FormDialog";
import { Modal } from "../../components/Modal";
import { Progress } from "../../components/Progress";
import { useSubmit } from "../../components/useSubmit";
import { useI18n } from "../../i18n/i18n";
import type {
  ConversationImportPreview,
  ConversationImportReport,
  ImportProgress,
} from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { hasCode, toCommandError } from "../../ipc/errors";
import { onImportProgress } from "../../ipc/events";
import { channelsQuery } from "../../ipc/queries";
import { pickFile } from "../../ipc/window";

type Step =
  | { at: "path" }
  | { at: "preview"; preview: ConversationImportPreview }
  | { at: "running" }
  | { at: "done"; report: ConversationImportReport };

/** Brings in what was said elsewhere: choose, look, import. */
export function ImportDialog({ channel, onClose }: { channel: string | undefined; onClose(): void }) {
  const { t } = useI18n();
  const { data: all = [] } = useQuery(channelsQuery);
  const channels = all.filter((it) => it.archivedAt === null);
  const [step, setStep] = useState<Step>({ at: "path" });
  const [path, setPath] = useState("");
  const [into, setInto] = useState(channel);
  const [partial, setPartial] = useState(false);
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const usual = channels.find((it) => it.isDefault)?.id ?? "";
  const target = channels.some((it) => it.id === into) ? (into ?? usual) : usual;
  useEffect(() => onImportProgress(setProgress), []);

  const form = useSubmit(async () => {
    form.setProblem(null);
    setPartial(false);
    setStep({ at: "preview", preview: await core.previewConversationImport(path.trim()) });
  });
  const run = async () => {
    setProgress(null);
    form.setProblem(null);
    setStep({ at: "running" });
    try {
      const report = await core.importConversations(path.trim(), target || null, partial);
      setStep({ at: "done", report });
    } catch (error) {
      form.setProblem(hasCode(error, "cancelled") ? t("import.cancelled") : toCommandError(error).message);
      setStep({ at: "path" });
    }
  };
  const cancel = () => {
    if (step.at === "running") void core.cancelConversationImport();
    else onClose();
  };

  return (
    <Modal open onClose={cancel} title={t("import.title")} body={t("import.body")} initialFocus={form.field}>
      {step.at === "path" && (
        <form onSubmit={form.onSubmit}>
          <FormPathField
            form={form}
            label={t("import.path")}
            value={path}
            onChange={setPath}
            pick={() => pickFile(t("import.file"), ["json", "jsonl", "zip"])}
          />
          <div className="mt-6 flex justify-end gap-2">
            <Button onClick={onClose}>{t("action.cancel")}</Button>
            <Button type="submit" look="primary" disabled={form.isSending || path.trim() === ""}>
              {t(form.isSending ? "import.reading" : "import.look")}
            </Button>
          </div>
        </form>
      )}
      {step.at === "preview" && (
        <>
          <Preview preview={step.preview} />
          {step.preview.refused > 0 && (
            <Refusals preview={step.preview} partial={partial} onPartial={setPartial} />
          )}
          <div className="mt-4">
            <p className="mb-1 text-meta text-ink-2">{t("import.into")}</p>
            <ChannelSelect label={t("import.into")} value={target} onChange={setInto} channels={channels} />
          </div>
          <div className="mt-6 flex justify-end gap-2">
            <Button onClick={() => setStep({ at: "path" })}>{t("action.back")}</Button>
            <Button
              look="primary"
              disabled={
                step.preview.newConversations + step.preview.updatedConversations === 0 ||
                (step.preview.refused > 0 && !partial)
              }
              onClick={() => void run()}
            >
              {t("import.do")}
            </Button>
          </div>
        </>
      )}
      {step.at === "running" && (
        <div>
          <p className="tabular text-lead text-ink" aria-live="polite">
            {t("import.running", { count: progress?.conversations ?? 0 })}
          </p>
          <Progress
            label={t("import.progress")}
            value={progress?.readBytes ?? 0}
            max={progress?.totalBytes ?? 0}
          />
          <div className="mt-6 flex justify-end">
            <Button onClick={cancel}>{t("import.cancel")}</Button>
          </div>
        </div>
      )}
      {step.at === "done" && (
        <div>
          <p role="status" className="text-lead text-ink">
            {t("import.done", { ...step.report })}
          </p>
          {step.report.refused > 0 && (
            <p className="text-ui text-ink-2">{t("import.refusedDone", { count: step.report.refused })}</p>
          )}
          <div className="mt-6 flex justify-end">
            <Button look="primary" onClick={onClose}>
              {t("import.close")}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}

/** What cannot be read, and whether the rest shall come in without it. */
function Refusals({
  preview,
  partial,
  onPartial,
}: {
  preview: ConversationImportPreview;
  partial: boolean;
  onPartial(partial: boolean): void;
}) {
  const { t } = useI18n();
  return (
    <div className="mt-3">
      <p className="text-ui font-strong text-warn">{t("import.refused", { count: preview.refused })}</p>
      <ul
        aria-label={t("import.refusals")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached from the keyboard
        tabIndex={0}
        className="focus-inset mt-1 mb-2 max-h-32 overflow-y-auto border-l border-line pl-3 text-ui text-ink-2"
      >
        {preview.refusals.map((it) => (
          <li key={it.place}>
            {it.place}: {it.reason}
          </li>
        ))}
      </ul>
      <Checkbox checked={partial} onChange={onPartial}>
        {t("import.partial")}
      </Checkbox>
    </div>
  );
}

function Preview({ preview }: { preview: ConversationImportPreview }) {
  const { t, date } = useI18n();
  const { conversations, newConversations, updatedConversations, unchangedConversations } = preview;
  return (
    <>
      <p className="text-lead text-ink">
        {t(`import.format.${preview.format}`, { conversations, messages: preview.messages })}
      </p>
      {preview.firstAt && preview.lastAt && (
        <p className="text-ui text-ink-2">
          {t("import.span", { from: date(preview.firstAt), until: date(preview.lastAt) })}
        </p>
      )}
      <ul className="tabular mt-3 text-ui text-ink-2">
        <li>{t("import.new", { count: newConversations })}</li>
        {updatedConversations > 0 && <li>{t("import.updated", { count: updatedConversations })}</li>}
        {unchangedConversations > 0 && <li>{t("import.unchanged", { count: unchangedConversations })}</li>}
        {preview.skipped.map((it) => (
          <li key={it.reason}>{t("import.skipped", { count: it.count, reason: it.reason })}</li>
        ))}
      </ul>
      {preview.titles.length > 0 && (
        <ul
          aria-label={t("import.titles")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached from the keyboard
          tabIndex={0}
          className="focus-inset mt-3 max-h-32 overflow-y-auto border-l border-line pl-3 font-serif text-lead text-ink"
        >
          {[...new Set(preview.titles)].map((title) => (
            <li key={title} className="truncate">
              {title}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
