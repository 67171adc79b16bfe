import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../../../components/Button";
import { useKindName } from "../../../../components/SubjectKind";
import { Table } from "../../../../components/Table";
import { useI18n } from "../../../../i18n/i18n";
import { KindShape } from "./Legend";
import type { Edge, Graph } from "./model";

/** Rows of the table at first, and with each press more. */
const PAGE = 50;
/** High enough to be pressed, and all texts of a row begin at one height. */
const CELL = "inline-block min-h-6 py-1 text-left align-top wrap-anywhere";

const OPEN =
  "fc-border inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-ui font-strong text-ink hover:bg-hover";

type PanelProps = {
  graph: Graph;
  /** There is a picture, for which the relations wait. */
  isDrawn: boolean;
  selected: number | undefined;
  isAround: boolean;
  onSelect(place: number): void;
  onAround(place: number): void;
};

/** The picture as text: what is selected, and the relations in sight. */
export function GraphPanel({ graph, isDrawn, selected, isAround, onSelect, onAround }: PanelProps) {
  const { t } = useI18n();
  const nameOf = useKindName();
  const row = selected === undefined ? undefined : graph.nodes[selected];
  const edges =
    selected === undefined
      ? graph.edges
      : (graph.touching[selected] ?? []).flatMap((at) => graph.edges[at] ?? []);
  // Under the name of what is selected, or the only heading.
  const Title = row ? "h3" : "h2";
  return (
    <section
      aria-label={t("graph.panel")}
      className="w-[clamp(17.5rem,26%,23.75rem)] shrink-0 overflow-y-auto overscroll-contain border-l border-line px-4 pt-4 pb-8"
    >
      {row && selected !== undefined ? (
        <>
          <h2 className="font-serif text-title wrap-anywhere text-ink">{row.name}</h2>
          <p className="mt-1 flex items-center gap-1.5 text-meta text-ink-2">
            <KindShape kind={row.kind} />
            {nameOf(row.kind)}
            {row.isPage && ` · ${t("graph.isPage")}`}
            {row.aliases.length > 0 && <span className="min-w-0 truncate"> · {row.aliases.join(", ")}</span>}
          </p>
          <div className="mt-3 mb-5 flex flex-wrap gap-2">
            {row.isPage ? (
              <Link to="/pages" search={{ id: row.id }} className={OPEN}>
                {t("graph.open")}
              </Link>
            ) : (
              <Link
                to="/world"
                search={(before) => ({ ...before, look: undefined, id: row.id })}
                className={OPEN}
              >
                {t("graph.open")}
              </Link>
            )}
            {!isAround && <Button onClick={() => onAround(selected)}>{t("graph.around")}</Button>}
          </div>
        </>
      ) : (
        <p className="mb-4 text-meta text-pretty text-ink-2">{t("graph.hint")}</p>
      )}
      <Title className="text-ui font-strong text-ink">{t("graph.relations", { count: edges.length })}</Title>
      {isDrawn && edges.length > 0 && (
        <Relations key={selected ?? ""} graph={graph} edges={edges} selected={selected} onSelect={onSelect} />
      )}
    </section>
  );
}

type RelationsProps = Pick<PanelProps, "graph" | "selected" | "onSelect"> & { edges: readonly Edge[] };

function Relations({ graph, edges, selected, onSelect }: RelationsProps) {
  const { t } = useI18n();
  const [shown, setShown] = useState(PAGE);
  const end = (place: number): ReactNode =>
    place === selected ? (
      <span className={`${CELL} text-ink-2`}>{graph.nodes[place]?.name}</span>
    ) : (
      <button
        type="button"
        onClick={() => onSelect(place)}
        className={`${CELL} rounded-sm text-ink underline decoration-line-strong underline-offset-2 hover:text-accent`}
      >
        {graph.nodes[place]?.name}
      </button>
    );
  return (
    <>
      <Table
        caption={t("graph.table")}
        dense
        className="mt-2 w-full table-fixed [&_td]:px-1.5 [&_td]:py-1 [&_th]:px-1.5 [&_tbody_tr]:border-t [&_tbody_tr]:border-line [&_tbody_tr]:align-top"
        columns={[{ label: t("graph.from") }, { label: t("graph.relation") }, { label: t("graph.to") }]}
      >
        {edges.slice(0, shown).map((edge) => (
          <tr key={edge.id}>
            <td>{end(edge.from)}</td>
            <td>
              <span className={`${CELL} text-ink-2`}>{edge.relation}</span>
            </td>
            <td>{end(edge.to)}</td>
          </tr>
        ))}
      </Table>
      {edges.length > shown && (
        <Button look="ghost" className="mt-2 -ml-3" onClick={() => setShown(shown + PAGE)}>
          {t("graph.moreRows", { count: edges.length - shown })}
        </Button>
      )}
    </>
  );
}
