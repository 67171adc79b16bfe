import { toast } from "sonner";
import { dropAllDrafts } from "../components/draftStore";
import { dropOwnSwitches } from "../components/ownSwitch";
import { endTour } from "../components/tour";

/** What a window that was closed leaves behind in the modules and the storage of its page: the next one there begins without it. */
export function dropLeftovers(): void {
  toast.dismiss();
  dropAllDrafts();
  endTour();
  dropOwnSwitches();
  localStorage.clear();
  window.getSelection()?.removeAllRanges();
}
