import { activity } from "./de/activity";
import { appearance } from "./de/appearance";
import { channels } from "./de/channels";
import { common } from "./de/common";
import { control } from "./de/control";
import { conversations } from "./de/conversations";
import { desktop } from "./de/desktop";
import { drift } from "./de/drift";
import { fact } from "./de/fact";
import { graph } from "./de/graph";
import { lens } from "./de/lens";
import { links } from "./de/links";
import { memory } from "./de/memory";
import { named } from "./de/named";
import { orientation } from "./de/orientation";
import { palette } from "./de/palette";
import { reading } from "./de/reading";
import { recall } from "./de/recall";
import { savedSearch } from "./de/savedSearch";
import { settings } from "./de/settings";
import { shortcuts } from "./de/shortcuts";
import { source } from "./de/source";
import { telemetry } from "./de/telemetry";
import { timeline } from "./de/timeline";
import { tour } from "./de/tour";
import { transfer } from "./de/transfer";
import { vault } from "./de/vault";
import { world } from "./de/world";
import type { Messages } from "./messages";

/** The German catalogue. It is loaded only where it is spoken. */
export const german: Messages = {
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
