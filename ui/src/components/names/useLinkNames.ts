import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useI18n } from "../../i18n/i18n";
import type { LensSpec } from "../../ipc/bindings.gen";
import { documentsQuery, graphQuery, namedQuery, subjectsQuery } from "../../ipc/queries";
import type { LinkName } from "../linkCompletion";
import { matchName } from "../match";
import { useKindName } from "../SubjectKind";
import { visible } from "../visible";

/** As many as are offered at once. */
const MOST = 12;
/** As many documents as are looked through for titles. */
const DOCUMENTS = 20;

/** Something that a link can name, by any of its names. */
type Named = { names: readonly string[]; detail: string };

/** The names of these that match, the best first. Another name than the first is offered with that as its detail. */
function matching(all: readonly Named[], typed: string): LinkName[] {
  const found = all.flatMap(({ names, detail }) =>
    names.flatMap((name, n) => {
      const match = typed === "" ? { score: n === 0 ? 1 : 0 } : matchName(name, typed);
      return match && match.score > 0
        ? [{ name, detail: n === 0 ? detail : (names[0] ?? detail), score: match.score }]
        : [];
    }),
  );
  found.sort((a, b) => b.score - a.score);
  const once = new Map(found.map((it) => [it.name.toLowerCase(), it]));
  return [...once.values()].slice(0, MOST).map(({ name, detail }) => ({ name, detail }));
}

/** Finds what a link can name in a world: subjects, entries and pages, as far as a lens shows them. */
export function useLinkNames(lens: LensSpec | null): (typed: string) => Promise<LinkName[]> {
  const { t } = useI18n();
  const kindName = useKindName();
  const client = useQueryClient();
  return useCallback(
    async (typed) => {
      const subjects = async (): Promise<Named[]> => {
        const rows = lens
          ? (await client.fetchQuery(graphQuery(lens))).nodes
          : (await client.fetchQuery(subjectsQuery)).rows;
        return rows.map((row) => ({ names: [row.name, ...row.aliases], detail: kindName(row.kind) }));
      };
      const entries = async (): Promise<Named[]> => {
        // The core says of subjects alone what a lens shows of them.
        if (lens) return [];
        const all = await client.fetchQuery(namedQuery);
        const others = all.filter((it) => it.subject === null);
        return others.map((it) => ({ names: [it.name, ...it.aliases], detail: t("palette.named") }));
      };
      const documents = async (): Promise<Named[]> => {
        if (typed === "") return [];
        const [memories, pages] = await Promise.all(
          (["memory", "page"] as const).map((kind) =>
            client.fetchQuery(documentsQuery(typed, kind, lens, DOCUMENTS)),
          ),
        );
        return [...(pages?.hits ?? []), ...(memories?.hits ?? [])].flatMap((hit): Named[] => {
          if (hit.kind === "page")
            return [{ names: [hit.page.title, ...hit.page.aliases], detail: visible(hit.page.path) }];
          if (hit.kind !== "memory" || hit.row.title === null) return [];
          return [{ names: [hit.row.title], detail: t(`tier.${hit.row.scope}`) }];
        });
      };
      // What cannot be read is not offered; the others are.
      const read = await Promise.allSettled([subjects(), entries(), documents()]);
      return matching(
        read.flatMap((it) => (it.status === "fulfilled" ? it.value : [])),
        typed,
      );
    },
    [client, lens, t, kindName],
  );
}
