import { useRouter } from "@tanstack/react-router";
import { Failed } from "../components/States";

/** The last resort: a fault of the window itself. */
export function Broken({ error }: { error: unknown }) {
  const router = useRouter();
  return <Failed page error={error} onRetry={() => void router.invalidate()} />;
}
