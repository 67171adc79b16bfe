import { useQueries } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { KnowerView, MemoryDetail, SubjectRow } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { lensQuery } from "../../ipc/queries";
import { Button } from "../Button";
import { useSettled } from "../hooks";
import { Modal } from "../Modal";
import { SubjectPicker } from "../SubjectPicker";
import { useToasts } from "../toast";
import { KnowerLine, type Line } from "./KnowerLine";
import { REST } from "./useReading";

const lineOf = ({ id, name, since }: KnowerView): Line => ({
  id,
  name,
  since: since ?? "",
  was: since ?? "",
});

/** How the times of the lines read, once typing rests. */
function useReadings(lines: readonly Line[]) {
  const settled = useSettled(lines, REST);
  const asked = settled.map(({ since }) => since.trim());
  const queries = useQueries({
    queries: asked.map((at) => ({ ...lensQuery({ knower: null, at }), enabled: at !== "" })),
  });
  return (line: Line) => {
    const text = line.since.trim();
    const query = text === "" ? undefined : queries[asked.indexOf(text)];
    return {
      view: query?.data ?? null,
      problem: query?.error ? toCommandError(query.error).message : null,
    };
  };
}

/** Asks who knows of an entry, each since a time or always. What the core refuses is said at the field. */
export function KnownByDialog({ detail, onClose }: { detail: MemoryDetail; onClose(): void }) {
  const { t } = useI18n();
  const { done } = useToasts();
  const id = useId();
  const [lines, setLines] = useState(() => detail.knownBy.map(lineOf));
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const readingOf = useReadings(lines);
  const change = (next: Line[]) => {
    setLines(next);
    setProblem(null);
  };
  const add = ({ id, name }: SubjectRow) => change([...lines, { id, name, since: "", was: "" }]);
  const remove = (line: Line) => {
    change(lines.filter((it) => it.id !== line.id));
    // Its button is gone with the line.
    requestAnimationFrame(() => box.current?.querySelector("button")?.focus());
  };
  const isUnread = lines.some((line) => readingOf(line).problem !== null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { row } = detail;
      const knowers = lines.map((line) => ({ subject: line.id, since: line.since.trim() || null }));
      const { change } = await core.setKnownBy(row.id, row.version, knowers);
      done(t("knownBy.done"), change);
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
    }
  };
  return (
    <Modal open onClose={onClose} title={t("knownBy.title")} body={t("knownBy.body")}>
      <form onSubmit={(event) => void send(event)}>
        {lines.length === 0 ? (
          <p className="text-ui text-ink-2">{t("knownBy.nobody")}</p>
        ) : (
          <>
            <div aria-hidden className="mb-1 flex gap-2 text-meta text-ink-2">
              <span className="flex-1">{t("knownBy.who")}</span>
              <span className="w-52">{t("knownBy.when")}</span>
            </div>
            <ul aria-label={t("knownBy.list")} className="space-y-2">
              {lines.map((line) => (
                <KnowerLine
                  key={line.id}
                  line={line}
                  hint={`${id}-hint`}
                  {...readingOf(line)}
                  onSince={(since) => change(lines.map((it) => (it.id === line.id ? { ...it, since } : it)))}
                  onRemove={() => remove(line)}
                />
              ))}
            </ul>
            <p id={`${id}-hint`} className="mt-2 text-meta text-pretty text-ink-2">
              {t("knownBy.example")}
            </p>
          </>
        )}
        <div ref={box} className="mt-4">
          <SubjectPicker
            label={t("knownBy.add")}
            without={[detail.row.id, ...lines.map((line) => line.id)]}
            value={null}
            groups
            onChange={add}
            className="w-full"
          />
        </div>
        {problem !== null && (
          <p role="alert" className="mt-3 text-meta text-danger">
            {problem}
          </p>
        )}
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={isUnread}>
            {t("knownBy.save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
