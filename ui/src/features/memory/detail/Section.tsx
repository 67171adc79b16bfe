import type { ReactNode } from "react";

export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="border-t border-line py-5 first:border-t-0 first:pt-0" aria-label={title}>
      <header className="mb-3 flex h-6 items-center justify-between">
        <h2 className="text-meta font-strong text-ink-3">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A name and its value on one line. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-4 py-1 text-ui">
      <dt className="w-24 shrink-0 text-ink-2">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere text-ink">{children}</dd>
    </div>
  );
}
