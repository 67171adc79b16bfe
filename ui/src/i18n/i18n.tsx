import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { createIntl, createIntlCache, type IntlShape } from "@formatjs/intl";
import { createContext, type ReactNode, use, useLayoutEffect, useMemo } from "react";
import { type Locale, useLanguage } from "./locales";
import { type MessageKey, type Messages, messages } from "./messages";

/** A catalogue, as text or already parsed. */
export type Catalogue = Messages | Record<string, MessageFormatElement[]>;
type Values = Record<string, string | number | boolean | Date | null | undefined>;

export type I18n = {
  locale: Locale;
  /** The order of two texts in the alphabet of the language. */
  compare(a: string, b: string): number;
  /** A message of the catalogue, with its values. Plurals are decided by ICU rules in the catalogue. */
  t(key: MessageKey, values?: Values): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** Date and time in full, for titles and records. */
  exact(iso: string): string;
  /** A calendar date. */
  date(iso: string): string;
  /** The time of day. */
  clock(iso: string): string;
  /** Day and month, for axes. */
  shortDate(ms: number): string;
  /** "5 minutes ago", "in 3 days". */
  relative(iso: string, now?: number): string;
  list(values: string[]): string;
};

const DIVISIONS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
  ["week", 4.345],
  ["month", 12],
  ["year", Number.POSITIVE_INFINITY],
];

function relativeParts(fromMs: number, nowMs: number): [number, Intl.RelativeTimeFormatUnit] {
  let value = (fromMs - nowMs) / 1000;
  for (const [unit, size] of DIVISIONS) {
    if (Math.abs(Math.round(value)) < size) return [Math.round(value), unit];
    value /= size;
  }
  return [Math.round(value), "year"];
}

export function createI18n(locale: Locale = "en", catalogue: Catalogue = messages): I18n {
  const intl: IntlShape<string> = createIntl(
    {
      locale,
      messages: catalogue,
      onError: (error) => {
        // A slip in the catalogue must be seen while building, and must not take the page away from anyone.
        if (import.meta.env.DEV) throw error;
      },
    },
    createIntlCache(),
  );
  const { compare } = new Intl.Collator(locale);
  // Most messages have no values, and a page draws hundreds of them many times.
  const withoutValues = new Map<MessageKey, string>();
  const constant = (key: MessageKey) => {
    const known = withoutValues.get(key);
    if (known !== undefined) return known;
    const text = intl.formatMessage({ id: key });
    withoutValues.set(key, text);
    return text;
  };
  return {
    locale,
    compare,
    t: (key, values) => (values ? intl.formatMessage({ id: key }, values) : constant(key)),
    number: (value, options) => intl.formatNumber(value, options as never),
    exact: (iso) => intl.formatDate(iso, { dateStyle: "full", timeStyle: "short" }),
    date: (iso) => intl.formatDate(iso, { dateStyle: "long" }),
    clock: (iso) => intl.formatTime(iso, { hour: "2-digit", minute: "2-digit" }),
    shortDate: (ms) => intl.formatDate(ms, { day: "numeric", month: "short" }),
    relative: (iso, now = Date.now()) => {
      const [value, unit] = relativeParts(new Date(iso).getTime(), now);
      if (unit === "second") return constant("time.now");
      return intl.formatRelativeTime(value, unit as never, { numeric: "auto" });
    },
    list: (values) => intl.formatList(values, { type: "conjunction" }) as string,
  };
}

const I18nContext = createContext<I18n>(createI18n());

/** Speaks the language that was chosen, or the one of a catalogue that a test brings. */
export function I18nProvider({ catalogue, children }: { catalogue?: Catalogue; children: ReactNode }) {
  const [locale, translated] = useLanguage();
  const value = useMemo(() => createI18n(locale, catalogue ?? translated), [locale, catalogue, translated]);
  // Before what is drawn can be read: a screen reader chooses its voice by it.
  useLayoutEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return <I18nContext value={value}>{children}</I18nContext>;
}

export function useI18n(): I18n {
  return use(I18nContext);
}
