/** New texts of a canon that were begun, by the contradiction. In RAM only, like every draft. */
const texts = new Map<string, string>();

export const draftOf = (id: string) => texts.get(id);

export function storeDraft(id: string, text: string | null): void {
  if (text === null) texts.delete(id);
  else texts.set(id, text);
}
