/** The day where the worldbuilder is, as a field of dates has it: `2026-05-03`. */
export function localDay(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
