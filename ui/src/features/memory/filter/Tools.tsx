import { ListFilter } from "lucide-react";
import { memo } from "react";
import { Button } from "../../../components/Button";
import { ShowAs } from "../../../components/lens/ShowAs";
import { Popup } from "../../../components/Popup";
import { Select } from "../../../components/Select";
import { useI18n } from "../../../i18n/i18n";
import type { FacetTerm, LensSpec, MemoryFilter, Sort } from "../../../ipc/bindings.gen";
import { type Go, type MemoryView, SORT_ORDER } from "../view";
import { ChannelPicker } from "./ChannelPicker";
import { FacetPanel } from "./FacetPanel";

type ToolsProps = {
  scope: MemoryView["scope"];
  channel: MemoryView["channel"];
  filter: MemoryFilter;
  sort: Sort;
  /** Hits come in the order of the search; there is nothing to sort. */
  searching: boolean;
  /** What is searched for, for the facets that hang from the button; not given while they are closed. */
  query: string;
  /** The panel has a place of its own beside the list, and the button only shows it or puts it away. */
  wide: boolean;
  shown: boolean;
  onShown(shown: boolean): void;
  go: Go;
  onTerms(terms: FacetTerm[]): void;
  onLens(lens: LensSpec): void;
};

/** What stands at the end of the tabs: the channel, the order, the filters. Not drawn again with each answer. */
export const Tools = memo(function Tools(props: ToolsProps) {
  const { scope, channel, filter, sort, searching, query, wide, shown, onShown, go, onTerms, onLens } = props;
  const { t } = useI18n();
  const { terms } = filter;
  const face = (
    <>
      <ListFilter size={16} aria-hidden />
      {terms.length > 0 ? t("filter.buttonActive", { count: terms.length }) : t("filter.button")}
    </>
  );
  return (
    <div className="flex min-w-0 items-center gap-1 pr-3">
      {(scope === "channel" || scope === "conversation") && (
        <ChannelPicker value={channel} onChange={(next) => go({ channel: next })} />
      )}
      {searching ? (
        <span className="px-2 text-ui text-ink-2">{t("sort.relevance")}</span>
      ) : (
        <Select
          ghost
          label={t("sort.label")}
          value={sort}
          onChange={(next) => go({ sort: next === "updated_desc" ? undefined : next })}
          options={SORT_ORDER.map((it) => ({ value: it, label: t(`sort.${it}`) }))}
        />
      )}
      <ShowAs lens={filter.lens} onLens={onLens} />
      {wide ? (
        <Button look="ghost" className="px-2!" aria-pressed={shown} onClick={() => onShown(!shown)}>
          {face}
        </Button>
      ) : (
        <Popup
          open={shown}
          onOpenChange={onShown}
          title={t("filter.title")}
          trigger={
            <Button look="ghost" className="px-2!">
              {face}
            </Button>
          }
        >
          <FacetPanel filter={filter} query={query} onTerms={onTerms} />
        </Popup>
      )}
    </div>
  );
});
