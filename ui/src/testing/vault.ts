import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VaultView } from "../ipc/bindings.gen";
import { until } from "./fixtures/folders";
import type { Core, Home } from "./serve";

const PAGES: Record<string, string> = {
  "Saltmere.md": `---
type: place
status: draft
aliases: [The Salt Town]
tags: [coast, guild]
---

# Saltmere

A harbour town below the [[Weir Tower|tower]] of the weir. Its chart is ![[chart.png]], its mayor [[Nobody Yet]].

## History

The town was drowned twice. \`[[Weir Tower]]\` is only how a link is written.

## Trade

Salt goes up the river, and lanterns come down. See [[Lanterns#Oil]].
`,
  "places/Weir Tower.md": "---\ntype: place\n---\nThe tower counts the tides for [[saltmere]].\n",
  "Lanterns.md":
    "# Lanterns\n\n## Oil\n\nThey burn the oil of the grey heron fish.\n\n## Glass\n\nGreen, always.\n",
};

/** Writes a small vault beside the data folder and gives its path. */
export function vaultFolder(home: Pick<Home, "path">, more: Record<string, string> = {}): string {
  const folder = join(home.path, "Drowned Notes");
  mkdirSync(join(folder, "places"), { recursive: true });
  for (const [name, text] of Object.entries({ ...PAGES, ...more })) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "chart.png"), "picture");
  writeFileSync(join(folder, "Lanterns (conflicted copy 2026-01-01).md"), "An older text.");
  return folder;
}

/** Links a vault. A running core indexes it by itself. */
export async function linkVault(core: Core, folder: string): Promise<VaultView> {
  const { id } = await core.call<VaultView>("link_vault", { folder });
  let found: VaultView | undefined;
  await until("the vault to be scanned", async () => {
    found = (await core.call<VaultView[]>("list_vaults")).find((it) => it.id === id);
    return found?.scannedAt != null;
  });
  if (!found) throw new Error("the vault is linked");
  return found;
}
