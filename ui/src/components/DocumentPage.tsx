import type { ReactNode } from "react";

type DocumentPageProps = {
  title: string;
  /** One or two sentences below the title. */
  intro?: ReactNode;
  /** A link to the page above this one. */
  back?: ReactNode;
  /** The page's main action, beside the title. */
  action?: ReactNode;
  /** Tables use the whole width; forms and lists stay within a readable line. */
  wide?: boolean;
  children: ReactNode;
};

/** A page that scrolls as a whole. All of them begin at the same place, however wide their content is. */
export function DocumentPage({ title, intro, back, action, wide = false, children }: DocumentPageProps) {
  return (
    <div className="h-full overflow-y-auto overscroll-contain">
      <div className="mx-auto max-w-270 px-8 pb-20">
        <div className={wide ? undefined : "max-w-174"}>
          <div className="flex h-10 items-end">{back}</div>
          <div className="flex items-start gap-6">
            <div className="min-w-0 flex-1">
              <h1 className="font-serif text-display text-ink">{title}</h1>
              {intro && <p className="mt-2 max-w-[60ch] text-lead text-pretty text-ink-2">{intro}</p>}
            </div>
            {action}
          </div>
          {children}
        </div>
      </div>
    </div>
  );
}
