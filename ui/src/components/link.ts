import type { Target } from "../ipc/bindings.gen";

/** A link by which another program leads here. The shell reads it (`src-tauri/src/address.rs`). */
export function linkTo(target: Target, value: string, world: string | undefined): string {
  const parts = target === "search" ? [`q=${encodeURIComponent(value)}`] : [];
  if (world !== undefined) parts.push(`world=${world}`);
  const query = parts.length > 0 ? `?${parts.join("&")}` : "";
  return `inklings://${target}${target === "search" ? "" : `/${value}`}${query}`;
}
