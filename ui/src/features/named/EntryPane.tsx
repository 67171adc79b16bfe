import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, CircleAlert, Ellipsis, LoaderCircle } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import { Button, IconButton } from "../../components/Button";
import { useFocusFallback } from "../../components/hooks";
import { LazyEditor } from "../../components/LazyEditor";
import { Markdown } from "../../components/Markdown";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { Names } from "../../components/names/Names";
import { TierIcon } from "../../components/Tier";
import { useRelative } from "../../components/Time";
import { useI18n } from "../../i18n/i18n";
import type { NamedEntryView } from "../../ipc/bindings.gen";
import { Aliases } from "./Aliases";
import { RenameDialog } from "./Dialogs";
import { type Draft, save, settle, type, useUnsaved } from "./drafts";
import { Stale } from "./Stale";
import { useNamedWrites } from "./useNamedWrites";

type EntryProps = {
  entry: NamedEntryView;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  /** The editor is in its place. */
  onThere(): void;
  onRemoved(): void;
  onLeave(): void;
  /** Chooses the kind of subject, for an entry that can be one. */
  kind?: ReactNode;
  /** What stands below the text. */
  children?: ReactNode;
};

/** One entry: what it is called, and its text, which is kept as it is typed. */
export function EntryPane(props: EntryProps) {
  const { entry, readOnly, region, onThere, onRemoved, onLeave, kind, children } = props;
  const { t } = useI18n();
  const client = useQueryClient();
  const writes = useNamedWrites();
  const draft = useUnsaved(entry.id);
  useEffect(() => settle(entry.id, entry.version));
  useFocusFallback(region);
  const [renaming, setRenaming] = useState(false);
  const [aliasing, setAliasing] = useState(false);
  const { id, name, standing } = entry;
  // On leaving, what waits is written at once.
  useEffect(() => () => void save(client, id), [client, id]);
  useEffect(() => onThere(), [onThere]);

  const empty = entry.content === "" && draft === undefined;
  const canRemove = !readOnly && (!standing || !empty || entry.aliases.length > 0);
  const actions = useMemo(() => {
    const remove = async () => {
      if (await writes.remove(entry)) onRemoved();
    };
    return { rename: () => setRenaming(true), alias: () => setAliasing(true), remove: () => void remove() };
  }, [writes, entry, onRemoved]);
  useActions(
    useMemo((): Action[] => {
      const offer = (action: string, label: string, enabled: boolean, run: () => void): Action => ({
        id: `named.${action}`,
        group: "named",
        label,
        enabled,
        run,
      });
      return [
        offer("rename", t("command.namedRename"), !readOnly && !standing, actions.rename),
        offer("alias", t("command.namedAlias"), !readOnly, actions.alias),
        offer("remove", t("command.namedRemove"), canRemove, actions.remove),
      ];
    }, [t, readOnly, standing, canRemove, actions]),
  );

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("named.region", { name })}
      className="min-w-0 flex-1 overflow-y-auto overscroll-contain outline-none"
      onBlur={() => void save(client, id)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onLeave();
      }}
    >
      <div className="mx-auto max-w-[calc(var(--measure)+4rem)] px-8 pt-8 pb-24">
        <header className="border-b border-line pb-4">
          <div className="flex items-start gap-2">
            <h2 className="min-w-0 flex-1 font-serif text-display wrap-anywhere text-ink">{name}</h2>
            <SaveState
              draft={draft}
              fresh={readOnly || entry.editedAt === null}
              onRetry={() => void save(client, id)}
            />
            <Menu
              align="end"
              trigger={
                <IconButton label={t("named.actions", { name })} className="mt-0.5">
                  <Ellipsis size={16} aria-hidden />
                </IconButton>
              }
            >
              {!standing && (
                <MenuItem disabled={readOnly} onSelect={actions.rename}>
                  {t("named.rename")}
                </MenuItem>
              )}
              <MenuItem disabled={readOnly} onSelect={actions.alias}>
                {t("named.alias.add")}
              </MenuItem>
              <MenuLine />
              <MenuItem danger disabled={!canRemove} onSelect={actions.remove}>
                {t("named.remove")}
              </MenuItem>
            </Menu>
          </div>
          <p className="tabular mt-1 flex min-h-6 flex-wrap items-center gap-x-2 text-meta text-ink-3">
            <span
              className="inline-flex items-center gap-1.5 text-ink-2"
              title={t(`tier.hint.${entry.scope}`)}
            >
              <TierIcon scope={entry.scope} size={13} />
              {t(`tier.${entry.scope}`)}
            </span>
            {kind && (
              <>
                <span aria-hidden>·</span>
                <span className="-mx-2">{kind}</span>
              </>
            )}
            <span aria-hidden>·</span>
            <span>{t("named.tokens", { count: entry.tokens })}</span>
            <span aria-hidden>·</span>
            {entry.editedAt === null ? <span>{t("named.never")}</span> : <Edited at={entry.editedAt} />}
            {entry.editedAt !== null && (
              <>
                <span aria-hidden>·</span>
                <Link
                  to="/memory"
                  search={{ id }}
                  className="inline-flex min-h-6 items-center rounded-sm text-ink-2 hover:text-accent hover:underline"
                >
                  {t("named.history")}
                </Link>
              </>
            )}
          </p>
          <Aliases
            entry={entry}
            readOnly={readOnly}
            adding={aliasing}
            onAdding={setAliasing}
            onAdd={(alias, rebind) => writes.alias(entry, alias, rebind)}
          />
        </header>
        <div className="mt-6">
          {draft?.state === "stale" && draft.theirs ? (
            <Stale entry={entry} draft={draft} theirs={draft.theirs} readOnly={readOnly} />
          ) : readOnly ? (
            entry.content === "" ? (
              <p className="memory-prose text-ink-3">{entry.placeholder || t("named.empty")}</p>
            ) : (
              <Names lens={null} own={entry.id} tabbable>
                <Markdown text={entry.content} />
              </Names>
            )
          ) : (
            <LazyEditor
              label={t("named.text", { name })}
              value={draft?.content ?? entry.content}
              placeholder={entry.placeholder || t("named.begin", { name })}
              onChange={(text) => type(client, entry, text)}
              onSave={() => void save(client, id)}
              onEscape={onLeave}
            />
          )}
        </div>
        {children}
      </div>
      {renaming && (
        <RenameDialog
          entry={entry}
          onClose={() => setRenaming(false)}
          onRename={(next) => writes.rename(entry, next)}
        />
      )}
    </section>
  );
}

