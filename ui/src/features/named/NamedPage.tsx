import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { clsx } from "clsx";
import { CircleAlert, Plus } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import { Button, IconButton } from "../../components/Button";
import { loadEditor } from "../../components/LazyEditor";
import { plain } from "../../components/plain";
import { Rows } from "../../components/Rows";
import { Empty, Failed } from "../../components/States";
import { TierIcon } from "../../components/Tier";
import { useCopy } from "../../components/useCopy";
import { useI18n } from "../../i18n/i18n";
import type { NamedEntryView } from "../../ipc/bindings.gen";
import { namedQuery, statusQuery } from "../../ipc/queries";
import { rem } from "../../preferences/zoom";
import { AddDialog } from "./Dialogs";
import { dropUnsaved, useUnsaved } from "./drafts";
import { EntryPane } from "./EntryPane";
import { useNamedWrites } from "./useNamedWrites";
import { KindSelect } from "./world/KindSelect";
import { useSubjectWrites } from "./world/useSubjectWrites";

const ROW = 60;
const route = getRouteApi("/named");

/** VOICE, SOUL and every other text that the World Agent is shown by name. */
export function NamedPage() {
  const { t } = useI18n();
  const { id } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(namedQuery);
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const writes = useNamedWrites();
  const subjects = useSubjectWrites();
  const [adding, setAdding] = useState(false);
  const [ready, setReady] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  // A subject is written on the World page.
  const entries = useMemo(() => query.data?.filter((it) => it.subject === null), [query.data]);
  const open = id === undefined ? entries?.[0] : entries?.find((it) => it.id === id);

  // The first letters typed must find the editor in its place.
  useEffect(() => void loadEditor().then(() => setReady(true)), []);
  const go = useCallback((next: string | undefined) => void navigate({ search: { id: next } }), [navigate]);
  const makeSubject = async (entry: NamedEntryView, kind: string | null) => {
    if (await subjects.setKind(entry, kind)) void navigate({ to: "/world", search: { id: entry.id } });
  };
  /** Set when an entry was opened to be written, until its editor is there to take the focus. */
  const arrive = useRef(false);
  const takeFocus = useCallback(() => {
    const editor = region.current?.querySelector<HTMLElement>("[contenteditable=true], textarea");
    if (!arrive.current || !region.current) return;
    arrive.current = false;
    (editor ?? region.current).focus();
  }, []);
  /** The entry whose editor has come. What is on screen already may still be without one, for a moment. */
  const come = useRef<string>(undefined);
  const openId = open?.id;
  const there = useCallback(() => {
    come.current = openId;
    takeFocus();
  }, [openId, takeFocus]);
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "named.new",
          group: "named",
          label: t("named.new"),
          enabled: !readOnly,
          run: () => setAdding(true),
        },
      ],
      [t, readOnly],
    ),
  );

  return (
    <div className="flex h-full min-w-0">
      <div className="flex w-[clamp(15.5rem,24%,21.25rem)] narrow:w-60 shrink-0 flex-col border-r border-line">
        <div className="border-b border-line pt-3 pr-2 pb-3 pl-4">
          <div className="flex h-9 items-center justify-between gap-2">
            <h1 className="truncate text-title font-strong text-ink">{t("nav.named")}</h1>
            <IconButton
              label={t("named.new")}
              shortcut="named.new"
              disabled={readOnly}
              onClick={() => setAdding(true)}
            >
              <Plus size={16} aria-hidden />
            </IconButton>
          </div>
          <p className="mt-1 pr-2 text-meta text-pretty text-ink-2">{t("named.body")}</p>
        </div>
        {entries ? (
          <Rows
            label={t("named.list")}
            items={entries}
            height={ROW}
            keyOf={(entry) => entry.id}
            chosen={open?.id}
            box={list}
            onOpen={(entry, how) => {
              go(entry.id);
              arrive.current = how === "enter";
              // Another entry takes the focus when it comes; the open one has come.
              if (entry.id === come.current) takeFocus();
            }}
          >
            {(entry) => <Row entry={entry} />}
          </Rows>
        ) : query.error ? (
          <Failed error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label={t("state.loading")}>
            {[0, 1, 2, 3].map((i) => (
              <div key={i} style={{ height: rem(ROW) }} className="space-y-2 border-b border-line px-4 py-3">
                <div className="skeleton h-4 w-1/3" />
                <div className="skeleton h-3 w-4/5" />
              </div>
            ))}
          </div>
        )}
      </div>
      {open && ready ? (
        <EntryPane
          key={open.id}
          entry={open}
          readOnly={readOnly}
          region={region}
          onThere={there}
          onRemoved={() => {
            if (!open.standing) go(undefined);
            list.current?.focus();
          }}
          onLeave={() => list.current?.focus()}
          kind={
            !open.standing &&
            open.scope === "workspace" && (
              <KindSelect kind={null} disabled={readOnly} onChange={(kind) => void makeSubject(open, kind)} />
            )
          }
        />
      ) : entries && ready ? (
        <Gone id={id ?? ""} onBack={() => go(undefined)} />
      ) : (
        <div className="min-w-0 flex-1" />
      )}
      {adding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdd={async (scope, name) => {
            const added = await writes.add(scope, name);
            go(added);
            // After the dialog has given its focus back.
            setTimeout(() => {
              arrive.current = true;
              takeFocus();
            }, 150);
          }}
        />
      )}
    </div>
  );
}

/** The entry went while it was open. What was typed and could not be kept is still here to be taken elsewhere. */
function Gone({ id, onBack }: { id: string; onBack(): void }) {
  const { t } = useI18n();
  const copy = useCopy();
  const draft = useUnsaved(id);
  return (
    <div className="flex min-w-0 flex-1 flex-col items-center justify-center overflow-y-auto px-8">
      <Empty title={t("named.gone.title")} body={t(draft ? "named.gone.draft" : "named.gone.body")}>
        <Button onClick={onBack}>{t("named.gone.back")}</Button>
        {draft && (
          <>
            <Button onClick={() => copy(draft.content)}>{t("memory.copyText")}</Button>
            <Button look="ghost" onClick={() => dropUnsaved(id)}>
              {t("edit.discard")}
            </Button>
          </>
        )}
      </Empty>
      {draft && <p className="memory-prose w-full pb-16 whitespace-pre-wrap select-text">{draft.content}</p>}
    </div>
  );
}

function Row({ entry }: { entry: NamedEntryView }) {
  const { t } = useI18n();
  const draft = useUnsaved(entry.id);
  const bad = draft?.state === "failed" || draft?.state === "stale";
  const text = plain(draft?.content ?? entry.content, [], entry.name).text;
  return (
    <div className="flex gap-2.5">
      <TierIcon scope={entry.scope} size={15} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-lead text-ink">
          <span className="sr-only">{t(`tier.${entry.scope}`)}: </span>
          <span className="min-w-0 truncate">{entry.name}</span>
          {bad && (
            <CircleAlert
              size={13}
              role="img"
              aria-label={t("edit.unsaved")}
              className="ml-auto shrink-0 text-danger"
            />
          )}
        </p>
        <p className={clsx("truncate text-meta", text === "" ? "text-ink-3 italic" : "text-ink-2")}>
          {text === "" ? t("named.empty") : text}
        </p>
      </div>
    </div>
  );
}
