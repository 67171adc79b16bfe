import { useEffect, useReducer } from "react";
import { useI18n } from "../i18n/i18n";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Now, drawn again each half a minute. One clock for all: a thousand rows need one timer, not a thousand. */
export function useNow(): number {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    listeners.add(tick);
    timer ??= setInterval(() => {
      for (const listener of listeners) listener();
    }, 30_000);
    return () => {
      listeners.delete(tick);
      if (listeners.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    };
  }, []);
  return Date.now();
}

/** A time relative to now, in words that keep up with the clock. */
export function useRelative(iso: string): string {
  const { relative } = useI18n();
  return relative(iso, useNow());
}

/** A relative time, with the exact one on hover. */
export function Time({ iso, className }: { iso: string; className?: string }) {
  const { exact } = useI18n();
  return (
    <time dateTime={iso} title={exact(iso)} className={className}>
      {useRelative(iso)}
    </time>
  );
}
