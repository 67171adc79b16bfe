import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../../components/Button";
import { Confirm } from "../../../components/Modal";
import { Answer, PanelEmpty } from "../../../components/Panel";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { EpisodeView } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { episodesQuery } from "../../../ipc/queries";

/** What older turns came down to. */
export function Episodes({ refCode, readOnly }: { refCode: string; readOnly: boolean }) {
  const { t, date } = useI18n();
  const { notify, failed } = useToasts();
  const query = useQuery(episodesQuery(refCode));
  const [removing, setRemoving] = useState<EpisodeView | null>(null);
  const [busy, setBusy] = useState(false);
  const summarise = async () => {
    setBusy(true);
    try {
      const made = await core.summariseOldTurns(refCode, null, null);
      notify(t(made ? "episode.made" : "episode.nothing"));
    } catch (error) {
      failed(error);
    }
    setBusy(false);
  };
  const remove = async (id: string) => {
    setRemoving(null);
    try {
      await core.removeEpisode(id);
      notify(t("episode.removed"));
    } catch (error) {
      failed(error);
    }
  };
  return (
    <Answer query={query}>
      {(episodes) => (
        <>
          {episodes.length === 0 ? (
            <PanelEmpty title={t("episode.none")} body={t("episode.noneBody")} />
          ) : (
            <ul className="divide-y divide-line">
              {episodes.map((episode) => (
                <li key={episode.id} className="pb-4 not-first:pt-4">
                  <div className="flex items-center gap-2">
                    <p className="mr-auto text-meta text-ink-3">
                      {t("episode.span", {
                        from: date(episode.from),
                        until: date(episode.until),
                        count: episode.turnCount,
                      })}
                    </p>
                    <IconButton
                      className="size-6!"
                      label={t("episode.remove")}
                      disabled={readOnly}
                      onClick={() => setRemoving(episode)}
                    >
                      <Trash2 size={12} aria-hidden />
                    </IconButton>
                  </div>
                  <p className="mt-1 font-serif text-snippet text-ink">{episode.summary}</p>
                  <p className="mt-1 text-meta text-ink-3">{t(`episode.maker.${episode.maker}`)}</p>
                </li>
              ))}
            </ul>
          )}
          <Button className="mt-2" disabled={readOnly || busy} onClick={() => void summarise()}>
            {t("episode.make")}
          </Button>
          <Confirm
            open={removing !== null}
            onClose={() => setRemoving(null)}
            onConfirm={() => removing && void remove(removing.id)}
            title={t("episode.removeTitle")}
            body={t("episode.removeBody")}
            confirm={t("episode.remove")}
          />
        </>
      )}
    </Answer>
  );
}
