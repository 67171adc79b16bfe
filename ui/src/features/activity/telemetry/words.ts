import type { I18n } from "../../../i18n/i18n";
import type {
  AgentErrorCode,
  AgentPatternView,
  AgentTarget,
  MetricMeasure,
  PatternAnnotation,
} from "../../../ipc/bindings.gen";

/** Tools with each of their actions that the window has words for. */
export const ACTIONS = [
  "orient",
  "memory_search",
  "memory_get",
  "memory_put",
  "memory_update",
  "memory_forget",
  "fact",
  "fact.get",
  "fact.set",
  "conversation",
  "conversation.list",
  "conversation.read",
  "conversation.append",
  "scratchpad",
  "scratchpad.read",
  "scratchpad.write",
  "scratchpad.clear",
  "proposal_create",
  "memory_switch",
  "scrub",
  "scrub.preview",
  "scrub.execute",
  "agent_telemetry",
  "agent_telemetry.search",
  "agent_telemetry.context",
  "agent_telemetry.annotate",
  "agent_telemetry.metric_create",
  "agent_telemetry.benchmark_get",
  "unknown",
] as const;

export const TARGETS: readonly AgentTarget[] = [
  "memory",
  "subject",
  "fact",
  "conversation",
  "note",
  "page",
  "workspace",
  "telemetry",
  "unknown",
];

export const ERRORS: readonly AgentErrorCode[] = [
  "nothing_found",
  "invalid",
  "revoked",
  "not_granted",
  "memory_off",
  "locked",
  "no_change",
  "forgotten",
  "already_noted",
  "names_world",
  "unclear",
  "scrubbed",
  "derivable",
  "stale_version",
  "not_found",
  "ended",
  "busy",
  "read_only",
  "io",
  "refused",
  "internal",
];

export const MEASURES: readonly MetricMeasure[] = ["count", "percent", "mean_latency"];
export const ANNOTATIONS: readonly PatternAnnotation[] = ["useful", "expected", "misleading", "resolved"];

/** The filter word for the actions of the World Agent. */
export const WORLD_AGENT = "world_agent";

/** An action in words; its own word where the window has none. */
export function actionWords(action: string, t: I18n["t"]): string {
  const known = ACTIONS.find((it) => it === action);
  return known ? t(`telemetry.action.${known}`) : action;
}

/** A pattern in words. */
export const patternWords = ({ action, error }: AgentPatternView, t: I18n["t"]): string =>
  t("telemetry.pattern.ends", { action: actionWords(action, t), error: t(`telemetry.error.${error}`) });
