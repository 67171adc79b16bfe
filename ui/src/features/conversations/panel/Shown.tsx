import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Copy } from "lucide-react";
import { IconButton } from "../../../components/Button";
import { LAYER_TINT } from "../../../components/layers";
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

/** What takes a part of the budget: the messages that are replayed, the layers of the orientation, and what frames them. */
type Part = { key: string; label: string; tint: string; tokens: number };

function useParts(context: ContextView): Part[] {
  const { t } = useI18n();
  // A message that is replayed for several reasons counts for the first. Others are in the layers.
  const replayed = (own: ContextItem["legs"][number]) =>
    context.items
      .filter(({ legs }) => legs.find((leg) => leg === "recency" || leg === "replay") === own)
      .reduce((sum, { message }) => sum + message.tokens, 0);
  const parts: Part[] = [
    { key: "recency", label: t("shown.source.recency"), tint: "bg-ink", tokens: replayed("recency") },
    { key: "replay", label: t("shown.source.replay"), tint: "bg-ink/70", tokens: replayed("replay") },
    ...context.layers.map(({ layer, used }) => ({
      key: layer,
      label: t(`ledger.layer.${layer}`),
      tint: LAYER_TINT[layer],
      tokens: used,
    })),
  ];
  const known = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const frame = Math.max(0, context.tokens - known);
  parts.push({ key: "frame", label: t("shown.source.frame"), tint: "bg-ink-3/30", tokens: frame });
  return parts.filter(({ tokens }) => tokens > 0);
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
  const { t, number, list } = useI18n();
  const copy = useCopy();
  const { items, archive, episodes, facts, memories, layers, tokens, budget, prompt } = context;
  const failed = layers.filter((it) => it.failed).map((it) => t(`ledger.layer.${it.layer}`));
  return (
    <>
      <Group title={t("shown.title")}>
        <Budget context={context} />
        <p className="tabular mt-2 text-meta text-ink-2">{t("shown.tokens", { tokens, budget })}</p>
        {failed.length > 0 && (
          <p className="mt-2 rounded-sm bg-warn-wash px-2 py-1 text-meta text-ink">
            {t("ledger.failedNote", { layers: list(failed) })}
          </p>
        )}
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
  const { number } = useI18n();
  const parts = useParts(context);
  const free = Math.max(0, context.budget - context.tokens);
  return (
    <>
      <div aria-hidden className="fc-border flex h-2 gap-px overflow-hidden rounded-sm bg-line">
        {parts.map(({ key, tint, tokens }) => (
          <span key={key} className={clsx("h-2", tint)} style={{ flexGrow: tokens }} />
        ))}
        <span style={{ flexGrow: free }} />
      </div>
      <dl className="tabular mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 text-meta leading-5">
        {parts.map(({ key, label, tint, tokens }) => (
          <div key={key} className="contents">
            <dt className="flex items-center gap-2 text-ink-2">
              <span aria-hidden className={clsx("size-2 rounded-full", tint)} />
              {label}
            </dt>
            <dd className="text-right text-ink">{number(tokens)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Item({ item, onTurn }: { item: ContextItem; onTurn(position: number): void }) {
  const { t, number } = useI18n();
  const { message, legs, similarity } = item;
  const who =
    message.speaker ??
    message.tool?.name ??
    t(message.role === "user" ? "conversation.you" : "conversation.agent");
  const text = message.content || message.calls.map((call) => call.name).join(", ");
  return (
    <li>
      <button
        type="button"
        title={t("shown.open")}
        onClick={() => onTurn(message.position)}
        className="focus-inset -mx-2 block w-[calc(100%+1rem)] rounded-sm px-2 py-1.5 text-left hover:bg-hover"
      >
        <span className="line-clamp-2 font-serif text-lead text-ink">{plain(text).text}</span>
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
