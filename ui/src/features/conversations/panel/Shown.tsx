import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Copy } from "lucide-react";
import { IconButton } from "../../../components/Button";
import { Answer, Group } from "../../../components/Panel";
import { plain } from "../../../components/plain";
import { TierIcon } from "../../../components/Tier";
import { useCopy } from "../../../components/useCopy";
import { visible } from "../../../components/visible";
import { useI18n } from "../../../i18n/i18n";
import type { ContextItem, ContextView, LensView } from "../../../ipc/bindings.gen";
import { contextQuery } from "../../../ipc/queries";
import { Try } from "./ledger/Try";
import { Turns } from "./ledger/Turns";

const MODES = ["now", "turns", "try"] as const;

const SOURCES = [
  "recency",
  "replay",
  "salience",
  "relevance",
  "memories",
  "facts",
  "summaries",
  "frame",
] as const;
type Source = (typeof SOURCES)[number];

/** One ink in several strengths: the parts differ by name and length, not by hue. */
const TINT: Record<Source, string> = {
  recency: "bg-accent",
  replay: "bg-accent/60",
  salience: "bg-accent/75",
  relevance: "bg-accent/50",
  memories: "bg-tier-channel",
  facts: "bg-tier-workspace",
  summaries: "bg-tier-account",
  frame: "bg-ink-3",
};

const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** What each source takes of the budget. A turn shown for several reasons counts for the first. */
function shares(context: ContextView): Record<Source, number> {
  const sum: Record<Source, number> = {
    recency: 0,
    replay: 0,
    salience: 0,
    relevance: 0,
    memories: 0,
    facts: 0,
    summaries: 0,
    frame: 0,
  };
  for (const { legs, message } of context.items) sum[legs[0] ?? "recency"] += message.tokens;
  for (const row of context.memories) sum.memories += tokensOf(row.preview);
  for (const { key, value } of context.facts) sum.facts += tokensOf(key + value);
  for (const { summary } of context.episodes) sum.summaries += tokensOf(summary);
  sum.summaries += tokensOf(context.archive?.summary ?? "");
  // What is left is the frame around it all.
  const known = Object.values(sum).reduce((all, part) => all + part, 0);
  sum.frame = Math.max(0, context.tokens - known);
  return sum;
}

type ShownProps = {
  refCode: string;
  /** Whose knowledge its turns show. */
  lens: LensView | null;
  /** What of it is looked at; the present unless a turn or a question was asked for. */
  shown: string | undefined;
  onShown(shown: string | undefined): void;
  onTurn(position: number): void;
};

/** What the agent is shown now, what it was shown for each turn, and what it would be shown for a question. */
export function Shown({ refCode, lens, shown, onShown, onTurn }: ShownProps) {
  const { t } = useI18n();
  const mode = shown === undefined ? "now" : shown === "try" ? "try" : "turns";
  return (
    <>
      <fieldset className="mb-4 flex flex-wrap gap-1">
        <legend className="sr-only">{t("ledger.modes")}</legend>
        {MODES.map((it) => (
          <button
            key={it}
            type="button"
            aria-pressed={it === mode}
            onClick={() => onShown(it === "now" ? undefined : it)}
            className={clsx(
              "fc-border h-6 rounded-sm px-2 text-meta",
              it === mode ? "bg-accent-wash text-ink" : "text-ink-2 hover:bg-hover hover:text-ink",
            )}
          >
            {t(`ledger.mode.${it}`)}
          </button>
        ))}
      </fieldset>
      {mode === "now" && <Now refCode={refCode} onTurn={onTurn} />}
      {mode === "turns" && <Turns refCode={refCode} shown={shown ?? "turns"} onShown={onShown} />}
      {mode === "try" && <Try refCode={refCode} lens={lens} />}
    </>
  );
}

function Now({ refCode, onTurn }: { refCode: string; onTurn(position: number): void }) {
  const query = useQuery(contextQuery(refCode));
  return <Answer query={query}>{(context) => <Context context={context} onTurn={onTurn} />}</Answer>;
}

