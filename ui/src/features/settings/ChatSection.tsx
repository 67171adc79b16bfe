import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button";
import { Labelled, TextField } from "../../components/Fields";
import { Part } from "../../components/Parts";
import { Select } from "../../components/Select";
import { Failed } from "../../components/States";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ChatEndpoint, ChatSettings } from "../../ipc/bindings.gen";
import { announce } from "../../ipc/changes";
import { core } from "../../ipc/client";
import { toCommandError } from "../../ipc/errors";
import { chatSettingsQuery } from "../../ipc/queries";
import { RunningModels } from "./RunningModels";
import { TokensUsed } from "./TokensUsed";

const CONTEXT = 8192;
const OWN = "own";

/** Whether an address stays on this computer. */
export function isLocal(address: string): boolean {
  try {
    const { hostname } = new URL(address);
    return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  } catch {
    return false;
  }
}

export function ChatSection({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n();
  const chat = useQuery(chatSettingsQuery);
  return (
    <Part title={t("settings.chat.title")} body={t("settings.chat.body")}>
      {chat.error && !chat.data && <Failed error={chat.error} onRetry={() => void chat.refetch()} />}
      {chat.data && (
        <Form key={JSON.stringify(chat.data.endpoint)} settings={chat.data} readOnly={readOnly} />
      )}
      <TokensUsed />
    </Part>
  );
}

type Tried = { models: string[]; tookMs: number } | { problem: string } | null;

function Form({ settings, readOnly }: { settings: ChatSettings; readOnly: boolean }) {
  const { t, number } = useI18n();
  const { notify, undoable, failed } = useToasts();
  const { endpoint, hasKey, keyPlace, presets } = settings;
  const [draft, setDraft] = useState<ChatEndpoint>(
    endpoint ?? {
      provider: presets[0]?.provider ?? "open_ai_compatible",
      baseUrl: presets[0]?.baseUrl ?? "",
      model: "",
      contextTokens: CONTEXT,
      summaryModel: null,
    },
  );
  const [key, setKey] = useState("");
  const [tried, setTried] = useState<Tried>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field: string | null; message: string } | null>(null);
  const preset = presets.find((it) => it.baseUrl === draft.baseUrl && it.provider === draft.provider);
  const address = useRef<HTMLInputElement>(null);
  /** The test whose answer may still be shown: the fields that it tried are those that stand there. */
  const trial = useRef(0);
  const edit = (patch: Partial<ChatEndpoint>) => setDraft((now) => ({ ...now, ...patch }));
  const abandon = () => {
    trial.current += 1;
    setBusy(false);
    setTried(null);
  };
  const set = (patch: Partial<ChatEndpoint>) => {
    edit(patch);
    abandon();
    setProblem(null);
  };
  const choosePreset = (id: string) => {
    const next = presets.find((it) => it.id === id);
    if (next) return set({ provider: next.provider, baseUrl: next.baseUrl });
    set({ baseUrl: "" });
    // After the list has given its focus back.
    setTimeout(() => address.current?.focus(), 0);
  };
  const write = async (next: ChatEndpoint | null, secret: string | null, forget: boolean) => {
    await core.setChatEndpoint(next, secret, forget);
    announce("settings");
  };
  const test = async () => {
    trial.current += 1;
    const own = trial.current;
    setBusy(true);
    const answer = await core
      .testChatEndpoint(draft, key || null)
      .catch((error: unknown) => ({ problem: toCommandError(error).message }));
    if (trial.current !== own) return;
    setTried(answer);
    setBusy(false);
    const [first] = "models" in answer ? answer.models : [];
    if (first) setDraft((now) => (now.model === "" ? { ...now, model: first } : now));
  };
  const connect = async (next: ChatEndpoint, secret: string | null) => {
    try {
      await write(next, secret, false);
      setKey("");
      notify(t("settings.chat.saved", { model: next.model }));
    } catch (error) {
      const { message, details } = toCommandError(error);
      setProblem({ field: details?.field ?? null, message });
    }
  };
  const disconnect = async () => {
    try {
      await write(null, null, false);
      undoable(t("settings.chat.disconnected"), () => write(endpoint, null, false));
    } catch (error) {
      failed(error);
    }
  };
  const forgetKey = async () => {
    try {
      await write(endpoint, null, true);
      notify(t("settings.chat.keyForgotten"));
    } catch (error) {
      failed(error);
    }
  };
  const models = tried && "models" in tried ? tried.models : [];
  const whole = draft.baseUrl.trim() !== "" && draft.model.trim() !== "";
  // The form begins with the saved fields and keeps their order.
  const changed = key !== "" || JSON.stringify(draft) !== JSON.stringify(endpoint);
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void connect(draft, key || null);
      }}
      className="space-y-4"
    >
      <p role="status" className="rounded-md bg-sunken px-4 py-3 text-ui text-ink">
        {endpoint
          ? t("settings.chat.connected", { model: endpoint.model, address: endpoint.baseUrl })
          : t("settings.chat.none")}
      </p>
      {!endpoint && (
        <RunningModels
          readOnly={readOnly}
          onConnect={(found) => connect({ ...found, contextTokens: CONTEXT, summaryModel: null }, null)}
        />
      )}
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <Labelled label={t("settings.chat.preset")}>
          <Select
            label={t("settings.chat.preset")}
            value={preset?.id ?? OWN}
            disabled={readOnly}
            onChange={choosePreset}
            options={[
              ...presets.map((it) => ({ value: it.id, label: it.name })),
              { value: OWN, label: t("settings.chat.own") },
            ]}
          />
        </Labelled>
        <TextField
          className="min-w-64 flex-1"
          label={t("settings.chat.address")}
          ref={address}
          value={draft.baseUrl}
          disabled={readOnly}
          error={problem?.field === "baseUrl" ? problem.message : null}
          onChange={(event) => set({ baseUrl: event.target.value })}
        />
      </div>
      <p
        className={
          isLocal(draft.baseUrl) ? "text-ui text-ink-2" : "rounded-md bg-warn-wash px-4 py-3 text-ui text-ink"
        }
      >
        {t(isLocal(draft.baseUrl) ? "settings.chat.stays" : "settings.chat.leaves")}
      </p>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <TextField
          className="min-w-64 flex-1"
          label={t("settings.chat.model")}
          value={draft.model}
          disabled={readOnly}
          error={problem?.field === "model" ? problem.message : null}
          onChange={(event) => {
            edit({ model: event.target.value });
            setProblem(null);
          }}
        />
        {models.length > 0 && (
          <Select
            label={t("settings.chat.models")}
            value={models.includes(draft.model) ? draft.model : ""}
            onChange={(model) => edit({ model })}
            options={[
              ...(models.includes(draft.model) ? [] : [{ value: "", label: t("settings.chat.choose") }]),
              ...models.map((model) => ({ value: model, label: model })),
            ]}
          />
        )}
        <TextField
          className="w-36"
          label={t("settings.chat.context")}
          inputMode="numeric"
          value={String(draft.contextTokens || "")}
          disabled={readOnly}
          error={problem?.field === "contextTokens" ? problem.message : null}
          onChange={(event) => edit({ contextTokens: Number(event.target.value.replace(/\D/g, "")) })}
        />
      </div>
      <div>
        <TextField
          label={t("settings.chat.summaryModel")}
          value={draft.summaryModel ?? ""}
          disabled={readOnly}
          onChange={(event) => edit({ summaryModel: event.target.value || null })}
        />
        <p className="mt-1 text-meta text-ink-2">{t("settings.chat.summaryModelHint")}</p>
      </div>
      <div>
        <TextField
          label={t(preset?.needsKey ? "settings.chat.key" : "settings.chat.keyOptional")}
          type="password"
          value={key}
          disabled={readOnly}
          placeholder={hasKey ? t("settings.chat.keyThere") : ""}
          onChange={(event) => {
            setKey(event.target.value);
            abandon();
          }}
        />
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-meta text-ink-2">
          <span>
            {preset?.needsKey && `${preset.hint} `}
            {t("settings.chat.keyPlace", { place: keyPlace })}
          </span>
          {hasKey && (
            <button
              type="button"
              disabled={readOnly}
              onClick={() => void forgetKey()}
              className="min-h-6 rounded-sm text-accent hover:underline disabled:opacity-50"
            >
              {t("settings.chat.keyForget")}
            </button>
          )}
        </p>
      </div>
      {problem && !["baseUrl", "model", "contextTokens"].includes(problem.field ?? "") && (
        <p role="alert" className="text-ui text-danger">
          {problem.message}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" disabled={readOnly || !whole || !changed}>
          {t("settings.chat.save")}
        </Button>
        <Button disabled={busy || draft.baseUrl.trim() === ""} onClick={() => void test()}>
          {t(busy ? "settings.chat.testing" : "settings.chat.test")}
        </Button>
        {endpoint && (
          <Button look="ghost" disabled={readOnly} onClick={() => void disconnect()}>
            {t("settings.chat.disconnect")}
          </Button>
        )}
        <p aria-live="polite" className="text-ui">
          {tried && "problem" in tried && <span className="text-danger">{tried.problem}</span>}
          {tried && "models" in tried && (
            <span className="text-ink-2">
              {t("settings.chat.answered", {
                count: tried.models.length,
                ms: number(tried.tookMs, { maximumFractionDigits: 0 }),
              })}
            </span>
          )}
        </p>
      </div>
    </form>
  );
}
