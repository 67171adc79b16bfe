import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { LensSpec, LensView } from "../../ipc/bindings.gen";
import { calendarsQuery, chaptersQuery, subjectsQuery } from "../../ipc/queries";
import { Button } from "../Button";
import { INPUT, Labelled, Problem } from "../Fields";
import { Select } from "../Select";
import { SubjectPicker } from "../SubjectPicker";
import { useSubmit } from "../useSubmit";
import { Reading } from "./Reading";
import { useLensText } from "./useLensText";
import { useReading } from "./useReading";

/** Values of the list of chapters that are no id. */
const END = "end";
const DATE = "date";

export type LensFormProps = {
  lens: LensView | null;
  /** What it is for. */
  body: string;
  /** The word on its button. */
  apply: string;
  /** Throws what the core refuses. Neither a subject nor a time: no lens. */
  onSet(spec: LensSpec): unknown;
};

/** Asks whose knowledge is shown, and up to when the story has happened. */
export function LensForm({ lens, body, apply, onSet }: LensFormProps) {
  const { t } = useI18n();
  const { nameOf } = useLensText();
  const [knower, setKnower] = useState(() =>
    lens?.knowerId ? { id: lens.knowerId, name: nameOf(lens.knowerId, lens.knower ?? "") } : null,
  );
  const [point, setPoint] = useState(lens?.chapterId ?? (lens?.at ? DATE : END));
  const [date, setDate] = useState(lens?.chapterId ? "" : (lens?.at ?? ""));
  const reading = useReading(point === DATE ? date : "");
  const id = useId();
  const typed = date.trim();
  const at = point === DATE ? typed || null : point === END ? null : point;
  const isEmpty = knower === null && at === null;
  const isReady = !(isEmpty && lens === null) && !(point === DATE && typed === "") && !reading.problem;
  const hasAudience = useQuery(subjectsQuery).data?.rows.some((row) => row.kind === "audience") ?? true;
  const form = useSubmit(() => onSet({ knower: knower?.id ?? null, at }));
  const changed = () => form.setProblem(null);
  return (
    <form onSubmit={form.onSubmit} className="space-y-3">
      <p className="text-meta text-pretty text-ink-2">{body}</p>
      <Labelled label={t("lens.who")}>
        <SubjectPicker
          label={t("lens.who")}
          value={knower}
          groups
          none={{
            label: t("lens.anybody"),
            choose: () => {
              setKnower(null);
              changed();
            },
          }}
          onChange={(row) => {
            setKnower(row);
            changed();
          }}
          className="w-full"
        />
      </Labelled>
      <Labelled label={t("lens.when")}>
        <PointSelect
          lens={lens}
          value={point}
          onChange={(next) => {
            setPoint(next);
            changed();
          }}
        />
        {point === DATE && (
          <>
            <input
              aria-label={t("lens.dateLabel")}
              aria-invalid={reading.problem ? true : undefined}
              aria-describedby={`${id}-reading`}
              placeholder={t("lens.dateExample")}
              value={date}
              maxLength={1000}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setDate(event.target.value);
                changed();
              }}
              className={`${INPUT} mt-2`}
            />
            <Reading id={`${id}-reading`} {...reading} />
          </>
        )}
      </Labelled>
      {!hasAudience && <p className="text-meta text-pretty text-ink-2">{t("lens.audience")}</p>}
      <Problem>{form.problem}</Problem>
      <div className="flex justify-end">
        <Button type="submit" look="primary" disabled={!isReady}>
          {apply}
        </Button>
      </div>
    </form>
  );
}

type PointSelectProps = { lens: LensView | null; value: string; onChange(value: string): void };

/** The end of the story, a chapter in the order of reading, or a date where there are calendars. */
function PointSelect({ lens, value, onChange }: PointSelectProps) {
  const { t } = useI18n();
  const chapters = useQuery(chaptersQuery).data ?? [];
  const hasCalendars = (useQuery(calendarsQuery).data?.calendars.length ?? 0) > 0;
  const options = chapters.map(({ row, readingNumber }) => ({
    value: row.id,
    label: readingNumber === null ? (row.name ?? "") : `${readingNumber}. ${row.name}`,
  }));
  // A chapter may be gone, or not be read yet.
  if (lens?.chapterId && !options.some((it) => it.value === lens.chapterId))
    options.push({ value: lens.chapterId, label: lens.at ?? "" });
  return (
    <Select
      label={t("lens.when")}
      wide
      value={value}
      onChange={onChange}
      options={[
        { value: END, label: t("lens.end") },
        ...options,
        ...(hasCalendars || value === DATE ? [{ value: DATE, label: t("lens.date") }] : []),
      ]}
    />
  );
}
