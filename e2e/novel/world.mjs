// The world of Moby-Dick as a worldbuilder notes it: subjects, relations, facts and times. All of it is in our own words. The novel
// names no year; the dates are an assumption of this file that keeps the order and the days of the week of the novel.

export const CALENDAR = "Common Reckoning";
export const VOYAGE = "25 December, 1840 – 17 December, 1841";
const SINKING = "17 December, 1841";

/** A calendar of the voyage alone, to see a second calendar name the same days. Day 1 is Christmas Day of 1840. */
export const LOG = {
  months: [
    { name: "Outward", days: 100 },
    { name: "Cruising", days: 200 },
    { name: "Chase", days: 65 },
  ],
  week: { days: [{ name: "First Watch" }, { name: "Second Watch" }], restart: "never" },
  eras: [{ name: "of the Voyage", short: "V", anchor: 1, first_number: 1, counting: "forward" }],
  moons: [],
  hours_per_day: 24,
  minutes_per_hour: 60,
  epoch_day: 672_040,
};

/** Name, kind, aliases, text. */
export const SUBJECTS = [
  ["Reader", "audience", [], "Whoever reads the novel in the order of its chapters."],
  [
    "Ishmael",
    "character",
    [],
    "Ishmael is a sailor before the mast. Ishmael comes from Manhattan. He tells the story.",
  ],
  [
    "Ahab",
    "character",
    ["Captain Ahab", "Old Thunder"],
    "Ahab is the captain of the [[Pequod]]. Ahab has grey hair. Ahab has one leg of flesh.",
  ],
  [
    "Starbuck",
    "character",
    [],
    "Starbuck is the first mate of the [[Pequod]]. Starbuck is a Quaker. Starbuck has a son.",
  ],
  [
    "Stubb",
    "character",
    [],
    "Stubb is the second mate of the [[Pequod]]. Stubb comes from Cape Cod. Stubb smokes a pipe.",
  ],
  [
    "Flask",
    "character",
    ["King-Post"],
    "Flask is the third mate of the [[Pequod]]. Flask comes from Tisbury.",
  ],
  [
    "Queequeg",
    "character",
    [],
    "Queequeg is the harpooneer of [[Starbuck]]. Queequeg was born in Rokovoko. Queequeg's tomahawk is also a pipe.",
  ],
  ["Tashtego", "character", [], "Tashtego is the harpooneer of [[Stubb]]. Tashtego comes from Gay Head."],
  ["Daggoo", "character", [], "Daggoo is the harpooneer of [[Flask]]. Daggoo wears golden earrings."],
  [
    "Fedallah",
    "character",
    ["Parsee"],
    "Fedallah is the harpooneer of [[Ahab]]. Fedallah's turban is white. Fedallah has one tooth.",
  ],
  [
    "Pip",
    "character",
    ["Pippin"],
    "Pip is the youngest of the crew. Pip plays the tambourine. Pip comes from Alabama.",
  ],
  ["Perth", "character", [], "Perth is the blacksmith of the [[Pequod]]."],
  ["Dough-Boy", "character", [], "Dough-Boy is the steward of the [[Pequod]]."],
  ["Elijah", "character", [], "Elijah is a beggar on the wharf of [[Nantucket]]. Elijah warns [[Ishmael]]."],
  ["Father Mapple", "character", [], "Father Mapple is the preacher of the [[Whaleman's Chapel]]."],
  [
    "Peleg",
    "character",
    ["Captain Peleg"],
    "Peleg is a retired captain. Peleg owns a share of the [[Pequod]].",
  ],
  [
    "Bildad",
    "character",
    ["Captain Bildad"],
    "Bildad is a retired captain. Bildad owns a share of the [[Pequod]].",
  ],
  [
    "Boomer",
    "character",
    ["Captain Boomer"],
    "Boomer is the captain of the [[Samuel Enderby]]. Boomer's right arm is made of ivory.",
  ],
  [
    "Gardiner",
    "character",
    ["Captain Gardiner"],
    "Gardiner is the captain of the [[Rachel]]. Gardiner has two sons.",
  ],
  ["Mayhew", "character", ["Captain Mayhew"], "Mayhew is the captain of the [[Jeroboam]]."],
  ["Gabriel", "character", [], "Gabriel is a prophet of the Shakers. Gabriel sails on the [[Jeroboam]]."],
  ["Steelkilt", "character", [], "Steelkilt is a sailor of the [[Town-Ho]]. Steelkilt comes from Buffalo."],
  ["Radney", "character", [], "Radney was the mate of the [[Town-Ho]]. Radney came from Martha's Vineyard."],
  [
    "Moby Dick",
    "whale",
    ["White Whale"],
    "Moby Dick is a sperm whale. Moby Dick's hump is white. Moby Dick has a crooked jaw.",
  ],
  [
    "Pequod",
    "ship",
    [],
    "The Pequod is a whaler. The home port of the Pequod is [[Nantucket]]. The tiller of the Pequod is made of bone.",
  ],
  ["Samuel Enderby", "ship", [], "The home port of the Samuel Enderby is London."],
  ["Jeroboam", "ship", [], "The home port of the Jeroboam is [[Nantucket]]."],
  ["Rachel", "ship", [], "The home port of the Rachel is [[Nantucket]]."],
  ["Town-Ho", "ship", [], "The home port of the Town-Ho is [[Nantucket]]."],
  ["Jungfrau", "ship", ["Virgin"], "The home port of the Jungfrau is Bremen."],
  ["Rose-Bud", "ship", ["Bouton de Rose"], "The Rose-Bud is a French whaler."],
  ["Bachelor", "ship", [], "The Bachelor is a full ship on her way home."],
  ["Delight", "ship", [], "The Delight is a whaler with a splintered boat."],
  ["Nantucket", "place", [], "Nantucket is an island of whalers."],
  ["New Bedford", "place", [], "New Bedford is a port of whalers on the mainland."],
  [
    "Spouter-Inn",
    "place",
    [],
    "The Spouter-Inn is an inn of [[New Bedford]]. Peter Coffin is the landlord of the Spouter-Inn.",
  ],
  ["Whaleman's Chapel", "place", [], "The pulpit of the Whaleman's Chapel is shaped like a bow."],
  ["Crew of the Pequod", "faction", [], "Everybody who sails on the [[Pequod]] for wages."],
  ["Officers", "faction", ["Mates"], "The mates, who eat in the cabin."],
  ["Forecastle", "faction", [], "The sailors and harpooneers, who live before the mast."],
  ["Stowaways", "faction", ["Fedallah's crew"], "Five men who row the boat of [[Ahab]]."],
  ["Owners of the Pequod", "faction", [], "The people of [[Nantucket]] who own shares of the ship."],
  ["Doubloon", "item", [], "The Doubloon is made of gold. The Doubloon comes from Ecuador."],
  [
    "Sea-coffin",
    "item",
    ["Life-buoy"],
    "The Sea-coffin is made of dark wood. The carpenter built it for [[Queequeg]].",
  ],
  ["Quadrant", "item", [], "The Quadrant shows the latitude of the ship."],
  ["Fire-forged harpoon", "item", [], "The barbs of the Fire-forged harpoon are made of razors."],
];

