/** Stands in for the canvas in component tests: only what the chart says. */
export default function Chart({ label }: { label: string }) {
  return <div role="img" aria-label={label} />;
}
