import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { ActionsProvider } from "../components/actions";
import { TooltipProvider } from "../components/Tooltip";
import { type Catalogue, I18nProvider } from "../i18n/i18n";
import { createQueryClient } from "../ipc/queryClient";
import { useDocumentPreferences } from "../preferences/useDocumentPreferences";
import type { AppRouter } from "./router";

export function App({ catalogue, router }: { catalogue?: Catalogue; router: AppRouter }) {
  useDocumentPreferences();
  const [client] = useState(createQueryClient);
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
