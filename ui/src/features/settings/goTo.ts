const CONTROL =
  "input, textarea, button:not([disabled], [data-secondary]), [role=radio][tabindex='0'], a[href]";

/**
 * Shows a setting or a section and gives it the focus: the first control of a setting, so that it can be set at once, and
 * the heading of a section.
 */
export function goTo(element: HTMLElement): void {
  const isSetting = element.matches("[data-setting]");
  const control = isSetting ? element.querySelector<HTMLElement>(CONTROL) : null;
  const target = control ?? element.querySelector<HTMLElement>("h2") ?? element;
  for (let it = element.closest("details"); it; it = it.parentElement?.closest("details") ?? null)
    it.open = true;
  if (!control) target.tabIndex = -1;
  element.scrollIntoView({ block: isSetting ? "center" : "start" });
  target.focus({ preventScroll: true });
}
