import { activity } from "./en/activity";
import { appearance } from "./en/appearance";
import { channels } from "./en/channels";
import { common } from "./en/common";
import { control } from "./en/control";
import { conversations } from "./en/conversations";
import { desktop } from "./en/desktop";
import { drift } from "./en/drift";
import { fact } from "./en/fact";
import { graph } from "./en/graph";
import { lens } from "./en/lens";
import { links } from "./en/links";
import { memory } from "./en/memory";
import { named } from "./en/named";
import { orientation } from "./en/orientation";
import { palette } from "./en/palette";
import { reading } from "./en/reading";
import { recall } from "./en/recall";
import { savedSearch } from "./en/savedSearch";
import { settings } from "./en/settings";
import { shortcuts } from "./en/shortcuts";
import { source } from "./en/source";
import { telemetry } from "./en/telemetry";
import { timeline } from "./en/timeline";
import { tour } from "./en/tour";
import { transfer } from "./en/transfer";
import { vault } from "./en/vault";
import { world } from "./en/world";

/** The English catalogue, ICU message syntax. Keys are `area.thing`. */
export const messages = {
  ...common,
  ...memory,
  ...conversations,
  ...fact,
  ...source,
  ...orientation,
  ...recall,
  ...drift,
  ...channels,
  ...named,
  ...activity,
  ...settings,
  ...appearance,
  ...control,
  ...desktop,
  ...transfer,
  ...world,
  ...timeline,
  ...telemetry,
  ...lens,
  ...graph,
  ...vault,
  ...palette,
  ...links,
  ...savedSearch,
  ...shortcuts,
  ...tour,
  ...reading,
};

export type MessageKey = keyof typeof messages;
/** The texts of one language. A translation that lacks a message, or has one too many, does not compile. */
export type Messages = Record<MessageKey, string>;
