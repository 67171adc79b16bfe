import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { channelOption } from "../../components/ChannelSelect";
import { Choices } from "../../components/Choices";
import { Labelled } from "../../components/Fields";
import { Modal } from "../../components/Modal";
import { PathField } from "../../components/PathField";
import { Select } from "../../components/Select";
import { TierIcon } from "../../components/Tier";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ConflictChoice, ImportPlan, ImportRequest, TransferFormat } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { hasCode, toCommandError } from "../../ipc/errors";
import { channelsQuery } from "../../ipc/queries";
import { pickFile, pickFolder } from "../../ipc/window";
import { Book } from "./Book";
import { ENDINGS, READ, rowsName } from "./formats";
import { Lines } from "./Lines";
import { Plan } from "./Plan";
import { Running } from "./Running";
import { useTransferProgress } from "./useTransferProgress";
import { Warnings } from "./Warnings";

const CONFLICTS: readonly ConflictChoice[] = ["newer", "mine", "both"];

type Step = { at: "file" } | { at: "plan"; plan: ImportPlan; changed: boolean } | { at: "running" };

/** Another question has other lines. */
const anew = (request: ImportRequest): ImportRequest => ({ ...request, picks: [], whole: [] });

/** Another file is another book, with damage of its own. */
const ofFile = (request: ImportRequest): ImportRequest => ({
  ...anew(request),
  sameBook: null,
  newBook: false,
  partial: false,
  onlyWhenNamed: false,
});

