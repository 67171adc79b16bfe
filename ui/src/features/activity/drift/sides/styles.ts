export const META = "mb-2 flex flex-wrap items-center gap-x-2 text-meta text-ink-3";
export const LINK =
  "inline-flex min-h-6 items-center rounded-sm text-ink-2 wrap-anywhere hover:text-accent hover:underline";
