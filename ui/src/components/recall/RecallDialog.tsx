import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useRef, useState } from "react";
import { useI18n } from "../../i18n/i18n";
import type { LensSpec, RecallTestView } from "../../ipc/bindings.gen";
import { channelsQuery } from "../../ipc/queries";
import { channelOption } from "../ChannelSelect";
import { Problem, TextField } from "../Fields";
import { FormDialog } from "../FormDialog";
import { useSomebody } from "../lens/useSomebody";
import { focusAfter } from "../Modal";
import { Select } from "../Select";
import { useToasts } from "../toast";
import { useSubmit } from "../useSubmit";
import { type Item, ItemsField } from "./ItemsField";
import { LensButton } from "./LensButton";
import { useRecallWrites } from "./useRecallWrites";
import { useRuleText } from "./useRuleText";

/** The most that the core takes. */
const MOST_ITEMS = 20;
const MOST_CHARACTERS = 500;

const NO_CHANNEL = "none";

/** What a new test begins with. */
export type RecallDraft = { question: string; come: Item[] };

export const EMPTY_RECALL: RecallDraft = { question: "", come: [] };

type RecallDialogProps = {
  draft: RecallDraft;
  /** The list of tests stands behind it. */
  isListed?: boolean;
  /** Takes the focus once a test was added, where the button that began it goes. */
  returnTo?: RefObject<HTMLElement | null>;
  onClose(): void;
};

/** Says how a new test came out, with the way to the list. */
function useAdded(isListed: boolean) {
  const { t } = useI18n();
  const { notify, offered } = useToasts();
  const ruleText = useRuleText();
  const navigate = useNavigate();
  return ({ passed, expects }: RecallTestView) => {
    const failure = expects.find((it) => it.failure !== null)?.failure;
    const text =
      passed || !failure
        ? t("recall.added.passed")
        : t("recall.added.failed", { rule: ruleText(failure.rule) });
    if (isListed) return notify(text);
    offered(text, t("recall.see"), () => void navigate({ to: "/activity", search: { page: "recall" } }));
  };
}

/** Asks for a question and what must come up for it, or must not. */
export function RecallDialog({ draft, isListed = false, returnTo, onClose }: RecallDialogProps) {
  const { t } = useI18n();
  const writes = useRecallWrites();
  const added = useAdded(isListed);
  const [question, setQuestion] = useState(draft.question);
  const [come, setCome] = useState(draft.come);
  const [away, setAway] = useState<Item[]>([]);
  const [lens, setLens] = useState<LensSpec | null>(null);
  const [channel, setChannel] = useState(NO_CHANNEL);
  const [isOfQuestion, setIsOfQuestion] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isAdded = useRef(false);
  const channels = useQuery(channelsQuery).data?.filter((it) => it.archivedAt === null) ?? [];
  const somebody = useSomebody();
  const named = [...come, ...away].map((item) => item.id);
  const canAdd = named.length < MOST_ITEMS;
  const isReady = question.trim() !== "" && named.length > 0;
  const add = async () => {
    const test = await writes.add({
      question,
      come: come.map((item) => item.id),
      stayAway: away.map((item) => item.id),
      lens,
      channelId: channel === NO_CHANNEL ? null : channel,
      budget: null,
    });
    isAdded.current = true;
    onClose();
    added(test);
  };
  const form = useSubmit(add, {
    onRefused: ({ code }) => {
      // Everything else is chosen from what is there, so a broken rule is one of the text.
      setIsOfQuestion(code === "invalid");
      if (code === "invalid") input.current?.focus();
    },
  });
  const changed = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value);
      form.setProblem(null);
    };
  };
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("recall.addTitle")}
      body={t("recall.addBody")}
      wide
      initialFocus={input}
      finalFocus={() => focusAfter(isAdded.current, returnTo)}
      submit={t("recall.do")}
      ready={isReady && !form.isSending}
    >
      <div className="space-y-5">
        <TextField
          ref={input}
          label={t("recall.question")}
          placeholder={t("recall.questionExample")}
          value={question}
          maxLength={MOST_CHARACTERS}
          error={isOfQuestion ? form.problem : null}
          onChange={(event) => changed(setQuestion)(event.target.value)}
        />
        <ItemsField
          label={t("recall.must.come")}
          items={come}
          without={named}
          canAdd={canAdd}
          onChange={changed(setCome)}
        />
        <ItemsField
          label={t("recall.must.stay_away")}
          items={away}
          without={named}
          canAdd={canAdd}
          onChange={changed(setAway)}
        />
        <div className="grid grid-cols-2 gap-4">
          <div className="min-w-0">
            <p className="mb-1 text-meta text-ink-2">{t("recall.channel")}</p>
            <Select
              label={t("recall.channel")}
              wide
              value={channel}
              onChange={changed(setChannel)}
              options={[{ value: NO_CHANNEL, label: t("recall.anyChannel") }, ...channels.map(channelOption)]}
            />
          </div>
          {(somebody || lens !== null) && (
            <div className="min-w-0">
              <p className="mb-1 text-meta text-ink-2">{t("recall.asked")}</p>
              <LensButton label={t("recall.asked")} lens={lens} onLens={changed(setLens)} />
            </div>
          )}
        </div>
        <Problem>{!isOfQuestion && form.problem}</Problem>
      </div>
    </FormDialog>
  );
}
