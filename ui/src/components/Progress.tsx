/** How much of something is done. */
export function Progress({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="fc-border mt-2 h-1 w-full overflow-hidden rounded-full bg-line"
    >
      <div className="h-1 rounded-full bg-accent transition-[width]" style={{ width: `${share * 100}%` }} />
    </div>
  );
}
