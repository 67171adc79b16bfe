import { Link } from "@tanstack/react-router";
import { MemoryLink } from "../../../components/MemoryLink";
import { useI18n } from "../../../i18n/i18n";
import type { RunItem } from "../../../ipc/bindings.gen";
import { ACTS } from "./counts";

const MOST = 500;

/** What was done, or would be, to which memory and why. */
export function Items({ items }: { items: RunItem[] }) {
  const { t, number } = useI18n();
  return (
    <>
      {ACTS.map((act) => {
        const members = items.filter((it) => it.act === act);
        if (members.length === 0) return null;
        return (
          <section key={act} aria-label={t(`run.act.${act}`)} className="border-t border-line py-4">
            <h3 className="flex items-center justify-between text-meta text-ink-2">
              {t(`run.act.${act}`)}
              <span className="tabular text-ink-3">{number(members.length)}</span>
            </h3>
            <ul className="mt-1">
              {members.map((item) => (
                <li key={item.row.id} className="py-1.5">
                  <MemoryLink row={item.row} />
                  <p className="pl-6 text-meta text-ink-3">
                    {item.reason}
                    {item.into !== null && (
                      <>
                        {" · "}
                        <Link
                          to="/memory"
                          search={{ id: item.into }}
                          className="inline-flex min-h-6 items-center rounded-sm text-ink-2 hover:text-accent hover:underline"
                        >
                          {t("run.into")}
                        </Link>
                      </>
                    )}
                  </p>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {items.length >= MOST && <p className="text-meta text-ink-3">{t("run.more")}</p>}
    </>
  );
}
