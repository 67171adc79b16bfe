import type { ChannelView, Curator, Lifetime, Scope } from "../ipc/bindings.gen";

/** A small world for tests and the harness: enough prose to look at, never shipped. */
export type Seed = {
  scope: Scope;
  channel?: string;
  text: string;
  tags?: string[];
  importance?: number;
  curator?: Curator;
  lifetime?: Lifetime;
  source?: string;
  name?: string;
  aliases?: string[];
  pinned?: boolean;
  speaker?: string;
  conversation?: string;
};

function channel(id: string, name: string, description: string, isDefault = false): ChannelView {
  const createdAt = "2025-06-01T09:00:00Z";
  const counts = { memories: 0, conversations: 0, archivedConversations: 0 };
  return { id, name, description, isDefault, createdAt, archivedAt: null, ...counts };
}

export const CHANNELS: ChannelView[] = [
  channel("ch-general", "general", "Everything without a place of its own", true),
  channel("ch-harbour", "harbour-guilds", "The guilds of Saltmere"),
  channel("ch-magic", "tide-magic", "How the tide is bound"),
];

export const SEEDS: Seed[] = [
  {
    scope: "account",
    text: "Prefers **short chapters** that end on an image rather than on a line of speech.",
    tags: ["style"],
    importance: 0.8,
    curator: "author",
    source: "settings talk",
  },
  {
    scope: "account",
    text: "Never introduce prophecy as a plot device. It was done to death in the first draft and cut.",
    tags: ["style", "never"],
    importance: 0.95,
    curator: "author",
    pinned: true,
    source: "author note",
  },
  {
    scope: "account",
    text: "Works in the mornings; wants summaries of the last session before anything new is proposed.",
    tags: ["habit"],
    importance: 0.6,
    curator: "agent",
    source: "World Agent",
  },
  {
    scope: "account",
    text: "British spelling everywhere, including in place names.",
    tags: ["style"],
    importance: 0.7,
    curator: "author",
    source: "author note",
  },
  {
    scope: "account",
    text: "Likes maps described by walking them, street by street, not from above.",
    tags: ["style", "maps"],
    importance: 0.55,
    curator: "agent",
    source: "World Agent",
  },
  {
    scope: "workspace",
    name: "Saltmere",
    aliases: ["the Salt Town"],
    text: "# Saltmere\n\nA harbour town on the drowned coast, built on the roofs of the town before it. Every cellar is someone's old attic.\n\n- Population about nine thousand, twice that in herring season\n- Governed by the **Quay Council**, seven seats, one always empty\n- The lower doors open only at *slack water*",
    tags: ["place", "saltmere"],
    importance: 0.9,
    curator: "author",
    source: "world notes",
    pinned: true,
  },
  {
    scope: "workspace",
    text: "The empty seat on the Quay Council belongs to the sea. Votes that tie are settled by whether the next tide reaches the third step of the council stair.",
    tags: ["politics", "saltmere"],
    importance: 0.85,
    curator: "author",
    source: "world notes",
  },
  {
    scope: "workspace",
    text: "Marguerite Vane has kept the lighthouse at Corrow Head for thirty-one years and has never once set foot on a ship.",
    tags: ["person"],
    importance: 0.8,
    curator: "author",
    source: "world notes",
  },
  {
    scope: "workspace",
    text: "Iron rusts within a day below the tide line, so blades there are made of whalebone, glass or old bronze.",
    tags: ["rule", "craft"],
    importance: 0.75,
    curator: "author",
    source: "world notes",
  },
  {
    scope: "workspace",
    text: "There are four moons in the almanac but only three in the sky. Navigators still correct for the fourth.",
    tags: ["rule", "sky"],
    importance: 0.7,
    curator: "author",
    source: "world notes",
  },
  {
    scope: "workspace",
    text: "The Drowned War ended 112 years ago with a treaty written on sailcloth; half of it was cut up for bandages and has never been found.",
    tags: ["history"],
    importance: 0.78,
    curator: "import",
    source: "chronicle.md",
  },
  {
    scope: "workspace",
    text: "Lamp oil is pressed from moonkelp and burns green. A white flame in a window means someone inside is dying.",
    tags: ["custom", "rule"],
    importance: 0.66,
    curator: "author",
    source: "world notes",
  },
  {
    scope: "workspace",
    text: "The bell of Saint Oriel rings by itself before a storm. The sexton oils it all the same, since nobody should know which of the two is the custom and which the cause.",
    tags: ["custom", "place"],
    importance: 0.6,
    curator: "agent",
    source: "World Agent",
  },
  {
    scope: "workspace",
    text: "Children are named twice: a land name at birth, a sea name at seven. The sea name is never written down.",
    tags: ["custom", "rule"],
    importance: 0.82,
    curator: "author",
    source: "world notes",
  },
  {
    scope: "workspace",
    text: "Coin of the coast: one *crown* is twelve *gills*; a gill buys bread and a place by the fire.",
    tags: ["economy"],
    importance: 0.5,
    curator: "import",
    source: "chronicle.md",
  },
  {
    scope: "workspace",
    text: "Herons are unlucky indoors and lucky on masts.",
    tags: ["custom"],
    importance: 0.25,
    curator: "agent",
    source: "World Agent",
    lifetime: "short_term",
  },
  {
    scope: "workspace",
    text: "Tobin Ashgrove owes the Ropewalkers three favours, not money. He pretends it is money.",
    tags: ["person", "secret"],
    importance: 0.72,
    curator: "author",
    source: "world notes",
  },
  {
    scope: "workspace",
    text: "The road to Inner Fenwick floods at every spring tide. Letters from the capital are therefore dated by the moon they missed.",
    tags: ["place", "custom"],
    importance: 0.45,
    curator: "agent",
    source: "World Agent",
  },
  {
    scope: "channel",
    channel: "ch-harbour",
    text: "The Ropewalkers control every crane on the south quay; the Lanternmen control who may work after dusk. Neither can load a ship alone.",
    tags: ["guild", "politics"],
    importance: 0.8,
    curator: "author",
    source: "guild notes",
  },
  {
    scope: "channel",
    channel: "ch-harbour",
    text: "Guildmistress Ysolde Karr counts on her fingers from the little finger inward. It tells her spies which reports are forged.",
    tags: ["guild", "person", "secret"],
    importance: 0.7,
    curator: "author",
    source: "guild notes",
  },
  {
    scope: "channel",
    channel: "ch-harbour",
    text: "Harbour dues were raised twice this year. The fishers answered by landing their catch at Corrow Head and walking it in over the causeway.",
    tags: ["economy", "guild"],
    importance: 0.58,
    curator: "agent",
    source: "World Agent",
  },
  {
    scope: "channel",
    channel: "ch-harbour",
    text: "The strike begins on the night of the lantern fair, not before: open question whether Tobin knows.",
    tags: ["plot", "open"],
    importance: 0.74,
    curator: "agent",
    source: "World Agent",
    lifetime: "short_term",
  },
  {
    scope: "channel",
    channel: "ch-harbour",
    text: "A Ropewalker swears on rope, never on a blade or a book. A knot left unfinished is a lie told.",
    tags: ["guild", "custom"],
    importance: 0.62,
    curator: "author",
    source: "guild notes",
  },
  {
    scope: "channel",
    channel: "ch-harbour",
    text: "Old charter of the Lanternmen, imported whole:\n\n> No flame on the water but ours, and no shadow on the quay unaccounted.\n\nThe second clause is struck through in the copy the council keeps.",
    tags: ["guild", "history"],
    importance: 0.65,
    curator: "import",
    source: "charter.txt",
    speaker: "Archivist Pell",
  },
  {
    scope: "channel",
    channel: "ch-magic",
    text: "Tide-binding costs a memory of equal weight. Small bindings take the name of a street; great ones take a face.",
    tags: ["magic", "rule"],
    importance: 0.95,
    curator: "author",
    source: "magic notes",
    pinned: true,
  },
  {
    scope: "channel",
    channel: "ch-magic",
    text: "A binding holds for as many tides as it has knots. Thirteen is the most anyone has tied and kept their own name.",
    tags: ["magic", "rule"],
    importance: 0.84,
    curator: "author",
    source: "magic notes",
  },
  {
    scope: "channel",
    channel: "ch-magic",
    text: "Binders write their losses in a tally book before they work, so that someone can tell them afterwards what is gone.",
    tags: ["magic", "custom"],
    importance: 0.68,
    curator: "agent",
    source: "World Agent",
  },
  {
    scope: "channel",
    channel: "ch-magic",
    text: "Salt breaks a binding. Tears count.",
    tags: ["magic", "rule"],
    importance: 0.77,
    curator: "author",
    source: "magic notes",
  },
  {
    scope: "channel",
    channel: "ch-magic",
    text: "The drowned binders still keep the eleventh knot. This is why the harbour has not silted up in a century.",
    tags: ["magic", "secret", "history"],
    importance: 0.73,
    curator: "author",
    source: "magic notes",
  },
  {
    scope: "channel",
    channel: "ch-general",
    text: "Chapter four opens at the lighthouse and ends on the causeway; the storm arrives one scene earlier than planned.",
    tags: ["plot"],
    importance: 0.55,
    curator: "agent",
    source: "World Agent",
  },
  {
    scope: "channel",
    channel: "ch-general",
    text: "Decide whether Marguerite can read. Two drafts disagree.",
    tags: ["open", "person"],
    importance: 0.48,
    curator: "agent",
    source: "World Agent",
    lifetime: "short_term",
  },
  {
    scope: "conversation",
    channel: "ch-harbour",
    conversation: "k3T9wPq2LxA",
    text: "Tonight's thread: what the Lanternmen want from the fair. So far: silence about the missing ledger.",
    tags: ["plot"],
    importance: 0.5,
    curator: "agent",
    source: "World Agent",
    lifetime: "conversation",
  },
  {
    scope: "conversation",
    channel: "ch-harbour",
    conversation: "k3T9wPq2LxA",
    text: "The worldbuilder dislikes the name “Gregor” for the clerk; suggested Anselm.",
    tags: ["name"],
    importance: 0.4,
    curator: "agent",
    source: "World Agent",
    lifetime: "conversation",
  },
  {
    scope: "conversation",
    channel: "ch-magic",
    conversation: "Zb71mNc0QeR",
    text: "Working through whether a forgotten face can be bound back. Leaning towards no.",
    tags: ["magic", "open"],
    importance: 0.52,
    curator: "agent",
    source: "World Agent",
    lifetime: "conversation",
  },
  {
    scope: "workspace",
    text: "The bell of Saint Oriel has never rung before a storm. The sexton rings it afterwards, and nobody dares to say so.",
    tags: ["custom", "place"],
    importance: 0.45,
    curator: "author",
    source: "world notes",
  },
];

