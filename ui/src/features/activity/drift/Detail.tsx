import type { ReactNode, RefObject } from "react";
import { useFocusFallback } from "../../../components/hooks";
import { Names } from "../../../components/names/Names";
import { useI18n } from "../../../i18n/i18n";

type DetailProps = {
  region: RefObject<HTMLElement | null>;
  title: string;
  /** When it came up. */
  when: ReactNode;
  onEscape(): void;
  /** What stands below the part that scrolls. */
  foot?: ReactNode;
  children: ReactNode;
};

/** The open item of the inbox. Escape leads out of it. */
export function Detail({ region, title, when, onEscape, foot, children }: DetailProps) {
  const { t } = useI18n();
  useFocusFallback(region);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("drift.region")}
      className="@container flex min-w-0 flex-1 flex-col outline-none"
      onKeyDown={(event) => {
        // A list that a field opens is closed by its own key.
        const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (event.key !== "Escape" || event.defaultPrevented || !isWithin) return;
        event.preventDefault();
        onEscape();
      }}
    >
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached from the keyboard
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        <div className="mx-auto max-w-220 px-8 pt-7 pb-10">
          <h2 className="text-title font-strong text-ink">{title}</h2>
          <p className="mt-1 text-meta text-ink-3">{when}</p>
          {children}
        </div>
      </div>
      {foot}
    </section>
  );
}

/** What is compared, next to each other where there is room. */
export function Sides({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 grid gap-px overflow-hidden rounded-md border border-line bg-line @2xl:grid-cols-2 [&>*]:min-w-0">
      <Names lens={null}>{children}</Names>
    </div>
  );
}
