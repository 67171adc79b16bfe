import type { CommandError, ErrorCode } from "./bindings.gen";

/** What a failed command throws is a plain object; anything else (a bug, a lost connection) becomes `internal`. */
export function toCommandError(thrown: unknown): CommandError {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && "message" in thrown) {
    return thrown as CommandError;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: "internal", message, details: null };
}

export function hasCode(thrown: unknown, code: ErrorCode): boolean {
  return toCommandError(thrown).code === code;
}
