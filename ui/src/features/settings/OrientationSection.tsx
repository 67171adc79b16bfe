import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { Count } from "../../components/Count";
import { Problem, ShareSlider, Switch } from "../../components/Fields";
import { LAYER_TINT } from "../../components/layers";
import { Part, Setting } from "../../components/Parts";
import { Failed } from "../../components/States";
import { useWriteAhead } from "../../components/useWriteAhead";
import { useI18n } from "../../i18n/i18n";
import type { OrientationSettings, OrientationShares } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { orientationSettingsQuery } from "../../ipc/queries";

const LAYERS = [
  "subjects",
  "facts",
  "episodes",
  "earlier",
  "conversation",
  "channel",
  "workspace",
  "account",
  "pages",
  "patterns",
] as const;

export function OrientationSection({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const query = useQuery(orientationSettingsQuery);
  const write = useWriteAhead<OrientationSettings>(keys.orientationSettings, core.setOrientationSettings);
  const settings = query.data;
  return (
    <Part title={t("settings.orient.title")} body={t("settings.orient.body")}>
      {query.error && !settings && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {settings && (
        <>
          <Setting name={t("settings.orient.budget")} note={t("settings.orient.budgetBody")}>
            <Count
              label={t("settings.orient.budget")}
              value={settings.budget}
              limits={[0, 200_000]}
              disabled={readOnly}
              onChange={(budget) => void write({ ...settings, budget })}
            />
          </Setting>
          <Setting name={t("settings.orient.named")} note={t("settings.orient.namedBody")}>
            <Count
              label={t("settings.orient.named")}
              value={settings.named}
              limits={[0, 90]}
              disabled={readOnly}
              onChange={(named) => void write({ ...settings, named })}
            />
          </Setting>
          <Shares
            shares={settings.shares}
            readOnly={readOnly}
            onCommit={(shares) => void write({ ...settings, shares })}
          />
          <Setting name={t("settings.orient.refine")} note={t("settings.orient.refineBody")}>
            <Switch
              label={t("settings.orient.refine")}
              checked={settings.refine}
              disabled={readOnly}
              onChange={(refine) => void write({ ...settings, refine })}
            />
          </Setting>
        </>
      )}
    </Part>
  );
}

type SharesProps = {
  shares: OrientationShares;
  readOnly: boolean;
  onCommit(shares: OrientationShares): void;
};

/** How what is left is shared out: a bar that follows the hand, and the same in numbers. */
function Shares({ shares: kept, readOnly, onCommit }: SharesProps) {
  const { t, number } = useI18n();
  const [shares, setShares] = useState(kept);
  useEffect(() => setShares(kept), [kept]);
  const total = LAYERS.reduce((sum, layer) => sum + shares[layer], 0);
  return (
    <section aria-label={t("settings.orient.shares")} className="my-4">
      <p className="text-ui text-ink">{t("settings.orient.shares")}</p>
      <div aria-hidden className="fc-border mt-3 flex h-2 gap-px overflow-hidden rounded-sm bg-line">
        {LAYERS.filter((layer) => shares[layer] > 0).map((layer) => (
          <span
            key={layer}
            className={clsx("h-2 transition-[flex-grow]", LAYER_TINT[layer])}
            style={{ flexGrow: shares[layer] }}
          />
        ))}
      </div>
      <ul className="mt-2">
        {LAYERS.map((layer) => (
          <li
            key={layer}
            className="grid min-h-10 grid-cols-[minmax(0,12.5rem)_minmax(0,1fr)_3.5rem] items-center gap-x-4 border-b border-line text-ui"
          >
            <span className="flex items-center gap-2 text-ink">
              <span aria-hidden className={clsx("size-2 shrink-0 rounded-full", LAYER_TINT[layer])} />
              {t(`ledger.layer.${layer}`)}
            </span>
            <ShareSlider
              label={t("settings.orient.share", { layer: t(`ledger.layer.${layer}`) })}
              value={shares[layer] / 100}
              disabled={readOnly}
              onChange={(value) => setShares({ ...shares, [layer]: Math.round(value * 100) })}
              onCommit={(value) => {
                const next = { ...shares, [layer]: Math.round(value * 100) };
                if (LAYERS.some((it) => next[it] > 0)) onCommit(next);
              }}
            />
            <output className="tabular text-right text-ink-2">
              {number(total > 0 ? shares[layer] / total : 0, { style: "percent", maximumFractionDigits: 0 })}
            </output>
          </li>
        ))}
      </ul>
      <Problem className="mt-2">{total === 0 && t("settings.orient.noShare")}</Problem>
    </section>
  );
}
