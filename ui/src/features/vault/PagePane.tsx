import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Copy, ExternalLink } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useMemo } from "react";
import { Button, IconButton } from "../../components/Button";
import { Switch } from "../../components/Fields";
import { Markdown } from "../../components/Markdown";
import { Mention } from "../../components/Mention";
import { Names } from "../../components/names/Names";
import { headingId, linksByText, PageTextContext } from "../../components/pageText/context";
import { LinkedPage } from "../../components/pageText/WikiLink";
import { Empty, Failed } from "../../components/States";
import { useRelative } from "../../components/Time";
import { useToasts } from "../../components/toast";
import { useCopy } from "../../components/useCopy";
import { visible } from "../../components/visible";
import { useI18n } from "../../i18n/i18n";
import type { PageHeading, PageLinkView, PageRow, PageView, VaultView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { mentionsQuery, pageQuery, promotionPageQuery, statusQuery } from "../../ipc/queries";
import { useMinWidth } from "../../preferences/width";
import { rem } from "../../preferences/zoom";

type PagePaneProps = {
  id: string;
  /** A heading to begin at. */
  heading: string | undefined;
  vaults: VaultView[];
  region: RefObject<HTMLElement | null>;
  onLeave(): void;
  onGone(): void;
};

/** A page as it is read: what its file says of it, its text, and what is connected to it. */
export function PagePane({ id, heading, vaults, region, onLeave, onGone }: PagePaneProps) {
  const { t } = useI18n();
  const query = useQuery(pageQuery(id));
  if (query.error && toCommandError(query.error).code === "not_found")
    return (
      <div className="flex min-w-0 flex-1 items-center justify-center overflow-y-auto">
        <Empty title={t("vault.gone.title")} body={t("vault.gone.body")}>
          <Button onClick={onGone}>{t("vault.gone.back")}</Button>
        </Empty>
      </div>
    );
  if (query.error)
    return (
      <div className="flex min-w-0 flex-1 items-center justify-center overflow-y-auto">
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (!query.data)
    return (
      <div role="status" aria-label={t("state.loading")} className="min-w-0 flex-1 px-8 pt-10">
        <div className="skeleton h-7 w-1/3" />
        <div className="skeleton mt-3 h-3 w-1/2" />
        <div className="skeleton mt-8 h-24 max-w-(--measure)" />
      </div>
    );
  return <Reading page={query.data} heading={heading} vaults={vaults} region={region} onLeave={onLeave} />;
}

type ReadingProps = {
  page: PageView;
  heading: string | undefined;
  vaults: VaultView[];
  region: RefObject<HTMLElement | null>;
  onLeave(): void;
};

/** Whether memories may be appended to the file: the only write into a folder, for one page at most. */
function Appends({ id }: { id: string }) {
  const { t } = useI18n();
  const { failed } = useToasts();
  const readOnly = useQuery(statusQuery).data?.readOnly ?? false;
  const { data, refetch } = useQuery(promotionPageQuery);
  const set = (isOn: boolean) => core.setPromotionPage(isOn ? id : null).then(() => void refetch(), failed);
  return (
    <div className="mt-8 flex items-center gap-3 border-t border-line pt-6 text-ui text-ink-2">
      <Switch
        label={t("vault.appends")}
        checked={data?.id === id}
        disabled={readOnly || data === undefined}
        onChange={(isOn) => void set(isOn)}
      />
      <span aria-hidden>{t("vault.appends")}</span>
    </div>
  );
}

/** The front matter, between its two lines of dashes. */
function Properties({ text }: { text: string }) {
  const { t } = useI18n();
  const lines = text.trim().split("\n").slice(1, -1).join("\n");
  if (lines.trim() === "") return null;
  return (
    <details className="mt-3">
      <summary className="min-h-6 w-fit cursor-pointer rounded-sm text-ui text-ink-2 hover:text-ink">
        {t("vault.properties")}
      </summary>
      <pre className="mt-2 rounded-md border border-line bg-sunken p-3 font-mono text-meta leading-5 wrap-anywhere whitespace-pre-wrap text-ink select-text">
        {lines}
      </pre>
    </details>
  );
}

/** Where the text begins behind a heading that only repeats the title. */
function startOfText({ row, content, headings: [first] }: PageView): number {
  if (first?.path !== row.title || content.slice(0, first.start).trim() !== "") return 0;
  const end = content.indexOf("\n", first.start);
  return content.startsWith("# ", first.start) ? (end < 0 ? content.length : end + 1) : 0;
}

function Reading({ page, heading, vaults, region, onLeave }: ReadingProps) {
  const { t } = useI18n();
  const isWide = useMinWidth(1500);
  const { row, content, links } = page;
  const start = startOfText(page);
  const text = content.slice(start);
  const value = useMemo(() => ({ offset: start, linkOf: linksByText(links) }), [start, links]);
  const headings = page.headings.filter((it) => it.start >= start);
  const title = visible(row.title);
  const target = heading === undefined ? undefined : startOfHeading(page.headings, heading);
  useEffect(() => {
    if (target !== undefined) jumpTo(target);
  }, [target]);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("vault.page", { title })}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onLeave();
      }}
      className="min-w-0 flex-1 overflow-y-auto overscroll-contain outline-none"
    >
      <div className="mx-auto flex w-full max-w-[calc(var(--measure)+30.875rem)] justify-center gap-12 px-8 pt-8 pb-20">
        <article className="w-full max-w-(--measure) min-w-0">
          <h2 className="font-serif text-display wrap-anywhere text-ink">{title}</h2>
          <Head row={row} vault={vaults.find((it) => it.id === row.vaultId)} />
          <Properties text={page.head} />
          {!isWide && headings.length > 1 && (
            <details className="mt-4">
              <summary className="min-h-6 w-fit cursor-pointer rounded-sm text-ui text-ink-2 hover:text-ink">
                {t("vault.headings")}
              </summary>
              <Headings headings={headings} />
            </details>
          )}
          <div className="mt-6 select-text">
            {text.trim() === "" ? (
              <p className="text-ui text-ink-2">{t("vault.empty")}</p>
            ) : (
              <Names lens={null} tabbable>
                <PageTextContext value={value}>
                  <Markdown text={text} />
                </PageTextContext>
              </Names>
            )}
          </div>
          <Links links={links} />
          <Backlinks rows={page.backlinks} />
          <Mentions title={row.title} />
          <Appends id={row.id} />
        </article>
        {isWide && headings.length > 1 && (
          <div className="sticky top-8 h-fit max-h-[calc(100vh-4rem)] w-56 shrink-0 overflow-y-auto">
            <p className="text-meta text-ink-2">{t("vault.headings")}</p>
            <Headings headings={headings} />
          </div>
        )}
      </div>
    </section>
  );
}

