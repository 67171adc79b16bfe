/** Milliseconds that a section may take until it is there. */
const WITHIN = 5000;

/** Shows the section of the open page with this heading as soon as it is there, and gives the heading the focus. */
export function revealSection(heading: string): void {
  const page = document.getElementById("page");
  if (!page) return;
  const find = () => [...page.querySelectorAll("section h2")].find((it) => it.textContent === heading);
  const show = (): boolean => {
    const found = find();
    if (!(found instanceof HTMLElement)) return false;
    found.tabIndex = -1;
    found.focus({ preventScroll: true });
    found.closest("section")?.scrollIntoView({ block: "start" });
    return true;
  };
  if (show()) return;
  const observer = new MutationObserver(() => {
    if (show()) stop();
  });
  const timer = setTimeout(() => stop(), WITHIN);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(page, { childList: true, subtree: true });
}
