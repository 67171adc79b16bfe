import { useEffect, useState, useSyncExternalStore } from "react";
import { usePreference } from "../preferences/preference";
import { language } from "../preferences/preferences";
import { type Messages, messages } from "./messages";

export type Locale = Exclude<ReturnType<typeof language.get>, "system">;

/** What a language is called by those who speak it, as a line of its own. */
export function endonym(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

const loaders: Record<Locale, () => Promise<Messages>> = {
  en: () => Promise.resolve(messages),
  de: async () => (await import("./german")).german,
  fr: async () => (await import("./french")).french,
};

const loaded = new Map<Locale, Messages>([["en", messages]]);

const isLocale = (tag: string): tag is Locale => tag in loaders;

/** The first language of the system that the window speaks. */
function systemLocale(): Locale {
  for (const tag of navigator.languages) {
    const [spoken = ""] = tag.toLowerCase().split("-");
    if (isLocale(spoken)) return spoken;
  }
  return "en";
}

async function loadCatalogue(locale: Locale): Promise<Messages> {
  const catalogue = loaded.get(locale) ?? (await loaders[locale]());
  loaded.set(locale, catalogue);
  return catalogue;
}

/** Waits for the texts of the chosen language, so that the first paint has them already. */
export async function loadLanguage(): Promise<void> {
  const choice = language.get();
  await loadCatalogue(choice === "system" ? systemLocale() : choice).catch(() => undefined);
}

function onLanguages(listener: () => void): () => void {
  window.addEventListener("languagechange", listener);
  return () => window.removeEventListener("languagechange", listener);
}

/** The language now in force, with its texts. The one before stays until those of the next are there. */
export function useLanguage(): [Locale, Messages] {
  const choice = usePreference(language);
  const system = useSyncExternalStore(onLanguages, systemLocale);
  const wanted = choice === "system" ? system : choice;
  const [shown, setShown] = useState<Locale>(() => (loaded.has(wanted) ? wanted : "en"));
  useEffect(() => {
    let isCurrent = true;
    void loadCatalogue(wanted).then(
      () => {
        if (isCurrent) setShown(wanted);
      },
      // The texts come with the program; where they cannot be read, the language before stays.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  return [shown, loaded.get(shown) ?? messages];
}
