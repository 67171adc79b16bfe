import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
  useRouterState,
} from "@tanstack/react-router";
import { activityView } from "../features/activity/view";
import { controlView } from "../features/control/view";
import { conversationsView } from "../features/conversations/view";
import { MemoryPage } from "../features/memory/MemoryPage";
import { readingView } from "../features/memory/reading/view";
import { memoryView } from "../features/memory/view";
import { namedView } from "../features/named/view";
import { worldView } from "../features/named/world/view";
import { settingsView } from "../features/settings/view";
import { timelineView } from "../features/timeline/view";
import { pagesView } from "../features/vault/view";
import { Broken } from "./Broken";
import { CaptureFrame } from "./CaptureFrame";
import { Frame } from "./Frame";

/** The quick capture is a small window of its own, without rail and palette. */
const CAPTURE = "/capture";

function Root() {
  const isCapture = useRouterState({ select: (state) => state.location.pathname === CAPTURE });
  return isCapture ? <CaptureFrame /> : <Frame />;
}

const root = createRootRoute({ component: Root, errorComponent: Broken });

const index = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/memory", search: {} });
  },
});

const memory = createRoute({
  getParentRoute: () => root,
  path: "/memory",
  validateSearch: memoryView,
  component: MemoryPage,
});

const reading = createRoute({
  getParentRoute: () => root,
  path: "/memory/read",
  validateSearch: readingView,
  component: lazyRouteComponent(() => import("../features/memory/reading/ReadingPage"), "ReadingPage"),
});

const conversations = createRoute({
  getParentRoute: () => root,
  path: "/conversations",
  validateSearch: conversationsView,
  component: lazyRouteComponent(
    () => import("../features/conversations/ConversationsPage"),
    "ConversationsPage",
  ),
});

/** The page above shows it; going from one conversation to the next leaves the list where it is. */
const conversation = createRoute({ getParentRoute: () => conversations, path: "$ref" });

const channels = createRoute({
  getParentRoute: () => root,
  path: "/channels",
  component: lazyRouteComponent(() => import("../features/channels/ChannelsPage"), "ChannelsPage"),
});

const named = createRoute({
  getParentRoute: () => root,
  path: "/named",
  validateSearch: namedView,
  component: lazyRouteComponent(() => import("../features/named/NamedPage"), "NamedPage"),
});

const world = createRoute({
  getParentRoute: () => root,
  path: "/world",
  validateSearch: worldView,
  component: lazyRouteComponent(() => import("../features/named/world/WorldPage"), "WorldPage"),
});

const pages = createRoute({
  getParentRoute: () => root,
  path: "/pages",
  validateSearch: pagesView,
  component: lazyRouteComponent(() => import("../features/vault/PagesPage"), "PagesPage"),
});

const timeline = createRoute({
  getParentRoute: () => root,
  path: "/timeline",
  validateSearch: timelineView,
  component: lazyRouteComponent(() => import("../features/timeline/TimelinePage"), "TimelinePage"),
});

const activity = createRoute({
  getParentRoute: () => root,
  path: "/activity",
  validateSearch: activityView,
  component: lazyRouteComponent(() => import("../features/activity/ActivityPage"), "ActivityPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: settingsView,
  component: lazyRouteComponent(() => import("../features/settings/SettingsPage"), "SettingsPage"),
});

/** Out of the way: reached from Settings and the command palette, not from the rail. */
const control = createRoute({
  getParentRoute: () => root,
  path: "/control",
  validateSearch: controlView,
  component: lazyRouteComponent(() => import("../features/control/ControlPage"), "ControlPage"),
});

const capture = createRoute({
  getParentRoute: () => root,
  path: CAPTURE,
  component: lazyRouteComponent(() => import("../features/memory/capture/CapturePage"), "CapturePage"),
});

/** Hash history: the page is one file, whatever scheme it is served under. */
export function createAppRouter(history: RouterHistory = createHashHistory()) {
  return createRouter({
    routeTree: root.addChildren([
      index,
      memory,
      reading,
      conversations.addChildren([conversation]),
      channels,
      named,
      world,
      pages,
      timeline,
      activity,
      settings,
      control,
      capture,
    ]),
    history,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: () => null,
    // A click should not fetch twice, nor a hover at all.
    defaultPreload: false,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
