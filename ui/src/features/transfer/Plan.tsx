import { clsx } from "clsx";
import { plain } from "../../components/plain";
import { useI18n } from "../../i18n/i18n";
import type { ImportItemView, ImportOutcomeKind, ImportPlan } from "../../ipc/bindings.gen";

const KINDS: readonly ImportOutcomeKind[] = ["refuse", "left", "change", "add", "unpicked", "skip"];

/** What would come of each item of the file, grouped by outcome; what needs eyes first. */
export function Plan({ plan }: { plan: ImportPlan }) {
  const { t } = useI18n();
  const groups = KINDS.map((kind) => {
    const counts = plan.counts.filter((it) => it.kind === kind && it.rows > 0);
    return {
      kind,
      counts,
      rows: counts.reduce((sum, it) => sum + it.rows, 0),
      items: plan.items.filter((it) => it.kind === kind),
    };
  }).filter((it) => it.rows > 0);
  const fruitless = groups.every((it) => ["refuse", "left", "skip"].includes(it.kind));
  return (
    <section
      aria-label={t("importing.plan")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached from the keyboard
      tabIndex={0}
      className="focus-inset mt-5 max-h-[34vh] overflow-y-auto border-y border-line"
    >
      {fruitless && <p className="py-3 text-lead text-ink">{t("importing.nothing")}</p>}
      {plan.remarks.length > 0 && (
        <p className="py-3 text-ui text-pretty text-ink-2">
          {t("importing.remarks", {
            list: plan.remarks.map((it) => `${it.reason} (${it.count})`).join(" · "),
          })}
        </p>
      )}
      {groups.length > 0 && (
        <table className="w-full table-fixed text-ui [&_tr>:first-child]:pl-0 [&_tr>:last-child]:pr-0">
          <caption className="sr-only">{t("importing.plan")}</caption>
          <colgroup>
            <col className="w-[46%]" />
            <col className="w-[20%]" />
            <col />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">{t("importing.column.label")}</th>
              <th scope="col">{t("importing.column.what")}</th>
              <th scope="col">{t("importing.column.reason")}</th>
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group.kind} className="border-b border-line last:border-b-0">
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={3}
                  className="sticky top-0 bg-raised pt-3 pb-1 text-left font-normal"
                >
                  <span className="flex items-baseline gap-3">
                    <span
                      className={clsx(
                        "text-ui font-strong",
                        group.kind === "refuse" ? "text-warn" : "text-ink",
                      )}
                    >
                      {t(`importing.kind.${group.kind}`)}
                    </span>
                    <span className="tabular min-w-0 flex-1 truncate text-meta text-ink-2">
                      {group.counts
                        .map((it) => t("transfer.counts", { what: it.what, count: it.rows }))
                        .join(" · ")}
                    </span>
                  </span>
                </th>
              </tr>
              {group.items.map((item, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: items have no id, and a plan never changes in place
                <tr key={n} className="align-top [&>*]:px-3 [&>*]:py-1 last:[&>*]:pb-3">
                  <td className="font-serif text-snippet leading-6 text-ink" title={item.label}>
                    <span className="line-clamp-2 wrap-anywhere">{plain(item.label).text}</span>
                    <Links item={item} />
                    {group.kind === "refuse" && item.place !== "" && (
                      <span className="block font-sans text-meta wrap-anywhere text-ink-3">{item.place}</span>
                    )}
                  </td>
                  <td className="truncate leading-6 text-ink-2">{item.what}</td>
                  <td className="leading-6 text-pretty text-ink-2">{item.reason}</td>
                </tr>
              ))}
              {group.rows > group.items.length && (
                <tr>
                  <td colSpan={3} className="pb-3 text-meta text-ink-3">
                    {t("importing.more", { count: group.rows - group.items.length })}
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      )}
    </section>
  );
}

/** The subject that an item becomes, what it states of two subjects, what it is about, and who knows of it. */
function Links({ item }: { item: ImportItemView }) {
  const { t } = useI18n();
  const names = (role: "from" | "to" | "about") =>
    item.links.filter((it) => it.role === role).map((it) => plain(it.name).text);
  const about = names("about");
  const knowers = item.links
    .filter((it) => it.role === "known_by")
    .map(({ name, since }) =>
      since === null
        ? plain(name).text
        : t("importing.since", { name: plain(name).text, at: plain(since).text }),
    );
  const [from, to] = [names("from")[0], names("to")[0]];
  const parts = [
    item.subject !== null && t("importing.subject", { kind: item.subject }),
    item.relation !== null &&
      (from !== undefined && to !== undefined
        ? t("importing.relation", { from, relation: item.relation, to })
        : item.relation),
    about.length > 0 && t("importing.about", { names: about.join(", ") }),
    knowers.length > 0 && t("importing.knownBy", { names: knowers.join(", ") }),
  ].filter((it) => it !== false);
  if (parts.length === 0) return null;
  return <span className="block font-sans text-meta wrap-anywhere text-ink-3">{parts.join(" · ")}</span>;
}
