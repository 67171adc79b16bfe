import { activity } from "./fr/activity";
import { appearance } from "./fr/appearance";
import { channels } from "./fr/channels";
import { common } from "./fr/common";
import { control } from "./fr/control";
import { conversations } from "./fr/conversations";
import { desktop } from "./fr/desktop";
import { drift } from "./fr/drift";
import { fact } from "./fr/fact";
import { graph } from "./fr/graph";
import { lens } from "./fr/lens";
import { links } from "./fr/links";
import { memory } from "./fr/memory";
import { named } from "./fr/named";
import { orientation } from "./fr/orientation";
import { palette } from "./fr/palette";
import { reading } from "./fr/reading";
import { recall } from "./fr/recall";
import { savedSearch } from "./fr/savedSearch";
import { settings } from "./fr/settings";
import { shortcuts } from "./fr/shortcuts";
import { source } from "./fr/source";
import { telemetry } from "./fr/telemetry";
import { timeline } from "./fr/timeline";
import { tour } from "./fr/tour";
import { transfer } from "./fr/transfer";
import { vault } from "./fr/vault";
import { world } from "./fr/world";
import type { Messages } from "./messages";

/** The French catalogue. It is loaded only where it is spoken. */
export const french: Messages = {
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
