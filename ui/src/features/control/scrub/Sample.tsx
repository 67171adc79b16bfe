import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MemoryLink } from "../../../components/MemoryLink";
import { detailQuery } from "../../../ipc/queries";

/** A memory by its first words; by its id while they are not known. */
export function Sample({ id }: { id: string }) {
  const { data } = useQuery(detailQuery(id));
  if (data) return <MemoryLink row={data.row} />;
  return (
    <Link
      to="/memory"
      search={{ id }}
      className="inline-flex min-h-6 items-center rounded-sm font-mono text-meta text-ink-2 hover:text-accent"
    >
      {id}
    </Link>
  );
}
