import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, Plus, Waypoints, X } from "lucide-react";
import { useRef, useState } from "react";
import { Button, IconButton } from "../../../components/Button";
import { Problem } from "../../../components/Fields";
import { KindIcon } from "../../../components/SubjectKind";
import { SubjectPicker } from "../../../components/SubjectPicker";
import { useSubmit } from "../../../components/useSubmit";
import { useI18n } from "../../../i18n/i18n";
import type { RelationView, SubjectRow } from "../../../ipc/bindings.gen";
import { useSubjectWrites } from "./useSubjectWrites";

type RelationsProps = {
  row: SubjectRow;
  relations: readonly RelationView[];
  more: boolean;
  readOnly: boolean;
};

const sentenceOf = (row: SubjectRow, { relation, outgoing, other }: RelationView) =>
  outgoing ? `${row.name} ${relation} ${other.name}` : `${other.name} ${relation} ${row.name}`;

/** How a subject is related to others: each relation as a sentence, whose other end is a link. */
export function Relations({ row, relations, more, readOnly }: RelationsProps) {
  const { t } = useI18n();
  const writes = useSubjectWrites();
  const [adding, setAdding] = useState(false);
  return (
    <section aria-labelledby="relations" className="border-t border-line pt-6">
      <header className="flex h-8 items-center justify-between">
        <h3 id="relations" className="text-title font-strong text-ink">
          {t("relation.title")}
        </h3>
        <span className="-mr-3 flex items-center">
          {relations.length > 0 && (
            <Link
              to="/world"
              search={{ look: "graph", id: row.id, around: row.id }}
              className="inline-flex h-8 items-center gap-2 rounded-md px-3 text-ui text-ink-2 hover:bg-hover hover:text-ink"
            >
              <Waypoints size={14} aria-hidden />
              {t("graph.show")}
            </Link>
          )}
          {!readOnly && !adding && (
            <Button look="ghost" onClick={() => setAdding(true)}>
              <Plus size={14} aria-hidden />
              {t("relation.add")}
            </Button>
          )}
        </span>
      </header>
      {adding && <AddRelation row={row} onClose={() => setAdding(false)} />}
      {relations.length === 0 && !adding && <p className="mt-2 text-ui text-ink-2">{t("relation.none")}</p>}
      <ul aria-label={t("relation.list", { name: row.name })} className="mt-2">
        {relations.map((it) => (
          <li
            key={it.id}
            className="group flex min-h-9 items-center gap-2 border-b border-line py-1 last:border-b-0"
          >
            <KindIcon kind={it.other.kind} />
            <p className="min-w-0 flex-1 text-lead wrap-anywhere text-ink-2">
              {it.outgoing ? (
                <>
                  {it.relation} <Other subject={it.other} />
                </>
              ) : (
                <>
                  <Other subject={it.other} /> {it.relation} {row.name}
                </>
              )}
            </p>
            {it.storyTime !== null && (
              <span className="max-w-[40%] truncate text-meta text-ink-2" title={it.storyTime.text}>
                {it.storyTime.text}
              </span>
            )}
            {it.channelName !== null && (
              <span className="shrink-0 text-meta text-ink-3">
                {t("relation.channel", { name: it.channelName })}
              </span>
            )}
            <Link
              to="/memory"
              search={{ id: it.id }}
              className="inline-flex min-h-6 shrink-0 items-center rounded-sm text-meta text-ink-3 hover:text-accent hover:underline"
            >
              {t("relation.memory")}
            </Link>
            {!readOnly && (
              <IconButton
                className="size-7!"
                label={t("relation.remove", { sentence: sentenceOf(row, it) })}
                onClick={() => void writes.unrelate(it.id, sentenceOf(row, it))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {more && <p className="mt-2 text-meta text-ink-3">{t("relation.more")}</p>}
    </section>
  );
}

function Other({ subject: { id, name } }: { subject: SubjectRow }) {
  return (
    <Link
      from="/world"
      to="/world"
      search={(before) => ({ ...before, id })}
      className="rounded-sm text-ink underline decoration-line-strong underline-offset-2 hover:text-accent"
    >
      {name}
    </Link>
  );
}

/** Asks for a relation from this subject to another, or the other way round. */
function AddRelation({ row, onClose }: { row: SubjectRow; onClose(): void }) {
  const { t } = useI18n();
  const writes = useSubjectWrites();
  const [word, setWord] = useState("");
  const [other, setOther] = useState<SubjectRow | null>(null);
  const [turned, setTurned] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const form = useSubmit(async () => {
    if (other === null) return;
    const [from, to] = turned ? [other.id, row.id] : [row.id, other.id];
    await writes.relate({ from, to, relation: word.trim(), content: null, channelId: null });
    setWord("");
    setOther(null);
    form.setProblem(null);
    first.current?.focus();
  });
  const own = <span className="min-w-0 truncate text-lead text-ink">{row.name}</span>;
  const picker = (
    <SubjectPicker label={t("relation.other")} without={[row.id]} value={other} onChange={setOther} />
  );
  return (
    <form
      onSubmit={form.onSubmit}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      className="mt-2 rounded-md bg-sunken p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        {turned ? picker : own}
        <input
          ref={first}
          // biome-ignore lint/a11y/noAutofocus: it comes because it was asked for
          autoFocus
          aria-label={t("relation.word", { name: turned ? (other?.name ?? "") : row.name })}
          placeholder={t("relation.wordPlaceholder")}
          value={word}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => {
            setWord(event.target.value);
            form.setProblem(null);
          }}
          className="h-8 w-44 rounded-md border border-line-strong bg-paper px-3 text-ui text-ink placeholder:text-ink-3"
        />
        {turned ? own : picker}
        <IconButton label={t("relation.turn")} onClick={() => setTurned(!turned)}>
          <ArrowLeftRight size={14} aria-hidden />
        </IconButton>
        <span className="flex-1" />
        <Button onClick={onClose}>{t("action.close")}</Button>
        <Button type="submit" look="primary" disabled={other === null || word.trim() === ""}>
          {t("relation.do")}
        </Button>
      </div>
      <Problem className="mt-2">{form.problem}</Problem>
    </form>
  );
}
