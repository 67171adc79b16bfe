import { type FormEvent, useRef, useState } from "react";
import type { CommandError } from "../ipc/bindings.gen";
import { toCommandError } from "../ipc/errors";

type Options = {
  /** After it was sent. */
  onDone?(): void;
  /** After the core has refused it. */
  onRefused?(error: CommandError): void;
};

/**
 * Sends what a form asks for, once at a time. What the core refuses is the `problem`, what was typed stays, and the
 * focus goes into `field`, if that is the ref of one.
 */
export function useSubmit(send: () => unknown, { onDone, onRefused }: Options = {}) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = async () => {
    if (isSending) return;
    setSending(true);
    try {
      await send();
      onDone?.();
    } catch (thrown) {
      const error = toCommandError(thrown);
      setProblem(error.message);
      field.current?.focus();
      onRefused?.(error);
    } finally {
      setSending(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // It may be opened from within another form, which must not be sent with it.
    event.stopPropagation();
    void submit();
  };
  return { problem, setProblem, isSending, field, submit, onSubmit };
}

export type Form = ReturnType<typeof useSubmit>;