/** From, relation, to, dates. */
export const RELATIONS = [
  ["Officers", "member of", "Crew of the Pequod", VOYAGE],
  ["Forecastle", "member of", "Crew of the Pequod", VOYAGE],
  ["Starbuck", "member of", "Officers", VOYAGE],
  ["Stubb", "member of", "Officers", VOYAGE],
  ["Flask", "member of", "Officers", VOYAGE],
  ...["Ishmael", "Queequeg", "Tashtego", "Daggoo", "Pip", "Perth", "Dough-Boy"].map((name) => [
    name,
    "member of",
    "Forecastle",
    VOYAGE,
  ]),
  ["Fedallah", "member of", "Stowaways", VOYAGE],
  ["Peleg", "member of", "Owners of the Pequod", ""],
  ["Bildad", "member of", "Owners of the Pequod", ""],
  ["Ahab", "captain of", "Pequod", VOYAGE],
  ["Boomer", "captain of", "Samuel Enderby", ""],
  ["Gardiner", "captain of", "Rachel", ""],
  ["Mayhew", "captain of", "Jeroboam", ""],
  ["Ahab", "holds", "Doubloon", "25 December, 1840 – 31 January, 1841"],
  ["Pequod", "bears on her mast", "Doubloon", `1 February, 1841 – ${SINKING}`],
  ["Ahab", "holds", "Quadrant", "25 December, 1840 – 18 November, 1841"],
  ["Ahab", "holds", "Fire-forged harpoon", `25 October, 1841 – ${SINKING}`],
  ["Queequeg", "holds", "Sea-coffin", "5 October, 1841 – 30 November, 1841"],
  ["Pequod", "bears at her stern", "Sea-coffin", `1 December, 1841 – ${SINKING}`],
  ["Ishmael", "floats on", "Sea-coffin", "17 December, 1841 – 18 December, 1841"],
  ["Queequeg", "friend of", "Ishmael", "12 December, 1840 –"],
];

