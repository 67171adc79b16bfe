import { ListChecks } from "lucide-react";
import { Button } from "../../../components/Button";
import { plain } from "../../../components/plain";
import { ScoreParts } from "../../../components/ScoreParts";
import { useI18n } from "../../../i18n/i18n";
import type { Explanation, ListName, SearchHit } from "../../../ipc/bindings.gen";
import { Section } from "./Section";

/** The beginning of the part of a text that is nearest in meaning, if the text is longer than one passage. */
function Passage({ hit, content }: PassageProps) {
  const { t } = useI18n();
  if (content === null || hit.passage === null) return null;
  return (
    <figure className="mt-3">
      <figcaption className="text-meta text-ink-3">{t("why.passage")}</figcaption>
      <blockquote className="mt-1 line-clamp-4 border-l-2 border-accent pl-3 font-serif text-snippet wrap-anywhere text-ink">
        {plain(content.slice(hit.passage.start, hit.passage.end)).text}
      </blockquote>
    </figure>
  );
}

/** Which lists tell something only about a part of a conversation. */
const OF_CONVERSATIONS: Record<ListName, boolean> = {
  name: false,
  text: false,
  meaning: false,
  word_meaning: false,
  freshness: false,
  nearness: false,
  around_text: true,
  around_meaning: true,
  speaker: true,
  date: false,
  days: false,
  length: true,
  person: true,
  answer: true,
  statement: true,
};
/** The most parts that are described in words. The table has all of them. */
const MOST_DESCRIBED = 4;

/** The largest parts that say something about the text, in the order of the table. */
function describedParts({ contributions, inConversation }: Explanation) {
  const telling = contributions.filter((part) => inConversation || !OF_CONVERSATIONS[part.list]);
  const largest = telling.toSorted((a, b) => b.score - a.score).slice(0, MOST_DESCRIBED);
  return telling.filter((part) => largest.includes(part));
}

/** `content` is the text that the search saw; `null` if it has changed since. */
type PassageProps = { hit: SearchHit; content: string | null };

type WhyProps = PassageProps & {
  /** Begins a recall test of what was searched for. */
  onTest: (() => void) | undefined;
};

/** Says in words, and then in numbers that add up, why a search brought this memory. */
export function Why({ hit, content, onTest }: WhyProps) {
  const { t, number, list } = useI18n();
  const { contributions, matchedTerms, relevance, retention, frequencyBoost, hoursIdle } = hit.explanation;
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const days = Math.floor(hoursIdle / 24);
  return (
    <Section title={t("why.title")}>
      <div className="max-w-md">
        {/* The raw figure of nearness is minus the distance of the tier: 0 is the nearest. */}
        <p className="text-ui text-pretty text-ink">
          {describedParts(hit.explanation)
            .map((part) =>
              t(`why.${part.list}`, {
                rank: part.list === "nearness" ? 1 - Math.round(part.raw) : part.rank,
              }),
            )
            .join(" ")}
        </p>
        {matchedTerms.length > 0 && (
          <p className="mt-1 text-ui text-ink-2">
            {t("why.terms", { terms: list(matchedTerms.map((text) => t("text.quoted", { text }))) })}
          </p>
        )}
        <Passage hit={hit} content={content} />
        <ScoreParts parts={contributions} score={hit.score} />
        <p className="tabular mt-2 text-meta text-pretty text-ink-2">
          {t("why.relevance", {
            relevance: number(relevance, two),
            importance: number(hit.row.importance, two),
            retention: number(retention, two),
            boost: number(frequencyBoost, two),
          })}
          {". "}
          {days >= 2 ? t("why.idleDays", { days }) : t("why.idle", { hours: Math.floor(hoursIdle) })}
        </p>
        {onTest && (
          <Button look="ghost" className="mt-2 -ml-2 px-2!" onClick={onTest}>
            <ListChecks size={14} aria-hidden />
            {t("recall.forQuery")}
          </Button>
        )}
      </div>
    </Section>
  );
}
