import { useQueries } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { KnowerSpec, KnowerView, SubjectRow } from "../../ipc/bindings.gen";
import { toCommandError } from "../../ipc/errors";
import { lensQuery } from "../../ipc/queries";
import { Problem } from "../Fields";
import { useSettled } from "../hooks";
import { SubjectPicker } from "../SubjectPicker";
import { KnowerLine, type Line } from "./KnowerLine";
import { REST } from "./useReading";

const lineOf = ({ id, name, since, chapterId }: KnowerView): Line => ({
  id,
  name,
  since: since ?? "",
  was: since ?? "",
  wasChapter: chapterId,
});

/** Since when, as it is sent: a chapter that nobody changed by its id, which no other one has. */
const sinceOf = ({ since, was, wasChapter }: Line) => (since === was ? wasChapter : null) ?? since.trim();

/** How the times of the lines read, once typing rests. */
function useReadings(lines: readonly Line[]) {
  const settled = useSettled(lines, REST);
  const asked = settled.map(sinceOf);
  const queries = useQueries({
    queries: asked.map((at) => ({ ...lensQuery({ knower: null, at }), enabled: at !== "" })),
  });
  return (line: Line) => {
    const text = sinceOf(line);
    const query = text === "" ? undefined : queries[asked.indexOf(text)];
    return {
      view: query?.data ?? null,
      problem: query?.error ? toCommandError(query.error).message : null,
    };
  };
}

/** Those who know as they are chosen, each since a time or always. */
export function useKnowers(initial: readonly KnowerView[]) {
  const [lines, setLines] = useState(() => initial.map(lineOf));
  const readingOf = useReadings(lines);
  return {
    lines,
    setLines,
    readingOf,
    /** A time is not understood. */
    isUnread: lines.some((line) => readingOf(line).problem !== null),
    specs: lines.map((line): KnowerSpec => ({ subject: line.id, since: sinceOf(line) || null })),
  };
}

type KnowerFieldsProps = {
  knowers: ReturnType<typeof useKnowers>;
  /** Ids of subjects that are not offered. */
  without: readonly string[];
  /** What is meant while nobody is in the list. */
  empty: string;
  problem: string | null;
  onChange(): void;
};

/** The list of those who know, and the way to add one. What the core refuses is said below it. */
export function KnowerFields({ knowers, without, empty, problem, onChange }: KnowerFieldsProps) {
  const { t } = useI18n();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { lines, setLines, readingOf } = knowers;
  const change = (next: Line[]) => {
    setLines(next);
    onChange();
  };
  const add = ({ id, name }: SubjectRow) =>
    change([...lines, { id, name, since: "", was: "", wasChapter: null }]);
  const remove = (line: Line) => {
    change(lines.filter((it) => it.id !== line.id));
    // Its button is gone with the line.
    requestAnimationFrame(() => box.current?.querySelector("button")?.focus());
  };
  return (
    <>
      {lines.length === 0 ? (
        <p className="text-ui text-ink-2">{empty}</p>
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
          without={[...without, ...lines.map((line) => line.id)]}
          value={null}
          groups
          onChange={add}
          className="w-full"
        />
      </div>
      <Problem className="mt-3">{problem}</Problem>
    </>
  );
}
