import { useEffect, useState } from "react";
import { useI18n } from "../i18n/i18n";

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all relative times: a thousand rows need one timer, not a thousand. */
function useMinute(): number {
  const [value, setValue] = useState(now);
  useEffect(() => {
    const tick = () => setValue(now);
    listeners.add(tick);
    timer ??= setInterval(() => {
      now = Date.now();
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
  return value;
}

/** Now, kept up with half a minute at a time. The clock stands still while nobody shows a time. */
export function useNow(): number {
  return Math.max(useMinute(), Date.now());
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