/** Subjects that not everybody knows of. Their relations are hidden with them. */
export const HIDDEN = [
  ["Fedallah", "Ahab", "Stowaways", "Crew of the Pequod@chapter 48", "Reader@chapter 48"],
  ["Stowaways", "Ahab", "Fedallah", "Crew of the Pequod@chapter 48", "Reader@chapter 48"],
];

/** The days of some chapters; those between two of them are spread over the days between. */
export const DAYS = new Map([
  [1, "1840-12-12"],
  [6, "1840-12-13"],
  [13, "1840-12-14"],
  [16, "1840-12-15"],
  [21, "1840-12-25"],
  [23, "1840-12-26"],
  [28, "1841-01-08"],
  [36, "1841-02-01"],
  [40, "1841-02-01"],
  [48, "1841-03-01"],
  [52, "1841-05-01"],
  [71, "1841-06-15"],
  [81, "1841-07-10"],
  [93, "1841-08-20"],
  [100, "1841-09-15"],
  [110, "1841-10-05"],
  [113, "1841-10-25"],
  [117, "1841-11-03"],
  [118, "1841-11-18"],
  [119, "1841-11-20"],
  [123, "1841-11-21"],
  [126, "1841-12-01"],
  [128, "1841-12-03"],
  [132, "1841-12-14"],
  [133, "1841-12-15"],
  [134, "1841-12-16"],
  [135, "1841-12-17"],
]);

/** The story of the Town-Ho is told in chapter 54 and happened before the voyage. */
export const FLASHBACKS = new Map([[54, "June, 1839"]]);

/** The lives of subjects that end. */
export const LIVES = [
  ["Ahab", `1783 – ${SINKING}`],
  ["Fedallah", "– 16 December, 1841"],
  ["Starbuck", `1811 – ${SINKING}`],
  ["Radney", "– 20 June, 1839"],
  ["Pequod", `– ${SINKING}`],
];

/** Category, key, value, dates. */
export const FACTS = [
  ["Ahab", "leg", "his own", "– 1839"],
  ["Ahab", "leg", "jaw of a sperm whale", "1840 – 30 September, 1841"],
  ["Ahab", "leg", "ivory of the carpenter", "1 October, 1841 – 15 December, 1841"],
  ["Ahab", "leg", "keel of a wrecked boat", `16 December, 1841 – ${SINKING}`],
  ["Sea-coffin", "use", "coffin", "5 October, 1841 – 10 October, 1841"],
  ["Sea-coffin", "use", "sea chest", "11 October, 1841 – 30 November, 1841"],
  ["Sea-coffin", "use", "life-buoy", "1 December, 1841 –"],
  ["Queequeg", "lay", "ninetieth", ""],
  ["Ishmael", "lay", "three hundredth", ""],
  ["Pequod", "boats", "4", ""],
  ["Rachel", "boats", "4", ""],
  ["Starbuck", "age", "30", ""],
];
