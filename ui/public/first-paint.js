// Runs before the first paint, so that a chosen theme never flashes the other one. The choice itself lives
// in the settings; this is only the window's memory of the last one seen. No choice: the OS decides (CSS).
(() => {
  try {
    const theme = localStorage.getItem("inklings.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be switched off; the OS preference still applies.
  }
})();

// A system whose language is "C" or "POSIX" makes the webview report a language that is none, and libraries that
// format numbers refuse to load. English stands in for it.
(() => {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { get: () => "en", configurable: true });
    Object.defineProperty(navigator, "languages", { get: () => ["en"], configurable: true });
  }
})();
