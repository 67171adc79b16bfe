import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { settingsQuery } from "../ipc/queries";
import { applyTheme } from "../theme/theme";
import { useChanges } from "./useChanges";

/** What is always there in the window of the quick capture: nothing but its page. */
export function CaptureFrame() {
  useChanges();
  const theme = useQuery(settingsQuery).data?.theme;
  useEffect(() => {
    if (theme) applyTheme(theme);
  }, [theme]);
  return <Outlet />;
}
