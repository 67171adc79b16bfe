import { toast } from "sonner";
import { dropOwnSwitches } from "../components/ownSwitch";
import { endTour } from "../components/tour";
import { dropUnsaid } from "../features/conversations/drafts";
import { dropAllDrafts } from "../features/memory/drafts";
import { dropAllUnsaved } from "../features/named/drafts";

/** What a window that was closed leaves behind in the modules and the storage of its page: the next one there begins without it. */
export function dropLeftovers(): void {
  toast.dismiss();
  dropAllDrafts();
  dropAllUnsaved();
  dropUnsaid();
  endTour();
  dropOwnSwitches();
  localStorage.clear();
  window.getSelection()?.removeAllRanges();
}
