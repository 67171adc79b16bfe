import { useState } from "react";
import { Button } from "../../components/Button";
import { asOwnSwitch } from "../../components/ownSwitch";
import { useToasts } from "../../components/toast";
import { useEntered } from "../../components/useEntered";
import { useI18n } from "../../i18n/i18n";
import { core } from "../../ipc/client";
import { Beginnings } from "./Beginnings";

/**
 * The offer of a first start. On an empty page it is the page; beside memories it is a band. Declining it is as
 * easy as accepting.
 */
export function Welcome({ page }: { page: boolean }) {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  const [loading, setLoading] = useState(false);
  const entered = useEntered();
  const load = async () => {
    setLoading(true);
    try {
      // The sample is a workspace of its own: loading it goes there.
      await asOwnSwitch(async () => {
        await core.loadSampleWorld();
        await entered();
      });
      notify(t("welcome.loaded"));
    } catch (error) {
      failed(error);
    }
    setLoading(false);
  };
  const dismiss = async () => {
    try {
      await core.dismissSample();
      notify(t("welcome.later"));
    } catch (error) {
      failed(error);
    }
  };
  const choices = (
    <div className="flex gap-2">
      <Button look="primary" disabled={loading} onClick={() => void load()}>
        {t(loading ? "welcome.loading" : "welcome.load")}
      </Button>
      <Button look={page ? "plain" : "ghost"} disabled={loading} onClick={() => void dismiss()}>
        {t("welcome.dismiss")}
      </Button>
    </div>
  );
  if (page) {
    return (
      <section aria-labelledby="welcome-title" className="mx-auto mt-[16vh] max-w-130 px-6 pb-16">
        <h2 id="welcome-title" className="font-serif text-display text-ink">
          {t("welcome.title")}
        </h2>
        <p className="memory-prose mt-4 mb-8 text-pretty text-ink-2">{t("welcome.body")}</p>
        {choices}
        <div className="mt-10">
          <Beginnings sample={false} />
        </div>
      </section>
    );
  }
  return (
    <section aria-labelledby="welcome-title" className="border-b border-line bg-accent-wash">
      <div className="flex flex-wrap items-center gap-x-10 gap-y-4 px-4 py-5">
        <div className="min-w-72 flex-1">
          <h2 id="welcome-title" className="font-serif text-[1.3125rem] leading-7 text-ink">
            {t("welcome.title")}
          </h2>
          <p className="mt-1 max-w-prose text-lead text-pretty text-ink-2">{t("welcome.short")}</p>
        </div>
        {choices}
      </div>
    </section>
  );
}
