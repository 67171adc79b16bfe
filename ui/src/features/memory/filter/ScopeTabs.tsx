import { useDroppable } from "@dnd-kit/core";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ComponentProps, type KeyboardEvent, memo, useRef } from "react";
import { TIERS, TierIcon } from "../../../components/Tier";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryFilter, Scope } from "../../../ipc/bindings.gen";
import { scopeCountsQuery } from "../../../ipc/queries";

type TabsProps = {
  filter: MemoryFilter;
  scope: Scope | undefined;
  onScope(scope: Scope | undefined): void;
  panelId: string;
};

/** The tiers with their counts; one tab stop, arrows move between them. */
export const ScopeTabs = memo(function ScopeTabs({ filter, scope, onScope, panelId }: TabsProps) {
  const { t, number } = useI18n();
  const list = useRef<HTMLDivElement>(null);
  const { data } = useQuery(
    scopeCountsQuery({ ...filter, scope: null, channelId: null, conversationId: null }),
  );
  const all = data && data.account + data.workspace + data.channel + data.conversation;
  const tabs: (Scope | undefined)[] = [undefined, ...TIERS];
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(scope);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    onScope(tabs[next]);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t("tier.tabs")}
      onKeyDown={onKeyDown}
      className="-mb-px flex flex-wrap gap-x-2"
    >
      {tabs.map((tab) => {
        const chosen = tab === scope;
        const count = tab ? data?.[tab] : all;
        return (
          <Tab
            key={tab ?? "all"}
            scope={tab}
            role="tab"
            aria-selected={chosen}
            aria-controls={panelId}
            tabIndex={chosen ? 0 : -1}
            title={tab && t(`tier.hint.${tab}`)}
            onClick={() => onScope(tab)}
            className={clsx(
              "focus-inset relative inline-flex h-10 items-center gap-2 rounded-t-md px-2 text-ui transition-colors",
              "after:absolute after:inset-x-2 after:bottom-0 after:h-0.5",
              chosen ? "text-ink after:bg-accent" : "text-ink-2 hover:text-ink",
            )}
          >
            {tab && <TierIcon scope={tab} />}
            {t(`tier.${tab ?? "all"}`)}
            <span className="tabular text-meta text-ink-3">{count === undefined ? "" : number(count)}</span>
          </Tab>
        );
      })}
    </div>
  );
});

/** A tab on which memories of the list can be dropped, unless it is that of all tiers. */
function Tab({ scope, className, ...rest }: ComponentProps<"button"> & { scope: Scope | undefined }) {
  const { setNodeRef, isOver } = useDroppable({ id: scope ?? "all", disabled: scope === undefined });
  return (
    <button
      ref={setNodeRef}
      type="button"
      className={clsx(className, isOver && "bg-accent-wash")}
      {...rest}
    />
  );
}
