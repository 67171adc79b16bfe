import { Toaster } from "sonner";
import { useI18n } from "../i18n/i18n";
import { rem } from "../preferences/zoom";

/** Where messages appear. Sonner brings the behaviour; the look is the window's own. */
export function Toasts() {
  const { t } = useI18n();
  return (
    <Toaster
      position="bottom-right"
      visibleToasts={3}
      // Above what stands along the lower edge: the composer with its button, the bar for many at once.
      offset={{ bottom: rem(96), right: rem(24) }}
      containerAriaLabel={t("toast.label")}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "fc-border flex min-h-12 w-full items-center gap-3 rounded-md border border-line bg-raised py-2 pr-2 pl-4 font-sans text-ui text-ink shadow-pop",
          content: "min-w-0 flex-1 py-1",
          title: "text-ink",
          description: "text-ink-2",
          icon: "hidden",
          actionButton: "h-8 shrink-0 rounded-md px-3 text-ui font-strong text-accent hover:bg-accent-wash",
        },
      }}
    />
  );
}
