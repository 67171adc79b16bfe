import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId, useMemo, useRef, useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { FactView } from "../../ipc/bindings.gen";
import { factsQuery } from "../../ipc/queries";
import { Button } from "../Button";
import { INPUT, TextField } from "../Fields";
import { FormDialog } from "../FormDialog";
import { localDay } from "../localDay";
import { Answer, Group, PanelEmpty } from "../Panel";
import { ShowMore } from "../ShowMore";
import { Dates, useCalendar, useDates } from "../StoryTime";
import { useFactWrites } from "../useFactWrites";
import { useSubmit } from "../useSubmit";
import { Fact } from "./Fact";

type FactsProps = {
  /** The conversation in which a fact is set. */
  refCode: string | null;
  readOnly: boolean;
};

/** What holds in this world, by name: now, or as it was on a day. */
export function Facts({ refCode, readOnly }: FactsProps) {
  const { t } = useI18n();
  const id = useId();
  const [day, setDay] = useState("");
  // The end of the day that was chosen, where the worldbuilder is.
  const asOf = useMemo(() => (day === "" ? null : new Date(`${day}T23:59:59`).toISOString()), [day]);
  const options = factsQuery(asOf);
  const facts = useInfiniteQuery(options);
  const rows = useMemo(() => facts.data?.pages.flatMap((page) => page.rows), [facts.data]);
  const [editing, setEditing] = useState<FactView | "new" | null>(null);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="shrink-0 text-meta text-ink-2">
          {t("fact.asOf")}
        </label>
        <input
          id={id}
          type="date"
          value={day}
          max={localDay(new Date())}
          onChange={(event) => setDay(event.target.value)}
          className={`${INPUT} w-36! px-2!`}
        />
        {day === "" ? (
          <Button
            look="ghost"
            className="ml-auto px-2!"
            disabled={readOnly}
            onClick={() => setEditing("new")}
          >
            <Plus size={14} aria-hidden />
            {t("fact.new")}
          </Button>
        ) : (
          <Button look="ghost" className="ml-auto px-2!" onClick={() => setDay("")}>
            {t("fact.now")}
          </Button>
        )}
      </div>
      <Answer query={{ data: rows, error: facts.error, refetch: facts.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <PanelEmpty title={t("fact.none")} body={t(day === "" ? "fact.noneBody" : "fact.noneThen")} />
          ) : (
            [...new Set(rows.map((it) => it.category))].map((category) => (
              <Group key={category} title={category}>
                <ul className="space-y-3">
                  {byKey(rows.filter((it) => it.category === category)).map((facts) => {
                    const isOneOfSeveral = facts.length > 1;
                    const list = facts.map((fact) => (
                      <Fact
                        key={fact.id}
                        fact={fact}
                        isOneOfSeveral={isOneOfSeveral}
                        readOnly={readOnly || day !== ""}
                        onEdit={() => setEditing(fact)}
                      />
                    ));
                    const [first] = facts;
                    if (!isOneOfSeveral || !first) return list;
                    return (
                      <li key={first.key.toLowerCase()}>
                        <h4 className="text-ui wrap-anywhere text-ink-2">{first.key}</h4>
                        <ul aria-label={first.key} className="mt-1 space-y-2 border-l border-line pl-3">
                          {list}
                        </ul>
                      </li>
                    );
                  })}
                </ul>
              </Group>
            ))
          )
        }
      </Answer>
      <ShowMore queryKey={options.queryKey} query={facts} className="">
        {t("fact.more")}
      </ShowMore>
      {editing && (
        <FactDialog
          fact={editing === "new" ? undefined : editing}
          refCode={refCode}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}

/** Facts of one key, each at a time of its own. They stand one after another. */
function byKey(facts: FactView[]) {
  const groups = new Map<string, FactView[]>();
  for (const fact of facts) {
    const key = fact.key.toLowerCase();
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups.values()];
}

type DialogProps = { fact: FactView | undefined; refCode: string | null; onClose(): void };

function FactDialog({ fact, refCode, onClose }: DialogProps) {
  const { t } = useI18n();
  const writes = useFactWrites();
  const [category, setCategory] = useState(fact?.category ?? "");
  const [key, setKey] = useState(fact?.key ?? "");
  const [value, setValue] = useState(fact?.value ?? "");
  const dates = useDates(fact?.storyTime?.text ?? "", useCalendar());
  const [isTimeSet, setIsTimeSet] = useState(false);
  const [refusedField, setRefusedField] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const known = fact !== undefined;
  const whole = [category, key, value].every((it) => it.trim() !== "");
  const save = async () => {
    const holds = dates.text.trim();
    if (!fact) {
      await writes.set({
        category: category.trim(),
        key: key.trim(),
        value: value.trim(),
        conversation: refCode,
        holds: holds === "" ? null : holds,
        calendar: dates.by.calendar,
      });
      return;
    }
    if (dates.isChanged && !isTimeSet) {
      await writes.setTime(fact, holds, dates.by.calendar);
      // The value may be refused now, and is then sent alone.
      setIsTimeSet(true);
    }
    if (!dates.isChanged || value.trim() !== fact.value) await writes.change(fact, value.trim(), refCode);
  };
  const form = useSubmit(save, {
    onDone: onClose,
    onRefused: ({ details }) => setRefusedField(details?.field ?? null),
  });
  const isOfDates = refusedField === "holds" || refusedField === "span";
  const problemOfDates = isOfDates ? form.problem : null;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t(known ? "fact.change" : "fact.new")}
      body={t("fact.body")}
      initialFocus={first}
      submit={t("fact.set")}
      ready={whole && dates.unread === null}
    >
      {!known && (
        <>
          <TextField
            ref={first}
            label={t("fact.category")}
            placeholder={t("fact.categoryPlaceholder")}
            value={category}
            onChange={(event) => setCategory(event.target.value)}
          />
          <TextField
            label={t("fact.key")}
            placeholder={t("fact.keyPlaceholder")}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </>
      )}
      <TextField
        ref={known ? first : undefined}
        label={known ? `${category}, ${key}` : t("fact.value")}
        value={value}
        error={isOfDates ? null : form.problem}
        onChange={(event) => setValue(event.target.value)}
      />
      {(dates.by.calendars.length > 0 || problemOfDates) && (
        <Dates
          dates={dates}
          label={t("fact.dates")}
          problem={problemOfDates}
          onType={() => {
            form.setProblem(null);
            setIsTimeSet(false);
          }}
        />
      )}
    </FormDialog>
  );
}
