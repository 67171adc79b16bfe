import { type ReactNode, useId } from "react";

export function Part({ title, body, children }: { title: string; body?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line py-8">
      <h2 id={id} className="text-title font-strong text-ink outline-none">
        {title}
      </h2>
      {body && <p className="mt-1 max-w-[60ch] text-lead text-pretty text-ink-2">{body}</p>}
      <div className="mt-5">{children}</div>
    </section>
  );
}

/** A setting: what it is on the left, its control on the right. The search of the settings finds it by its mark. */
export function Setting({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div data-setting={name} className="flex min-h-10 flex-wrap items-center gap-x-6 gap-y-2 py-2">
      <div className="max-w-[46ch] min-w-0">
        <p className="text-ui text-ink">{name}</p>
        {note && <p className="text-meta text-pretty text-ink-2">{note}</p>}
      </div>
      <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-2">
        {children}
      </div>
    </div>
  );
}
