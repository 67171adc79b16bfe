import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import type { Contribution, LensSpec } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { NamesContext } from "./context";
import { isNameOf, wholeName } from "./nameIndex";
import type { LinkTarget } from "./target";

/** As many that go by a name as are looked at. */
const MOST = 20;

const isByName = (parts: readonly Contribution[]) => parts.some(({ list }) => list === "name");

/**
 * What goes by a name, as a lens shows it. The core finds by name the pages that a link could mean, the entries with this title,
 * and those whose name is in the text: of the last only the ones count that the whole text names.
 */
async function find(name: string, lens: LensSpec | null): Promise<LinkTarget | null> {
  const { hits } = await core.searchDocuments({
    query: name,
    kinds: ["memory", "page"],
    channelId: null,
    vaultId: null,
    archived: false,
    limit: MOST,
    strategy: null,
    lens,
  });
  const rows = hits.flatMap((hit) =>
    hit.kind === "memory" && isByName(hit.explanation.contributions) ? [hit.row] : [],
  );
  const named = rows.some((row) => row.name !== null) ? await core.listNamedEntries() : [];
  const namesOf = ({ id, name, title }: (typeof rows)[number]) =>
    [name, title, ...(named.find((it) => it.id === id)?.aliases ?? [])].filter((it) => it !== null);
  const row = rows.find((it) => namesOf(it).some((own) => isNameOf(own, name)));
  if (row) return { kind: "memory", id: row.id };
  const page = hits.find((hit) => hit.kind === "page" && isByName(hit.parts));
  return page?.kind === "page" ? { kind: "page", id: page.page.id } : null;
}

const linkQuery = (name: string, lens: LensSpec | null) =>
  queryOptions({ queryKey: keys.link(name, lens), queryFn: () => find(name, lens), gcTime: 60_000 });

/** What is written in a link: a name, and behind `#` a heading of the page with that name. */
export function partsOf(written: string): { name: string; heading: string | undefined } {
  const [name = "", heading] = written.split("#").map((part) => part.trim());
  return { name, heading };
}

/** Where `[[written]]` leads: `null` to nothing that is there, and `undefined` while that is not known. */
export function useLinkTarget(written: string): LinkTarget | null | undefined {
  const names = useContext(NamesContext);
  const { name, heading } = partsOf(written);
  const subject = names ? wholeName(name, names.index) : null;
  const lens = names?.lens ?? null;
  const isAsked = names !== null && subject === null && name !== "";
  const query = linkQuery(name, lens);
  const { data, isError, isStale } = useQuery({ ...query, queryFn: isAsked ? query.queryFn : skipToken });
  if (!names) return undefined;
  if (name === "") return null;
  if (subject !== null) return { kind: "subject", id: subject };
  // Through a lens an earlier answer does not count after a change, as for names.
  if (isError || data === undefined || (lens !== null && isStale)) return undefined;
  return data && { ...data, heading: data.kind === "page" ? heading : undefined };
}