const PEOPLE = [
  "Marguerite",
  "Tobin",
  "Ysolde",
  "Anselm",
  "Pell",
  "Corentin",
  "Hesper",
  "Bram",
  "Odile",
  "Wick",
];
const PLACES = [
  "the south quay",
  "Corrow Head",
  "the causeway",
  "Inner Fenwick",
  "the lower doors",
  "Saint Oriel",
  "the ropewalk",
  "the lantern yard",
];
const THINGS = [
  "a tally book",
  "the missing ledger",
  "a bronze key",
  "the sailcloth treaty",
  "a whalebone comb",
  "the eleventh knot",
  "green lamp oil",
  "a letter dated by the moon it missed",
];
const SHAPES: ((p: string, q: string, l: string, t: string) => string)[] = [
  (p, q, l, t) =>
    `${p} was seen near ${l} with ${t}. ${q} says otherwise, and ${q} is rarely wrong about such things.`,
  (p, _q, l, t) => `At ${l}, ${p} traded ${t} for a promise. The promise has not been named yet.`,
  (p, q, l) => `${p} and ${q} do not speak at ${l}, although everywhere else they are friends.`,
  (p, q, _l, t) => `If ${p} learns about ${t}, it must come from ${q}, and it must come late.`,
  (p, _q, l) => `${p} counts the steps at ${l}. There is one more than there was last winter.`,
  (_p, q, l, t) => `The rumour at ${l}: ${t} was never lost. ${q} started it.`,
];
const SCOPES: Scope[] = ["workspace", "channel", "workspace", "channel", "account", "conversation"];

/** `count` more entries, the same ones every time. */
export function generated(count: number): Seed[] {
  const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  return Array.from({ length: count }, (_, n) => {
    const scope = pick(SCOPES, n * 7 + Math.floor(n / 6));
    const text = pick(SHAPES, n)(
      pick(PEOPLE, n),
      pick(PEOPLE, n * 3 + 1),
      pick(PLACES, n * 5 + 2),
      pick(THINGS, n * 7 + 3),
    );
    const seed: Seed = {
      scope,
      text,
      tags: [pick(["plot", "person", "rumour", "place", "open"], n * 3)],
      importance: ((n * 37) % 100) / 100,
      curator: pick(["agent", "author", "agent", "import"] as const, n),
      source: pick(["World Agent", "world notes", "World Agent", "chronicle.md"], n),
      lifetime:
        scope === "conversation"
          ? "conversation"
          : pick(["long_term", "short_term", "long_term"] as const, n),
    };
    if (scope === "channel" || scope === "conversation") seed.channel = pick(CHANNELS, n * 11).id;
    if (scope === "conversation") seed.conversation = pick(["k3T9wPq2LxA", "Zb71mNc0QeR"], n);
    return seed;
  });
}
