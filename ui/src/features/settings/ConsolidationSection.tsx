import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useEffect, useId } from "react";
import { Button } from "../../components/Button";
import { Count } from "../../components/Count";
import { INPUT, Switch } from "../../components/Fields";
import { Part, Setting } from "../../components/Parts";
import { Failed } from "../../components/States";
import { useToasts } from "../../components/toast";
import { useWriteAhead } from "../../components/useWriteAhead";
import { useI18n } from "../../i18n/i18n";
import type { ConsolidationSettings } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { keys } from "../../ipc/keys";
import { consolidationSettingsQuery, statusQuery } from "../../ipc/queries";
import { useSpelling } from "../../preferences/useSpelling";
import { dropInstructions, saveInstructions, setInstructions, useInstructions } from "./drafts";

const DEPTH = [1, 100_000] as const;
const LIMITS = {
  idleMinutes: [1, 1_440],
  channelDepth: DEPTH,
  workspaceDepth: DEPTH,
  accountDepth: DEPTH,
  revisionDepth: DEPTH,
  cap: [0, 1_000_000],
} as const;
const NUMBERS = [
  "idleMinutes",
  "channelDepth",
  "workspaceDepth",
  "accountDepth",
  "revisionDepth",
  "cap",
] as const;
/** Characters, as the core takes them. */
const MOST_INSTRUCTIONS = 4_000;

export function ConsolidationSection({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const query = useQuery(consolidationSettingsQuery);
  const write = useWriteAhead<ConsolidationSettings>(
    keys.consolidationSettings,
    core.setConsolidationSettings,
  );
  const settings = query.data;
  return (
    <Part title={t("settings.tidy.title")} body={t("settings.tidy.body")}>
      {query.error && !settings && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {settings && (
        <>
          <Setting name={t("settings.tidy.automatic")} note={t("settings.tidy.automaticBody")}>
            <Switch
              label={t("settings.tidy.automatic")}
              checked={settings.automatic}
              disabled={readOnly}
              onChange={(automatic) => void write({ ...settings, automatic })}
            />
          </Setting>
          {NUMBERS.map((field) => (
            <Setting key={field} name={t(`settings.tidy.${field}`)} note={t(`settings.tidy.${field}Body`)}>
              <Count
                label={t(`settings.tidy.${field}`)}
                value={settings[field]}
                limits={LIMITS[field]}
                disabled={readOnly || (field !== "cap" && !settings.automatic)}
                onChange={(value) => void write({ ...settings, [field]: value })}
              />
            </Setting>
          ))}
          <Setting name={t("settings.tidy.rewrite")} note={t("settings.tidy.rewriteBody")}>
            <Switch
              label={t("settings.tidy.rewrite")}
              checked={settings.rewrite}
              disabled={readOnly}
              onChange={(rewrite) => void write({ ...settings, rewrite })}
            />
          </Setting>
          <Instructions value={settings.instructions} disabled={readOnly || !settings.rewrite} />
          <Link
            to="/activity"
            search={{ page: "runs", preview: true }}
            className="mt-2 inline-flex min-h-6 items-center rounded-sm text-ui text-accent hover:underline"
          >
            {t("settings.tidy.open")}
          </Link>
        </>
      )}
    </Part>
  );
}

type InstructionsProps = { value: string; disabled: boolean };

/** What the model is asked to do; saved when the field is left, also with the page. */
function Instructions({ value, disabled }: InstructionsProps) {
  const { t } = useI18n();
  const id = useId();
  const spelling = useSpelling();
  const client = useQueryClient();
  const { failed } = useToasts();
  const world = useQuery(statusQuery).data?.workspace?.id ?? "";
  const text = useInstructions(world) ?? value;
  const save = useCallback(() => void saveInstructions(client).catch(failed), [client, failed]);
  useEffect(() => save, [save]);
  const type = (next: string) => (next === value ? dropInstructions(world) : setInstructions(world, next));
  return (
    <div className="py-2">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-ui text-ink">
          {t("settings.tidy.instructions")}
        </label>
        <Button
          look="ghost"
          className="px-2!"
          disabled={disabled}
          onClick={() => {
            setInstructions(world, "");
            save();
          }}
        >
          {t("settings.tidy.instructionsReset")}
        </Button>
      </div>
      <p className="mb-2 text-meta text-pretty text-ink-2">{t("settings.tidy.instructionsBody")}</p>
      <textarea
        id={id}
        {...spelling}
        rows={4}
        value={text}
        maxLength={MOST_INSTRUCTIONS}
        disabled={disabled}
        onChange={(event) => type(event.target.value)}
        onBlur={save}
        className={`${INPUT} h-auto! w-full resize-y py-2!`}
      />
    </div>
  );
}
