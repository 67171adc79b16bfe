import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useAction, useActions } from "../../../components/actions";
import { Button } from "../../../components/Button";
import { useFocusFallback } from "../../../components/hooks";
import { loadEditor } from "../../../components/LazyEditor";
import { KnownBy } from "../../../components/lens/KnownBy";
import { Markdown } from "../../../components/Markdown";
import { Confirm } from "../../../components/Modal";
import { Names } from "../../../components/names/Names";
import { withoutName } from "../../../components/plain";
import { itemOf } from "../../../components/recall/ItemsField";
import { RecallDialog, type RecallDraft } from "../../../components/recall/RecallDialog";
import { Empty, Failed } from "../../../components/States";
import { StoryTime } from "../../../components/StoryTime";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail, MemoryFilter, SearchHit, SearchResponse } from "../../../ipc/bindings.gen";
import { hasCode } from "../../../ipc/errors";
import { detailQuery, searchQuery } from "../../../ipc/queries";
import { dropDraft, getDraft, setDraft, useDraft } from "../drafts";
import { MoveDialog } from "../MoveDialog";
import { useWrites } from "../useWrites";
import { Bands } from "./Bands";
import { Conflict } from "./Conflict";
import { Decay } from "./Decay";
import { DetailHeader } from "./DetailHeader";
import { History } from "./History";
import { LinksLine } from "./LinksLine";
import { isNamed, NamedLine } from "./NamedLine";
import { PromoteDialog } from "./PromoteDialog";
import { Properties } from "./Properties";
import { Provenance } from "./Provenance";
import { Sources } from "./Sources";
import { Why } from "./Why";
import { Writing } from "./Writing";

type DetailProps = {
  id: string;
  /** What is searched for: a memory that it found says why. */
  query: string;
  filter: MemoryFilter;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  /** Set when the memory was opened from the keyboard and should have the focus once it is there. */
  takeFocus: RefObject<boolean>;
  onClose(): void;
  /** It has a window of its own: there is nothing to go back to. */
  isOwn?: boolean;
  onOpen(id: string): void;
  onConversation(id: string): void;
};

/** The hit that the list shows for a memory. Only another hit draws the memory again, not every answer. */
function useHit(id: string, query: string, filter: MemoryFilter): SearchHit | undefined {
  const find = useCallback(
    (found: SearchResponse) => found.hits.find((hit) => hit.row.id === id) ?? null,
    [id],
  );
  const { data } = useQuery({ ...searchQuery(query, filter), select: find });
  return query === "" ? undefined : (data ?? undefined);
}

export default memo(function Detail(props: DetailProps) {
  const { t } = useI18n();
  const { id, region, takeFocus } = props;
  const { data, error, refetch } = useQuery(detailQuery(id));
  const hit = useHit(id, props.query, props.filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each memory that is opened asks anew
  useEffect(() => {
    if (takeFocus.current) region.current?.focus();
    takeFocus.current = false;
  }, [id, region, takeFocus]);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("memory.region")}
      className="@container min-w-0 flex-1 overflow-y-auto overscroll-contain outline-none"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented || props.isOwn) return;
        event.preventDefault();
        props.onClose();
      }}
    >
      {data ? (
        <Loaded key={id} {...props} detail={data} hit={hit} />
      ) : error && hasCode(error, "not_found") ? (
        <Empty title={t("memory.gone.title")} body={t("memory.gone.body")}>
          <Button onClick={props.onClose}>{t("memory.gone.back")}</Button>
        </Empty>
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="space-y-3 px-8 py-16" role="status" aria-label={t("state.loading")}>
          <div className="skeleton h-5 w-3/4" />
          <div className="skeleton h-5 w-full" />
          <div className="skeleton h-5 w-2/3" />
        </div>
      )}
    </section>
  );
});

