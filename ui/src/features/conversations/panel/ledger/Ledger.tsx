import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Copy, TriangleAlert } from "lucide-react";
import { IconButton } from "../../../../components/Button";
import { LAYER_TINT, RULES } from "../../../../components/layers";
import { Markdown } from "../../../../components/Markdown";
import { Group } from "../../../../components/Panel";
import { Table } from "../../../../components/Table";
import { Time } from "../../../../components/Time";
import { useCopy } from "../../../../components/useCopy";
import { useI18n } from "../../../../i18n/i18n";
import type { OrientationView } from "../../../../ipc/bindings.gen";
import { LayerItems } from "./LayerItems";
import { WhyNot, type WhyOf } from "./WhyNot";
import { isWithheld, Withheld } from "./Withheld";

/** One orientation: the budget by layer, what was taken, and what was left out by which rule. */
export function Ledger({ view, of }: { view: OrientationView; of: WhyOf }) {
  const { t, list } = useI18n();
  const { query, at, layers, items, thinned, markdown, id } = view;
  const taken = items.filter((it) => it.taken);
  const out = items.filter((it) => !it.taken);
  const withheld = out.filter(isWithheld);
  const left = out.filter((it) => !isWithheld(it));
  const failed = layers.filter((it) => it.failed);
  const labels = new Map(items.map((it) => [it.id, it.label]));
  return (
    <>
      <h3 className="sr-only">{t("ledger.of")}</h3>
      {(id !== null || query !== "") && (
        <header className="mb-4">
          {query !== "" && <p className="text-meta text-ink-3">{t("ledger.searched")}</p>}
          <p className="line-clamp-6 font-serif text-snippet wrap-anywhere whitespace-pre-line text-ink">
            {query === "" ? t("ledger.noQuestion") : query}
          </p>
          {id !== null && <Time iso={at} className="text-meta text-ink-3" />}
        </header>
      )}
      <Budget view={view} />
      {failed.length > 0 && (
        <Note>
          {t("ledger.failedNote", {
            layers: list(failed.map((it) => t(`ledger.layer.${it.layer}`))),
          })}
        </Note>
      )}
      {thinned && <Note subtle>{t("ledger.thinned")}</Note>}
      <h4 className="mt-5 mb-1 text-ui font-strong text-ink">{t("ledger.taken", { count: taken.length })}</h4>
      {layers.map(({ layer }) => (
        <LayerItems
          key={layer}
          title={t(`ledger.layer.${layer}`)}
          layer={layer}
          items={taken.filter((it) => it.layer === layer)}
          labels={labels}
        />
      ))}
      {!thinned && (
        <>
          <h4 className="mt-5 mb-1 text-ui font-strong text-ink">
            {t("ledger.leftOut", { count: left.length })}
          </h4>
          {RULES.flatMap((rule) => {
            const members = left.filter((it) => it.rule === rule);
            if (rule !== "budget")
              return (
                <LayerItems
                  key={rule}
                  title={t(`ledger.rule.${rule}`)}
                  items={members}
                  labels={labels}
                  first={4}
                />
              );
            // Each layer has a budget of its own to be out of.
            return layers.map(({ layer }) => (
              <LayerItems
                key={`${rule}-${layer}`}
                title={t("ledger.rule.budget", { layer: t(`ledger.layer.${layer}`) })}
                layer={layer}
                items={members.filter((it) => it.layer === layer)}
                labels={labels}
                first={4}
              />
            ));
          })}
          {withheld.length > 0 && <Withheld items={withheld} labels={labels} />}
        </>
      )}
      <WhyNot of={of} />
      {markdown !== null && <Text markdown={markdown} />}
    </>
  );
}

function Note({ subtle, children }: { subtle?: boolean; children: string }) {
  return (
    <p
      className={clsx(
        "fc-border mt-3 flex gap-2 rounded-sm px-2 py-1.5 text-meta text-pretty text-ink",
        subtle ? "bg-sunken" : "bg-warn-wash",
      )}
    >
      {!subtle && <TriangleAlert size={13} className="mt-0.5 shrink-0 text-warn" aria-hidden />}
      {children}
    </p>
  );
}

/** The budget as a bar, and the same in numbers beneath it. */
function Budget({ view }: { view: OrientationView }) {
  const { t, number } = useI18n();
  const { layers, tokens, budget } = view;
  return (
    <section aria-label={t("ledger.budget")}>
      <div aria-hidden className="fc-border flex h-2 gap-px overflow-hidden rounded-sm bg-line">
        {layers
          .filter((it) => it.used > 0)
          .map((it) => (
            <span
              key={it.layer}
              className={clsx("h-2", LAYER_TINT[it.layer])}
              style={{ flexGrow: it.used }}
            />
          ))}
        <span style={{ flexGrow: Math.max(0, budget - tokens) }} />
      </div>
      <Table
        caption={t("ledger.budget")}
        className="mt-2 w-full"
        dense
        columns={[
          { label: t("ledger.column.layer") },
          { label: t("ledger.column.used"), width: "w-14", end: true },
          { label: t("ledger.column.room"), width: "w-14", end: true },
        ]}
      >
        {layers.map((it) => (
          <tr key={it.layer} className="h-5">
            <th scope="row" className="text-left font-normal">
              <span className={clsx("flex items-center gap-2", it.used > 0 ? "text-ink" : "text-ink-2")}>
                <span
                  aria-hidden
                  className={clsx(
                    "size-2 shrink-0 rounded-full",
                    it.used > 0 ? LAYER_TINT[it.layer] : "border border-line-strong",
                  )}
                />
                {t(`ledger.layer.${it.layer}`)}
              </span>
            </th>
            {it.failed ? (
              <td colSpan={2} className="text-right text-warn">
                {t("ledger.failed")}
              </td>
            ) : (
              <>
                <td className={clsx("text-right", it.used > 0 ? "text-ink" : "text-ink-3")}>
                  {number(it.used)}
                </td>
                <td className="text-right text-ink-3">{number(it.budget)}</td>
              </>
            )}
          </tr>
        ))}
      </Table>
      <p className="tabular mt-2 flex flex-wrap items-center justify-between gap-x-3 border-t border-line pt-1 text-meta text-ink-2">
        {t("ledger.tokens", { tokens, budget })}
        <Link
          to="/settings"
          search={{ section: "orientation" }}
          className="inline-flex min-h-6 items-center rounded-sm text-ink-2 hover:text-accent hover:underline"
        >
          {t("ledger.settings")}
        </Link>
      </p>
    </section>
  );
}

function Text({ markdown }: { markdown: string }) {
  const { t, number } = useI18n();
  const copy = useCopy();
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Group
        title={t("ledger.text")}
        aside={
          <IconButton className="size-6!" label={t("shown.copy")} onClick={() => copy(markdown)}>
            <Copy size={12} aria-hidden />
          </IconButton>
        }
      >
        <details className="text-meta">
          <summary className="min-h-6 rounded-sm text-ink-2 hover:text-ink">
            {t("shown.promptOpen", { length: number(markdown.length) })}
          </summary>
          <div className="mt-2 border-l border-line pl-3 select-text [&_.memory-prose]:text-lead! [&_.memory-prose]:leading-6!">
            <Markdown text={markdown} />
          </div>
        </details>
      </Group>
    </div>
  );
}
