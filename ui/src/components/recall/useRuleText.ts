import { useCallback } from "react";
import { useI18n } from "../../i18n/i18n";
import type { WhyRule } from "../../ipc/bindings.gen";

/** The rules whose usual words name a layer, a place or another memory: a test has none of them. */
const WITHOUT_NAMES = [
  "taken",
  "budget",
  "limit",
  "repeats",
  "out_of_reach",
  "layer_failed",
  "folded",
  "behind_the_cut",
] as const;

type Named = (typeof WITHOUT_NAMES)[number];

const hasNames = (rule: WhyRule): rule is Named => WITHOUT_NAMES.some((it) => it === rule);

/** The rule that decided about an item of a recall test, in words. */
export function useRuleText() {
  const { t } = useI18n();
  return useCallback(
    (rule: WhyRule) => (hasNames(rule) ? t(`recall.rule.${rule}`) : t(`whyNot.rule.${rule}`)),
    [t],
  );
}
