import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import { SearchField } from "../../components/SearchField";
import { useI18n } from "../../i18n/i18n";
import { goTo } from "./goTo";
import { useFound } from "./useFound";
import { useSectionActions } from "./useSectionActions";
import { SECTIONS, type Section } from "./view";

const ROW = "focus-inset block w-full rounded-md px-3 py-1.5 text-left text-ui hover:bg-hover hover:text-ink";

type SectionNavProps = {
  page: RefObject<HTMLElement | null>;
  /** True once the page has its sections. */
  here: boolean;
  current: Section | undefined;
};

/** The sections of the settings, and a search that takes their place while something is typed. */
export function SectionNav({ page, here, current }: SectionNavProps) {
  const { t } = useI18n();
  const navigate = useNavigate({ from: "/settings" });
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [query, setQuery] = useState("");
  const found = useFound(page, query, here);
  // Enter can come before the section that has the setting is read: it is opened when it arrives.
  const wanted = useRef("");
  useEffect(() => {
    if (wanted.current !== "" && wanted.current === query && found[0]) goTo(found[0].element);
    if (wanted.current !== query || found[0]) wanted.current = "";
  }, [found, query]);
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "settings.find",
          group: "settings",
          label: t("settings.find"),
          run: () => input.current?.focus(),
        },
      ],
      [t],
    ),
  );
  const open = (section: Section) => {
    // Leaving the settings with Back shall not lead through every section that was looked at.
    void navigate({ search: { section }, replace: true });
    // The address may have it already.
    const place = page.current?.querySelector<HTMLElement>(`[data-section="${section}"]`);
    if (place) goTo(place);
  };
  useActions(useSectionActions(open));
  const step = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const rows = [...(list.current?.querySelectorAll("button") ?? [])];
    const next = rows.indexOf(document.activeElement as HTMLButtonElement) + by;
    (rows[next] ?? (next < 0 ? input.current : undefined))?.focus();
  };
  const searching = query.trim() !== "";
  return (
    <div className="mb-6 @3xl:sticky @3xl:top-6 @3xl:mb-0 @3xl:self-start">
      <SearchField
        shortcut="settings.find"
        label={t("settings.find")}
        placeholder={t("settings.findHint")}
        value={query}
        onChange={setQuery}
        onLeave={() => list.current?.querySelector("button")?.focus()}
        onEnter={() => {
          if (found[0]) goTo(found[0].element);
          else wanted.current = query;
        }}
        input={input}
      />
      <p role="status" className="sr-only">
        {searching && t("settings.found", { count: found.length })}
      </p>
      <nav
        aria-label={t("settings.sections")}
        className="mt-3 @3xl:max-h-[calc(100vh-6.5rem)] @3xl:overflow-y-auto"
      >
        {searching && found.length === 0 ? (
          <p className="px-3 py-1.5 text-ui text-pretty text-ink-2">{t("settings.foundNone")}</p>
        ) : (
          <ul ref={list} onKeyDown={step} className={searching ? undefined : "flex flex-wrap @3xl:block"}>
            {searching
              ? found.map((it, n) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two settings may have one name
                  <li key={n}>
                    <button type="button" onClick={() => goTo(it.element)} className={`${ROW} text-ink`}>
                      {it.name}
                      {it.section !== "" && <span className="block text-meta text-ink-2">{it.section}</span>}
                    </button>
                  </li>
                ))
              : SECTIONS.map(([section, title]) => (
                  <li key={section}>
                    <button
                      type="button"
                      aria-current={section === current ? "location" : undefined}
                      onClick={() => open(section)}
                      className={`${ROW} text-ink-2 aria-[current]:bg-accent-wash aria-[current]:text-ink`}
                    >
                      {t(title)}
                    </button>
                  </li>
                ))}
          </ul>
        )}
      </nav>
    </div>
  );
}