function Context({ context, onTurn }: { context: ContextView; onTurn(position: number): void }) {
  const { t, number } = useI18n();
  const copy = useCopy();
  const { items, archive, episodes, facts, memories, notes, tokens, budget, prompt } = context;
  return (
    <>
      <Group title={t("shown.title")}>
        <Budget context={context} />
        <p className="tabular mt-2 text-meta text-ink-2">{t("shown.tokens", { tokens, budget })}</p>
        {notes.map((note) => (
          <p key={note} className="mt-2 rounded-sm bg-warn-wash px-2 py-1 text-meta text-ink">
            {note}
          </p>
        ))}
      </Group>
      <Group title={t("shown.turns", { count: items.length })}>
        <ul>
          {items.map((item) => (
            <Item key={item.message.id} item={item} onTurn={onTurn} />
          ))}
        </ul>
      </Group>
      {memories.length > 0 && (
        <Group title={t("shown.memories", { count: memories.length })}>
          <ul>
            {memories.map((row) => (
              <li key={row.id}>
                <Link
                  to="/memory"
                  search={{ id: row.id }}
                  className="-mx-2 flex min-h-6 gap-2 rounded-sm px-2 py-1.5 hover:bg-hover"
                >
                  <TierIcon scope={row.scope} className="mt-1" />
                  <span className="line-clamp-2 font-serif text-lead text-ink">
                    {plain(row.preview).text}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Group>
      )}
      {facts.length > 0 && (
        <Group title={t("shown.facts", { count: facts.length })}>
          <ul className="space-y-1">
            {facts.map((fact) => (
              <li key={fact.id} className="text-ui text-ink">
                <span className="text-ink-2">
                  {fact.category}, {fact.key}:
                </span>{" "}
                {fact.value}
              </li>
            ))}
          </ul>
        </Group>
      )}
      {(archive || episodes.length > 0) && (
        <Group title={t("shown.summaries")}>
          {archive && (
            <p className="font-serif text-lead text-ink">
              <Link to="/memory" search={{ id: archive.id }} className="text-accent hover:underline">
                {archive.name}
              </Link>
              {". "}
              {archive.summary}
            </p>
          )}
          {episodes.map((episode) => (
            <p key={episode.id} className="mt-2 font-serif text-lead text-ink">
              {episode.summary}
            </p>
          ))}
        </Group>
      )}
      <Group
        title={t("shown.prompt")}
        aside={
          <IconButton className="size-6!" label={t("shown.copy")} onClick={() => copy(prompt)}>
            <Copy size={12} aria-hidden />
          </IconButton>
        }
      >
        <details className="text-meta">
          <summary className="min-h-6 rounded-sm text-ink-2 hover:text-ink">
            {t("shown.promptOpen", { length: number(prompt.length) })}
          </summary>
          <pre className="mt-2 border-l border-line pl-3 font-mono whitespace-pre-wrap wrap-anywhere text-ink-2 select-text">
            {visible(prompt)}
          </pre>
        </details>
      </Group>
    </>
  );
}

function Budget({ context }: { context: ContextView }) {
  const { t, number } = useI18n();
  const parts = shares(context);
  const used = SOURCES.filter((source) => parts[source] > 0);
  const free = Math.max(0, context.budget - context.tokens);
  return (
    <>
      <div aria-hidden className="fc-border flex h-2 gap-px overflow-hidden rounded-sm bg-line">
        {used.map((source) => (
          <span key={source} className={clsx("h-2", TINT[source])} style={{ flexGrow: parts[source] }} />
        ))}
        <span style={{ flexGrow: free }} />
      </div>
      <dl className="tabular mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 text-meta leading-5">
        {used.map((source) => (
          <div key={source} className="contents">
            <dt className="flex items-center gap-2 text-ink-2">
              <span aria-hidden className={clsx("size-2 rounded-full", TINT[source])} />
              {t(`shown.source.${source}`)}
            </dt>
            <dd className="text-right text-ink">{number(parts[source])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Item({ item, onTurn }: { item: ContextItem; onTurn(position: number): void }) {
  const { t, number } = useI18n();
  const { message, legs, similarity } = item;
  const who = message.speaker ?? t(message.role === "user" ? "conversation.you" : "conversation.agent");
  return (
    <li>
      <button
        type="button"
        title={t("shown.open")}
        onClick={() => onTurn(message.position)}
        className="focus-inset -mx-2 block w-[calc(100%+1rem)] rounded-sm px-2 py-1.5 text-left hover:bg-hover"
      >
        <span className="line-clamp-2 font-serif text-lead text-ink">{plain(message.content).text}</span>
        <span className="mt-0.5 flex flex-wrap gap-x-2 text-meta text-ink-3">
          <span>{who}</span>
          {legs.map((leg) => (
            <span key={leg} className="text-ink-2">
              {leg === "relevance" && similarity !== null
                ? t("shown.similar", { value: number(similarity, { maximumFractionDigits: 2 }) })
                : t(`shown.leg.${leg}`)}
            </span>
          ))}
        </span>
      </button>
    </li>
  );
}