/** Brings memory in: choose a file, look at what would happen, import. */
export default function ImportDialog({ initial, onClose }: { initial: string; onClose(): void }) {
  const { t } = useI18n();
  const { undoable, notify } = useToasts();
  const { data: channels = [] } = useQuery(channelsQuery);
  const [step, setStep] = useState<Step>({ at: "file" });
  const [asked, setAsked] = useState<ImportRequest>({
    path: initial,
    format: null,
    scope: "workspace",
    channelId: null,
    conflicts: "newer",
    picks: [],
    pickAll: false,
    whole: [],
    sameBook: null,
    newBook: false,
    partial: false,
    onlyWhenNamed: false,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { progress, stopping, begin, stop } = useTransferProgress();
  const input = useRef<HTMLInputElement>(null);
  /** Only the answer to the last question is shown. */
  const turn = useRef(0);

  const look = async (request: ImportRequest, changed = false) => {
    turn.current += 1;
    const mine = turn.current;
    setAsked(request);
    setBusy(true);
    setProblem(null);
    try {
      const plan = await core.previewImport({ ...request, path: request.path.trim() });
      if (turn.current === mine) setStep({ at: "plan", plan, changed });
    } catch (error) {
      if (turn.current !== mine) return;
      if (toCommandError(error).details?.field === "picks") {
        await look(anew(request), true);
        return;
      }
      setProblem(toCommandError(error).message);
      setStep({ at: "file" });
    }
    setBusy(false);
  };
  // A file that was dropped is looked at without a further word.
  const started = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (initial === "" || started.current) return;
    started.current = true;
    void look(asked);
  }, []);

  const undo = (runId: string) => async () => {
    const { restored, conflicts } = await core.revertRun(runId);
    notify(
      conflicts.length > 0
        ? t("importing.undoneBut", { count: conflicts.length })
        : t("importing.undone", { count: restored }),
    );
  };
  const run = async (plan: ImportPlan) => {
    begin();
    setProblem(null);
    setStep({ at: "running" });
    try {
      const { plan: done, runId } = await core.importMemory({ ...asked, path: asked.path.trim() }, plan.hash);
      const count = (kind: "add" | "change" | "unpicked") =>
        done.counts.reduce((sum, it) => sum + (it.kind === kind ? it.rows : 0), 0);
      const did = { added: count("add"), changed: count("change"), left: count("unpicked") };
      undoable(t(did.left > 0 ? "importing.doneLeft" : "importing.done", did), undo(runId));
      onClose();
    } catch (error) {
      if (hasCode(error, "stale_version")) await look(anew(asked), true);
      else {
        setProblem(hasCode(error, "cancelled") ? t("importing.cancelled") : toCommandError(error).message);
        setStep({ at: "plan", plan, changed: false });
      }
    }
  };

  return (
    <Modal
      open
      onClose={() => (step.at === "running" ? stop() : onClose())}
      title={t("importing.title")}
      body={step.at === "file" ? t("importing.body") : undefined}
      wide={step.at === "plan"}
      initialFocus={input}
    >
      {step.at === "file" && (
        <form
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            if (!busy) void look(ofFile(asked));
          }}
          className="space-y-4"
        >
          <PathField
            ref={input}
            label={t("importing.path")}
            value={asked.path}
            problem={problem}
            onChange={(path) => setAsked({ ...asked, path })}
            onProblem={setProblem}
            pick={() =>
              asked.format === "markdown"
                ? pickFolder(t("importing.title"))
                : pickFile(t("importing.title"), ENDINGS)
            }
          />
          <Labelled label={t("transfer.format")}>
            <Select
              label={t("transfer.format")}
              value={asked.format ?? "auto"}
              onChange={(next) =>
                setAsked({ ...asked, format: next === "auto" ? null : (next as TransferFormat) })
              }
              options={["auto" as const, ...READ].map((it) => ({
                value: it,
                label: t(`transfer.format.${it}`),
              }))}
            />
          </Labelled>
          <div className="flex justify-end gap-2 pt-2">
            <Button onClick={onClose}>{t("action.cancel")}</Button>
            <Button
              type="submit"
              look="primary"
              disabled={asked.path.trim() === ""}
              aria-disabled={busy || undefined}
            >
              {t(busy ? "importing.looking" : "importing.look")}
            </Button>
          </div>
        </form>
      )}
      {step.at === "plan" && (
        <>
          {step.changed && (
            <p
              role="alert"
              className="fc-border mb-4 flex gap-2 rounded-md bg-warn-wash px-4 py-3 text-ui text-ink"
            >
              <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" aria-hidden />
              {t("importing.changed")}
            </p>
          )}
          <p className="truncate text-ui text-ink-2" title={step.plan.path}>
            {t("importing.from", {
              format: t(`transfer.format.${step.plan.format}`),
              path: step.plan.path,
            })}
          </p>
          {step.plan.format !== "inklings" && (
            <div className="mt-4 flex flex-wrap items-center gap-3">
              <span className="text-ui text-ink-2">{t("importing.into")}</span>
              <Select
                label={t("importing.into")}
                value={asked.scope === "channel" ? (asked.channelId ?? "") : asked.scope}
                onChange={(next) =>
                  void look(
                    next === "workspace" || next === "account"
                      ? { ...anew(asked), scope: next, channelId: null }
                      : { ...anew(asked), scope: "channel", channelId: next },
                  )
                }
                options={[
                  ...(["workspace", "account"] as const).map((scope) => ({
                    value: scope as string,
                    label: t(`tier.${scope}`),
                    icon: <TierIcon scope={scope} />,
                  })),
                  ...channels.filter((it) => it.archivedAt === null).map(channelOption),
                ]}
              />
              <span className="text-meta text-ink-2">{t("importing.intoNote")}</span>
            </div>
          )}
          <h3 className="mt-4 mb-2 text-meta text-ink-2">{t("importing.conflicts")}</h3>
          <Choices
            label={t("importing.conflicts")}
            value={asked.conflicts}
            onChange={(conflicts) => void look({ ...anew(asked), conflicts })}
            options={CONFLICTS.map((it) => ({
              value: it,
              label: t(`importing.conflict.${it}`),
              note: t(`importing.conflict.${it}Body`),
            }))}
            className="sm:grid-cols-3 [&>*]:p-3!"
          />
          <Book
            book={step.plan.book}
            onChoose={(sameBook) => void look({ ...anew(asked), sameBook, newBook: sameBook === null })}
          />
          <Warnings
            plan={step.plan}
            partial={asked.partial}
            onPartial={(partial) => setAsked({ ...asked, partial })}
            onlyWhenNamed={asked.onlyWhenNamed}
            onOnlyWhenNamed={(onlyWhenNamed) => void look({ ...anew(asked), onlyWhenNamed })}
          />
          <Lines
            lines={step.plan.lines}
            picks={asked.picks}
            onPick={(picks) => void look({ ...asked, picks })}
            onWhole={(id) => void look({ ...asked, whole: [...asked.whole, id] })}
          />
          <Plan plan={step.plan} />
          {problem && (
            <p role="alert" className="mt-3 text-ui text-danger">
              {problem}
            </p>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <Button onClick={() => setStep({ at: "file" })}>{t("action.back")}</Button>
            <ImportButton
              plan={step.plan}
              waits={step.plan.book?.kind === "doubtful" || (step.plan.damaged > 0 && !asked.partial)}
              busy={busy}
              onRun={() => void run(step.plan)}
            />
          </div>
        </>
      )}
      {step.at === "running" && (
        <Running
          text={
            progress
              ? t("importing.running", { what: rowsName(progress.what, { t }) })
              : t("transfer.starting")
          }
          label={t("importing.progress")}
          note={t("importing.backup")}
          progress={progress}
          stopping={stopping}
          onStop={stop}
        />
      )}
    </Modal>
  );
}

type ImportButtonProps = {
  plan: ImportPlan;
  /** Something has to be decided first. */
  waits: boolean;
  busy: boolean;
  onRun(): void;
};

function ImportButton({ plan, waits, busy, onRun }: ImportButtonProps) {
  const { t } = useI18n();
  const count = plan.counts
    .filter((it) => it.kind === "add" || it.kind === "change")
    .reduce((sum, it) => sum + it.rows, 0);
  return (
    <Button
      look="primary"
      disabled={count === 0 || waits}
      aria-disabled={busy || undefined}
      onClick={() => !busy && onRun()}
    >
      {t("importing.do", { count })}
    </Button>
  );
}