function Loaded({
  detail,
  hit,
  query,
  filter,
  readOnly,
  region,
  onClose,
  isOwn,
  onOpen,
  onConversation,
}: DetailProps & { detail: MemoryDetail; hit: SearchHit | undefined }) {
  const { t } = useI18n();
  const copy = useCopy();
  const writes = useWrites();
  const navigate = useNavigate();
  const { row, content } = detail;
  const heading = row.name ?? row.title;
  const draft = useDraft(row.id);
  const [discarding, setDiscarding] = useState(false);
  const [saving, setSaving] = useState(false);
  const [promoting, setPromoting] = useState(false);
  const [moving, setMoving] = useState(false);
  const [tested, setTested] = useState<RecallDraft | null>(null);
  const gone = row.forgottenAt !== null;
  const canWrite = !readOnly && !gone;
  const canMove = canWrite && row.name === null;
  const conflict = draft?.conflict ?? null;
  const editing = draft !== undefined && !conflict;
  // The key is about what is selected, while anything is.
  const isSelecting = useAction("list.forget") !== undefined;

  // "Forget" goes with the press of it: the memory it stood in stays.
  useFocusFallback(region);

  // The editor takes the focus with it when it goes: hand it to the memory, not to nowhere.
  const wasWriting = useRef(false);
  useEffect(() => {
    if (wasWriting.current && draft === undefined) region.current?.focus();
    wasWriting.current = draft !== undefined;
  }, [draft, region]);

  // What is found by a question is most often what must come up for it.
  const question = hit ? query : "";
  const actions = useMemo(() => {
    const edit = () => {
      void loadEditor().then(() => {
        if (!getDraft(row.id)) setDraft(row.id, { content, base: row.version, conflict: null });
      });
    };
    return {
      edit,
      save: async () => {
        const current = getDraft(row.id);
        if (!current || current.content.trim() === "" || saving) return;
        if (current.content === content) {
          dropDraft(row.id);
          return;
        }
        setSaving(true);
        await writes.saveContent(row.id, current.base, current.content);
        setSaving(false);
      },
      leave: () => (getDraft(row.id)?.content === content ? dropDraft(row.id) : setDiscarding(true)),
      pin: () => void writes.patch(row, { pinned: !row.pinned }),
      forget: () => void writes.forget([row.id]),
      restore: () => void writes.restore([row.id]),
      copyText: () => copy(content),
      copyId: () => copy(row.id),
      test: () => setTested({ question, come: [itemOf(row)] }),
      promote: () => setPromoting(true),
      move: () => setMoving(true),
      scrub: () => void navigate({ to: "/control", search: { part: "scrub", entry: row.id } }),
    };
  }, [row, content, question, writes, copy, saving, navigate]);

  useActions(
    useMemo(
      () => [
        {
          id: "memory.edit",
          group: "memory",
          label: t("memory.editText"),
          enabled: canWrite && !conflict,
          run: actions.edit,
        },
        {
          id: "memory.pin",
          group: "memory",
          label: t(row.pinned ? "memory.unpin" : "memory.pin"),
          enabled: canWrite,
          run: actions.pin,
        },
        {
          id: "memory.move",
          group: "memory",
          label: t("memory.move"),
          enabled: canMove,
          run: actions.move,
        },
        {
          id: "memory.forget",
          group: "memory",
          label: t("memory.forget"),
          enabled: canWrite && !isSelecting,
          run: actions.forget,
        },
        {
          id: "memory.restore",
          group: "memory",
          label: t("memory.restore"),
          enabled: gone && !readOnly,
          run: actions.restore,
        },
        { id: "memory.copyText", group: "memory", label: t("memory.copyText"), run: actions.copyText },
        {
          id: "memory.recallTest",
          group: "memory",
          label: t("recall.forMemory"),
          enabled: !readOnly,
          run: actions.test,
        },
        { id: "memory.promote", group: "memory", label: t("promote.action"), run: actions.promote },
        { id: "memory.scrub", group: "memory", label: t("memory.scrub"), run: actions.scrub },
      ],
      [t, canWrite, canMove, conflict, gone, readOnly, isSelecting, row.pinned, actions],
    ),
  );

  return (
    <>
      <DetailHeader
        row={row}
        canWrite={canWrite}
        canMove={canMove}
        canTest={!readOnly}
        editing={draft !== undefined}
        actions={actions}
        onClose={isOwn ? undefined : onClose}
      />
      <div className="mx-auto grid max-w-[calc(var(--measure)+33.375rem)] grid-cols-1 gap-x-12 px-5 pt-6 pb-16 @lg:px-8 @4xl:grid-cols-[minmax(0,1fr)_19rem]">
        {/* Beside a longer column the text stays in view; where it is the longer one it scrolls by itself. */}
        <div className="contents @4xl:sticky @4xl:top-18 @4xl:block @4xl:max-h-(--text-room,calc(100vh-14.5rem)) @4xl:min-w-0 @4xl:self-start @4xl:overflow-y-auto">
          <div className="order-1 min-w-0">
            <Bands detail={detail} readOnly={readOnly} onRestore={actions.restore} onOpen={onOpen} />
            {conflict && draft ? (
              <Conflict id={row.id} mine={draft.content} theirs={conflict} readOnly={readOnly} />
            ) : editing ? (
              <Writing
                draft={draft}
                lens={filter.lens}
                own={row.id}
                changed={draft.base !== row.version}
                saving={saving}
                readOnly={readOnly}
                onChange={(text) => setDraft(row.id, { ...(getDraft(row.id) ?? draft), content: text })}
                onSave={() => void actions.save()}
                onLeave={actions.leave}
              />
            ) : (
              <article>
                {/* Many named texts open with their own name as a heading: once is enough. */}
                {heading && withoutName(content, heading) === content && (
                  <h2 className="mb-2 font-serif text-[1.3125rem] leading-7 font-[600] wrap-anywhere text-ink">
                    {heading}
                  </h2>
                )}
                <Names lens={filter.lens} own={row.id} tabbable>
                  <Markdown text={content} />
                </Names>
              </article>
            )}
            {!editing && !conflict && isNamed(row) && <NamedLine detail={detail} />}
            {!editing && !conflict && detail.links.length > 0 && <LinksLine detail={detail} />}
            {!editing && !conflict && (
              <div className="mt-4">
                <StoryTime detail={detail} readOnly={readOnly} />
                <KnownBy detail={detail} readOnly={readOnly} />
              </div>
            )}
          </div>
          <div className="order-3 min-w-0 border-t border-line pt-5 @4xl:mt-10">
            <History row={row} readOnly={!canWrite} />
          </div>
        </div>
        <aside className="order-2 mt-8 min-w-0 border-t border-line pt-6 @4xl:mt-0 @4xl:border-t-0 @4xl:pt-0">
          <Properties detail={detail} readOnly={readOnly} />
          {hit && (
            <Why
              hit={hit}
              content={hit.row.version === row.version ? detail.content : null}
              onTest={readOnly ? undefined : actions.test}
            />
          )}
          <Decay id={row.id} pinned={row.pinned} forgotten={gone} />
          <Sources detail={detail} />
          <Provenance detail={detail} onConversation={onConversation} />
        </aside>
      </div>
      <MoveDialog
        open={moving}
        count={1}
        onClose={() => setMoving(false)}
        onMove={(to) => {
          setMoving(false);
          void writes.move([row.id], to);
        }}
      />
      {promoting && <PromoteDialog id={row.id} onClose={() => setPromoting(false)} />}
      {tested && <RecallDialog draft={tested} onClose={() => setTested(null)} />}
      <Confirm
        open={discarding}
        onClose={() => setDiscarding(false)}
        onConfirm={() => {
          setDiscarding(false);
          dropDraft(row.id);
        }}
        title={t("edit.discardTitle")}
        body={t("edit.discardBody")}
        confirm={t("edit.discard")}
        cancel={t("edit.keep")}
      />
    </>
  );
}
