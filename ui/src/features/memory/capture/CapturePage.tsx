import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../../../components/Button";
import { Problem } from "../../../components/Fields";
import { useLatest } from "../../../components/hooks";
import { Confirm } from "../../../components/Modal";
import { Select } from "../../../components/Select";
import { TierSelect } from "../../../components/TierSelect";
import { useI18n } from "../../../i18n/i18n";
import { core } from "../../../ipc/client";
import { toCommandError } from "../../../ipc/errors";
import { statusQuery, workspacesQuery } from "../../../ipc/queries";
import { destroyWindow, guardClose, setWindowTitle } from "../../../ipc/window";
import { useSpelling } from "../../../preferences/useSpelling";
import { useTextProblem } from "../useTextProblem";
import { CAPTURE_TIERS, type CaptureChoice, readChoice, writeChoice } from "./choice";

/** A small window that takes one memory, from wherever somebody is. What is begun stays in RAM until it is saved. */
export function CapturePage() {
  const { t } = useI18n();
  const spelling = useSpelling();
  const status = useQuery(statusQuery).data;
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const [choice, setChoice] = useState(readChoice);
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const latestText = useLatest(text);
  const problem = useTextProblem(text);
  const begun = text.trim() !== "";

  const worlds = workspaces.filter(({ damaged }) => damaged === null);
  const open = status?.workspace?.id ?? "";
  const world = worlds.find(({ id }) => id === choice.world)?.id ?? open;
  const choose = (patch: Partial<CaptureChoice>) => {
    const next = { ...choice, ...patch };
    writeChoice(next);
    setChoice(next);
  };

  const title = t("capture.title");
  useEffect(() => {
    document.title = title;
    setWindowTitle(title);
  }, [title]);

  /** Puts away what is begun. Where no other window is left to come back from, it asks. */
  const leave = async () => {
    if (!begun) await destroyWindow();
    else if (!(await core.putAsideCapture())) setAsking(true);
  };
  useEffect(() => {
    if (!begun) return;
    return guardClose(async () => {
      if (!(await core.putAsideCapture())) setAsking(true);
      return false;
    });
  }, [begun]);

  const canSave = begun && problem === null && !busy && world !== "" && status?.readOnly !== true;
  const save = async () => {
    if (!canSave) return;
    setBusy(true);
    setRefusal(null);
    try {
      await core.createMemory(
        {
          scope: choice.tier,
          channelId: null,
          conversationId: null,
          lifetime: "long_term",
          title: null,
          keys: [],
          content: text,
          importance: 0.5,
          tags: [],
        },
        world === open ? null : world,
      );
      // What was typed since then is a memory that is not saved.
      if (latestText.current !== text) return;
      setText("");
      await destroyWindow();
    } catch (error) {
      setRefusal(toCommandError(error).message);
    } finally {
      setBusy(false);
    }
  };

  const why = refusal ?? (status?.readOnly ? t("state.readOnly") : begun ? problem : null);
  return (
    <main
      id="page"
      className="flex h-full flex-col gap-3 p-4"
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        if (event.key === "Escape") void leave();
        else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        else return;
        event.preventDefault();
      }}
    >
      <h1 className="sr-only">{title}</h1>
      <textarea
        {...spelling}
        // biome-ignore lint/a11y/noAutofocus: the window is opened to write into it
        autoFocus
        aria-label={t("edit.label")}
        aria-describedby={why ? "capture-why" : undefined}
        placeholder={t("create.placeholder")}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setRefusal(null);
        }}
        className="min-h-0 flex-1 resize-none rounded-md border border-line-strong bg-paper px-4 py-3 font-serif text-prose text-ink placeholder:text-ink-3"
      />
      <Problem id="capture-why">{why}</Problem>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={t("capture.world")}
          value={world}
          onChange={(id) => choose({ world: id })}
          options={worlds.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TierSelect tiers={CAPTURE_TIERS} value={choice.tier} onChange={(tier) => choose({ tier })} />
        <span className="flex-1" />
        <Button look="primary" disabled={!canSave} title={t("capture.keys")} onClick={() => void save()}>
          {t("create.do")}
        </Button>
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void destroyWindow()}
        title={t("edit.closeTitle")}
        body={t("capture.closeBody")}
        confirm={t("edit.closeDo")}
        cancel={t("edit.closeStay")}
      />
    </main>
  );
}
