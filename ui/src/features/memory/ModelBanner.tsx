import { Link } from "@tanstack/react-router";
import { useI18n } from "../../i18n/i18n";
import type { AppStatus } from "../../ipc/bindings.gen";

/** One quiet line when search goes by words only. At the foot of the page: it comes and goes, and nothing may move with it. */
export function ModelBanner({ status }: { status: AppStatus | undefined }) {
  const { t } = useI18n();
  if (!status || status.model.state === "ready") return null;
  return (
    <p
      role="status"
      className="flex min-h-8 items-center gap-3 border-t border-line bg-sunken px-4 text-meta text-ink-2"
    >
      {t(`model.banner.${status.model.state}`)}
      <Link
        to="/settings"
        search={{ section: "meaning" }}
        className="inline-flex min-h-6 items-center rounded-sm text-accent underline-offset-3 hover:underline"
      >
        {t("model.banner.open")}
      </Link>
    </p>
  );
}
