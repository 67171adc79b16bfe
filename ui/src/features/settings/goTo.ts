/** Shows a setting or a section and gives it the focus: its first control, so that it can be set at once. */
export function goTo(element: HTMLElement): void {
  const control = element.matches("[data-setting]")
    ? element.querySelector<HTMLElement>(
        "input, textarea, button:not([disabled], [data-secondary]), [role=radio][tabindex='0'], a[href]",
      )
    : null;
  for (let it = element.closest("details"); it; it = it.parentElement?.closest("details") ?? null)
    it.open = true;
  element.tabIndex = -1;
  element.scrollIntoView({ block: control ? "center" : "start" });
  (control ?? element).focus({ preventScroll: true });
}
