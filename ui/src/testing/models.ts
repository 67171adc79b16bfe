import type { ModelView } from "../ipc/bindings.gen";

/** Every model on offer, the first of them in use or not. */
export function modelsOf(active: boolean): ModelView[] {
  return [
    {
      id: "all-MiniLM-L6-v2",
      name: "MiniLM",
      dimension: 384,
      sizeMb: 90,
      license: "Apache-2.0",
      languages: "English",
      bundled: true,
      installed: true,
      active,
      description: "Small and quick. A good start, and always there.",
    },
    {
      id: "NomicEmbedTextV15Q",
      name: "Nomic Embed",
      dimension: 768,
      sizeMb: 130,
      license: "Apache-2.0",
      languages: "English",
      bundled: false,
      installed: false,
      active: false,
      description: "Finer sense of meaning. The recommended step up.",
    },
    {
      id: "EmbeddingGemma300MQ4",
      name: "Embedding Gemma",
      dimension: 768,
      sizeMb: 197,
      license: "Gemma",
      languages: "100+ languages",
      bundled: false,
      installed: false,
      active: false,
      description: "For worlds written in several languages.",
    },
  ];
}
