import { useMemo } from "react";
import { useI18n } from "../../i18n/i18n";
import type { LensView } from "../../ipc/bindings.gen";

/** Lenses in words. */
export function useLensText() {
  const { t } = useI18n();
  return useMemo(() => {
    /** The name of a subject. The core gives the id of one that is not there any more. */
    const nameOf = (id: string | null, name: string) => (name === id ? t("lens.gone") : name);
    const partsOf = ({ knowerId, knower, at }: LensView) => ({
      name: knower === null ? null : nameOf(knowerId, knower),
      at,
    });
    return {
      nameOf,
      /** In as few words as a chip has. */
      short: (view: LensView) => {
        const { name, at } = partsOf(view);
        if (name === null) return t("lens.until", { at });
        return at === null ? t("lens.as", { name }) : t("lens.asAt", { name, at });
      },
      /** For the head of a conversation. */
      speaking: (view: LensView) => {
        const { name, at } = partsOf(view);
        if (name === null) return t("lens.speakingUntil", { at });
        if (at === null) return t("lens.speaking", { name });
        return t(view.chapterId === null ? "lens.speakingBy" : "lens.speakingIn", { name, at });
      },
      /** For a client, as a sentence. */
      reads: (view: LensView) => {
        const { name, at } = partsOf(view);
        if (name === null) return t("clients.lensUntil", { at });
        return at === null ? t("clients.lensOf", { name }) : t("clients.lensOfBy", { name, at });
      },
    };
  }, [t]);
}