/** What the file says of itself, and where it is. */
function Head({ row, vault }: { row: PageRow; vault: VaultView | undefined }) {
  const { t, list, exact } = useI18n();
  const copy = useCopy();
  const { failed } = useToasts();
  const words = [row.pageKind, row.lifecycle].filter((it) => it !== null);
  const changed = useRelative(row.modifiedAt);
  return (
    <div className="mt-2 space-y-1 text-meta text-ink-2">
      <div className="flex items-center gap-1">
        <p className="min-w-0 font-mono wrap-anywhere">
          {visible(`${vault ? `${vault.name}/` : ""}${row.path}`)}
        </p>
        {vault && (
          <IconButton
            label={t("vault.copyPath")}
            className="-my-2 size-7"
            onClick={() => copy(`${vault.path}/${row.path}`, "vault.pathCopied")}
          >
            <Copy size={14} aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={t("vault.open")}
          className="-my-2 size-7"
          onClick={() => void core.openPage(row.id).catch(failed)}
        >
          <ExternalLink size={14} aria-hidden />
        </IconButton>
      </div>
      <p>
        {words.map((it) => `${visible(it)} · `)}
        <time dateTime={row.modifiedAt} title={exact(row.modifiedAt)}>
          {t("vault.changed", { time: changed })}
        </time>
      </p>
      {row.aliases.length > 0 && <p>{t("vault.aliases", { names: list(row.aliases.map(visible)) })}</p>}
      {row.tags.length > 0 && (
        <ul aria-label={t("vault.tags")} className="flex flex-wrap gap-1 pt-1">
          {row.tags.map((tag) => (
            <li key={tag} className="rounded-sm bg-sunken px-2 py-0.5 text-ink-2">
              #{visible(tag)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Between the headings of a path. */
const WITHIN = " > ";

/** Where a heading begins that is named by itself or with those above it. */
function startOfHeading(headings: readonly PageHeading[], named: string): number | undefined {
  const wanted = named.toLowerCase();
  const names = ({ path }: PageHeading) => [path.toLowerCase(), path.split(WITHIN).at(-1)?.toLowerCase()];
  return headings.find((it) => names(it).includes(wanted))?.start;
}

/** Shows a heading of the text and gives it the focus, so that reading goes on there. */
function jumpTo(start: number): void {
  const heading = document.getElementById(headingId(start));
  if (!heading) return;
  heading.tabIndex = -1;
  heading.scrollIntoView({ block: "start" });
  heading.focus({ preventScroll: true });
}

function Headings({ headings }: { headings: PageHeading[] }) {
  const { t } = useI18n();
  const least = Math.min(...headings.map(({ path }) => path.split(WITHIN).length));
  return (
    <nav aria-label={t("vault.headings")} className="mt-1">
      <ul>
        {headings.map(({ path, start }) => {
          const names = path.split(WITHIN);
          return (
            <li key={start} style={{ paddingLeft: rem((names.length - least) * 12) }}>
              <button
                type="button"
                onClick={() => jumpTo(start)}
                className="min-h-6 w-full rounded-sm py-0.5 text-left text-ui wrap-anywhere text-ink-2 hover:text-accent"
              >
                {visible(names.at(-1) ?? path)}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

type SectionProps = { id: string; title: string; children: ReactNode };

function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="mt-8 border-t border-line pt-6">
      <h3 id={id} className="flex h-8 items-center text-title font-strong text-ink">
        {title}
      </h3>
      {children}
    </section>
  );
}

const ITEM = "border-b border-line py-2 text-ui last:border-b-0";

/** Each place that the page leads to, once. */
function Links({ links }: { links: readonly PageLinkView[] }) {
  const { t } = useI18n();
  const byTarget = new Map(links.map((link) => [link.pageId ?? link.attachment ?? link.target, link]));
  if (byTarget.size === 0) return null;
  return (
    <Section id="page-links" title={t("vault.links")}>
      <ul className="mt-1">
        {[...byTarget].map(([key, link]) => (
          <li key={key} className={ITEM}>
            <LinkedPage link={link}>{visible(link.title ?? link.target)}</LinkedPage>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Backlinks({ rows }: { rows: readonly PageRow[] }) {
  const { t } = useI18n();
  return (
    <Section id="page-backlinks" title={t("vault.backlinks")}>
      {rows.length === 0 && <p className="mt-2 text-ui text-ink-2">{t("vault.noBacklinks")}</p>}
      <ul className="mt-1">
        {rows.map((row) => (
          <li key={row.id} className={ITEM}>
            <Link
              to="/pages"
              search={({ vault, q }: { vault?: string; q?: string }) => ({ vault, q, id: row.id })}
              className="flex min-h-6 flex-wrap items-baseline gap-x-3 rounded-sm text-ink hover:text-accent"
            >
              <span>{visible(row.title)}</span>
              <span className="text-meta text-ink-3">{visible(row.path)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Memories and messages in which the title stands. */
function Mentions({ title }: { title: string }) {
  const { t } = useI18n();
  const { data, error, refetch } = useQuery(mentionsQuery(title));
  return (
    <Section id="page-mentions" title={t("vault.mentions")}>
      {data?.hits.length === 0 && <p className="mt-2 text-ui text-ink-2">{t("vault.noMentions")}</p>}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <ul className="mt-1">
        {data?.hits.map((hit) => (
          <li key={hit.kind === "memory" ? hit.row.id : hit.message.id} className={ITEM}>
            <Mention hit={hit} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
