import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type FormEvent, useId, useMemo, useRef, useState } from "react";
import { Button } from "../../../components/Button";
import { INPUT, TextField } from "../../../components/Fields";
import { Modal } from "../../../components/Modal";
import { ShowMore } from "../../../components/ShowMore";
import { useI18n } from "../../../i18n/i18n";
import type { FactView } from "../../../ipc/bindings.gen";
import { toCommandError } from "../../../ipc/errors";
import { factsQuery } from "../../../ipc/queries";
import { Fact } from "./Fact";
import { Answer, Group, PanelEmpty } from "./Parts";
import { useFactWrites } from "./useFactWrites";

/** What holds in this world, by name: now, or as it was on a day. */
export function Facts({ refCode, readOnly }: { refCode: string; readOnly: boolean }) {
  const { t } = useI18n();
  const id = useId();
  const [day, setDay] = useState("");
  // The end of the day that was chosen, where the worldbuilder is.
  const asOf = useMemo(() => (day === "" ? null : new Date(`${day}T23:59:59`).toISOString()), [day]);
  const options = factsQuery(asOf);
  const facts = useInfiniteQuery(options);
  const rows = useMemo(() => facts.data?.pages.flatMap((page) => page.rows), [facts.data]);
  const [editing, setEditing] = useState<Partial<FactView> | null>(null);
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
          max={new Date().toISOString().slice(0, 10)}
          onChange={(event) => setDay(event.target.value)}
          className={`${INPUT} w-36! px-2!`}
        />
        {day === "" ? (
          <Button look="ghost" className="ml-auto px-2!" disabled={readOnly} onClick={() => setEditing({})}>
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
                  {rows
                    .filter((it) => it.category === category)
                    .map((fact) => (
                      <Fact
                        key={fact.id}
                        fact={fact}
                        readOnly={readOnly || day !== ""}
                        onEdit={() => setEditing(fact)}
                      />
                    ))}
                </ul>
              </Group>
            ))
          )
        }
      </Answer>
      <ShowMore queryKey={options.queryKey} query={facts} className="">
        {t("fact.more")}
      </ShowMore>
      {editing && <FactDialog fact={editing} refCode={refCode} onClose={() => setEditing(null)} />}
    </>
  );
}

type DialogProps = { fact: Partial<FactView>; refCode: string; onClose(): void };

function FactDialog({ fact, refCode, onClose }: DialogProps) {
  const { t } = useI18n();
  const writes = useFactWrites();
  const [category, setCategory] = useState(fact.category ?? "");
  const [key, setKey] = useState(fact.key ?? "");
  const [value, setValue] = useState(fact.value ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const known = fact.id !== undefined;
  const whole = [category, key, value].every((it) => it.trim() !== "");
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!whole) return;
    try {
      await writes.set(category.trim(), key.trim(), value.trim(), refCode, fact.value);
      onClose();
    } catch (error) {
      setProblem(toCommandError(error).message);
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={t(known ? "fact.change" : "fact.new")}
      body={t("fact.body")}
      initialFocus={first}
    >
      <form onSubmit={(event) => void send(event)} className="space-y-4">
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
          error={problem}
          onChange={(event) => setValue(event.target.value)}
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" look="primary" disabled={!whole}>
            {t("fact.set")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