function Edited({ at }: { at: string }) {
  const { t, exact } = useI18n();
  return (
    <time dateTime={at} title={exact(at)}>
      {t("named.edited", { when: useRelative(at) })}
    </time>
  );
}

type SaveProps = {
  draft: Draft | undefined;
  /** Nothing was ever written, or can be: there is nothing to say about it. */
  fresh: boolean;
  onRetry(): void;
};

/** Whether what is written is on disk, always in the same place. */
function SaveState({ draft, fresh, onRetry }: SaveProps) {
  const { t } = useI18n();
  const bad = draft?.state === "failed" || draft?.state === "stale";
  const kept = !draft || draft.state === "kept";
  const text = kept
    ? t("named.saved")
    : draft.state === "failed"
      ? t("named.unsaved", { reason: draft.problem ?? "" })
      : draft.state === "stale"
        ? t("named.stale")
        : t("named.saving");
  const Icon = kept ? Check : bad ? CircleAlert : LoaderCircle;
  return (
    <div className="flex min-h-9 max-w-[65%] items-center justify-end gap-x-2">
      <p
        role="status"
        className={`flex min-w-0 items-center gap-1.5 text-meta ${bad ? "text-danger" : "text-ink-3"}`}
      >
        {!(kept && fresh) && (
          <>
            <Icon size={13} className="shrink-0" aria-hidden />
            {text}
          </>
        )}
      </p>
      {draft?.state === "failed" && (
        <Button className="h-7! px-2!" onClick={onRetry}>
          {t("named.retry")}
        </Button>
      )}
    </div>
  );
}
