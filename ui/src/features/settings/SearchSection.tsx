import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Action, useActions } from "../../components/actions";
import { Choices } from "../../components/Choices";
import { Part } from "../../components/Parts";
import { useWriteAhead } from "../../components/useWriteAhead";
import { useI18n } from "../../i18n/i18n";
import type { MessageKey } from "../../i18n/messages";
import type { SearchSettings } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { searchSettingsQuery } from "../../ipc/queries";

/** What each strategy is called here, and what it means. */
const WORDS: Partial<Record<string, { name: MessageKey; note: MessageKey }>> = {
  additive: { name: "settings.search.additive", note: "settings.search.additiveBody" },
  rrf: { name: "settings.search.rrf", note: "settings.search.rrfBody" },
};

const write = (next: SearchSettings) => core.setSearchStrategy(next.strategy);

/** By which strategy the results of every search are put in order, the agent's searches included. */
export function SearchSection({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const { data: settings } = useQuery(searchSettingsQuery);
  const keep = useWriteAhead<SearchSettings>(keys.searchSettings, write);
  const options = useMemo(
    () =>
      (settings?.strategies ?? []).map((value) => {
        const words = WORDS[value];
        return words ? { value, label: t(words.name), note: t(words.note) } : { value, label: value };
      }),
    [settings?.strategies, t],
  );
  const choose = useCallback(
    (strategy: string) => {
      if (settings && settings.strategy !== strategy) void keep({ ...settings, strategy });
    },
    [settings, keep],
  );
  useActions(
    useMemo(
      () =>
        options.map(
          ({ value, label }): Action => ({
            id: `settings.search.${value}`,
            group: "settings",
            label: t("command.searchOrder", { name: label }),
            enabled: !readOnly,
            run: () => choose(value),
          }),
        ),
      [options, readOnly, choose, t],
    ),
  );
  if (!settings) return null;
  return (
    <Part title={t("settings.search.title")} body={t("settings.search.body")}>
      <Choices
        label={t("settings.search.title")}
        value={settings.strategy}
        disabled={readOnly}
        onChange={choose}
        options={options}
        className="sm:grid-cols-2"
      />
    </Part>
  );
}
