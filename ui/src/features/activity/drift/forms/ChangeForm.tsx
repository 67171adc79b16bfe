import { useId, useState } from "react";
import { Button } from "../../../../components/Button";
import { Labelled, Problem, TextField } from "../../../../components/Fields";
import { LazyEditor } from "../../../../components/LazyEditor";
import { useSubmit } from "../../../../components/useSubmit";
import { WordDiff } from "../../../../components/WordDiff";
import { useI18n } from "../../../../i18n/i18n";
import { rewrites } from "../drafts";
import { comparedOf } from "../sides/kinds";
import { Buttons, type FormProps } from "./form";

/** The new text of the canon, with what it changes. It begins with the text of the statement where that can be one. */
export function ChangeForm({ drift, onSettle, onClose }: FormProps) {
  const { t } = useI18n();
  const id = useId();
  const { canon, statement } = drift;
  // A value is no text of a memory. Of a message that says more, what contradicts the canon is offered.
  const isAlike = (canon.kind === "fact") === (statement.kind === "fact");
  const offered = statement.kind === "message" ? comparedOf(statement) : statement.text;
  const isWhole = statement.kind !== "message" || offered === statement.text.trim();
  const proposed = isAlike && isWhole ? statement.text : canon.text;
  const [text, setText] = useState(() => rewrites.get(drift.id) ?? proposed);
  // The core says whether the statement can be the whole new text; once it has refused, what stands here is meant.
  const [wasRefused, setWasRefused] = useState(false);
  const settle = async () => {
    if (text.trim() === "") return;
    const isOwn = wasRefused || text !== proposed;
    await onSettle({ kind: "canon_changes", text: isOwn ? text : null });
  };
  const form = useSubmit(settle, { onRefused: () => setWasRefused(true) });
  const change = (next: string) => {
    setText(next);
    if (next === proposed) rewrites.drop(drift.id);
    else rewrites.set(drift.id, next);
    form.setProblem(null);
  };
  const label = t(canon.kind === "fact" ? "drift.value" : "drift.text");
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {canon.kind === "fact" ? (
        <TextField
          label={label}
          value={text}
          autoFocus
          error={form.problem}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <Labelled label={label}>
          <div className="rounded-md border border-line-strong bg-raised p-4">
            <LazyEditor
              label={label}
              value={text}
              onChange={change}
              onSave={() => void form.submit()}
              onEscape={onClose}
              autoFocus
            />
          </div>
          <Problem className="mt-1">{form.problem}</Problem>
        </Labelled>
      )}
      <section aria-labelledby={`${id}-diff`}>
        <p id={`${id}-diff`} className="mb-1 text-meta text-ink-2">
          {t("drift.textDiff")}
        </p>
        {text === canon.text ? (
          <p className="text-ui text-ink-3">{t("drift.textSame")}</p>
        ) : (
          <WordDiff before={canon.text} after={text} />
        )}
      </section>
      <Buttons isReady={text.trim() !== ""} label={t("drift.changeDo")} onClose={onClose}>
        {isAlike && (
          <span className="ml-auto flex gap-2">
            {text !== canon.text && (
              <Button look="ghost" onClick={() => change(canon.text)}>
                {t("drift.fromCanon")}
              </Button>
            )}
            {text !== offered && (
              <Button look="ghost" onClick={() => change(offered)}>
                {t("drift.fromStatement")}
              </Button>
            )}
          </span>
        )}
      </Buttons>
    </form>
  );
}
