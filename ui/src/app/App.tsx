import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { ActionsProvider } from "../components/actions";
import { TooltipProvider } from "../components/Tooltip";
import { type Catalogue, I18nProvider } from "../i18n/i18n";
import type { AppRouter } from "./router";

/** The core is a function call away and says what changed: nothing is fetched on a timer or twice on failure. */
function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

export function App({ catalogue, router }: { catalogue?: Catalogue; router: AppRouter }) {
  const [client] = useState(createClient);
  return (
    <I18nProvider catalogue={catalogue}>
      <QueryClientProvider client={client}>
        <ActionsProvider>
          <TooltipProvider delay={500}>
            <RouterProvider router={router} />
          </TooltipProvider>
        </ActionsProvider>
      </QueryClientProvider>
    </I18nProvider>
  );
}
