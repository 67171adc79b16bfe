/** A setting or a section of the page, found by its words. */
export type Found = { element: HTMLElement; name: string; section: string };

const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const split = (text: string) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words that an element shows, and those that name its controls. */
function wordsOf(element: Element): string[] {
  const texts = [...element.querySelectorAll("[aria-label]")].map(
    (it) => it.getAttribute("aria-label") ?? "",
  );
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? "");
  return split(texts.join(" "));
}

const begins = (words: string[], wanted: string[]) =>
  wanted.every((it) => words.some((word) => word.startsWith(it)));

/**
 * The page is its own index: what it shows can be found, without a second list of settings. A word is found by how it
 * begins. A section is found itself where none of its settings has all words. What has them in its name comes first.
 */
export function find(page: HTMLElement, query: string): Found[] {
  const wanted = split(query);
  if (wanted.length === 0) return [];
  const hits = [...page.querySelectorAll("section")].flatMap((section) => {
    const title = section.querySelector("h2")?.textContent ?? "";
    const settings = [...section.querySelectorAll<HTMLElement>("[data-setting]")]
      .filter((it) => begins(wordsOf(it), wanted))
      .map((element): Found => ({ element, name: element.dataset.setting ?? "", section: title }));
    const whole = title !== "" && (settings.length === 0 || begins(split(title), wanted));
    if (!whole || !begins(wordsOf(section), wanted)) return settings;
    return [{ element: section, name: title, section: "" }, ...settings];
  });
  const byName = (it: Found) => begins(split(it.name), wanted);
  return [...hits.filter(byName), ...hits.filter((it) => !byName(it))];
}
