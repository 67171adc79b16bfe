// Finds things in the window the way a person, or a screen reader, names them: by role and label.
import { until } from "./webdriver.mjs";

// Runs inside the page. A pragmatic reading of the accessible-name rules, enough for our own markup.
function lookUp(role, name, within) {
  const implicit = {
    button: "button, summary, input[type=button], input[type=submit]",
    textbox: "textarea, input:not([type]), input[type=text], [contenteditable=true]",
    searchbox: "input[type=search]",
    link: "a[href]",
    heading: "h1, h2, h3, h4, h5, h6",
    checkbox: "input[type=checkbox]",
    radio: "input[type=radio]",
    slider: "input[type=range]",
    combobox: "select",
    dialog: "dialog[open]",
    navigation: "nav",
    main: "main",
    region: "section[aria-label], section[aria-labelledby]",
    img: "img",
    list: "ul, ol",
    listitem: "li",
  };
  const selector = [`[role="${role}"]`, implicit[role]].filter(Boolean).join(", ");
  const text = (element) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const label = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by)
      return by
        .split(/\s+/)
        .map((id) => text(document.getElementById(id)))
        .join(" ")
        .trim();
    const direct = element.getAttribute("aria-label");
    if (direct) return direct.trim();
    if (element.labels?.length) return [...element.labels].map(text).join(" ");
    return (
      text(element) ||
      element.getAttribute("alt") ||
      element.getAttribute("title") ||
      element.getAttribute("placeholder") ||
      ""
    );
  };
  const pattern = name === null ? null : new RegExp(name[0], name[1]);
  return [...(within ?? document).querySelectorAll(selector)].filter((element) => {
    if (element.getAttribute("role") && element.getAttribute("role") !== role) return false;
    if (element.closest("[aria-hidden=true], [inert]")) return false;
    const box = element.getBoundingClientRect();
    if (box.width === 0 && box.height === 0 && element.getClientRects().length === 0) return false;
    return pattern === null || pattern.test(label(element));
  });
}

// Runs inside the page. False while something else lies over the middle of the element, e.g. a dialog that closes, and while the
// element moves: the pointer would press where it was, e.g. below an answer that is still arriving.
async function receivesClicks(element) {
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight)
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const before = element.getBoundingClientRect();
  await new Promise((resolve) => {
    // A window that is not painted has no frames.
    setTimeout(resolve, 100);
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
  const now = element.getBoundingClientRect();
  if (now.left !== before.left || now.top !== before.top) return false;
  const hit = document.elementFromPoint(now.left + now.width / 2, now.top + now.height / 2);
  const isPart = (part) => hit !== null && Boolean(part?.contains(hit));
  return isPart(element) || isPart(element.closest("label")) || [...(element.labels ?? [])].some(isPart);
}

const quote = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const asPattern = (name) =>
  name === undefined ? null : name instanceof RegExp ? [name.source, name.flags] : [`^${quote(name)}$`, ""];
const spoken = (role, name) => `a ${role}${name === undefined ? "" : ` named ${name}`}`;

/** Everything visible with that role and name (a string means the whole name, a RegExp a part of it). */
export const all = (session, role, name, within = null) =>
  session.run(`return (${lookUp})(...arguments)`, role, asPattern(name), within);

/** The first such thing, or null. */
export const maybe = async (session, role, name, within) =>
  (await all(session, role, name, within))[0] ?? null;

/** The first such thing, waited for. */
export const get = (session, role, name, { within, timeout } = {}) =>
  until(spoken(role, name), () => maybe(session, role, name, within), { timeout });

/** Waits for such a thing that nothing covers, and clicks it; again if the page replaced it in between. */
export const click = (session, role, name, options = {}) =>
  until(
    `a click on ${spoken(role, name)}`,
    async () => {
      const element = await maybe(session, role, name, options.within);
      if (!element || !(await session.run(receivesClicks, element))) return false;
      await element.click();
      return true;
    },
    { timeout: options.timeout },
  );

/** Waits until nothing with that role and name is left. */
export const gone = (session, role, name, options) =>
  until(`${spoken(role, name)} to go`, async () => !(await maybe(session, role, name)), options);

/** Waits until the page shows that text somewhere. */
export const sees = (session, text, options) => {
  const [source, flags] = asPattern(text instanceof RegExp ? text : new RegExp(quote(text)));
  return until(
    `the text ${text}`,
    () =>
      session.run(
        // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not count
        (pattern, options) => new RegExp(pattern, options).test(document.body.innerText),
        source,
        flags,
      ),
    options,
  );
};

/** Puts `text` into a field in place of what it holds, by the keyboard. */
export async function fill(session, element, text) {
  await element.click();
  await session.press("Control+a");
  await session.press("Backspace");
  if (text) await element.type(text);
}
