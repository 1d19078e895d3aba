/** A plugin's code among the sources of what its datasets make: other code, other data. */

import type { Dataset } from "../core/dataset.ts";
import type { PluginCode } from "./plugin-code.ts";

interface Builder {
  readonly name: string;
  build?(settings: never, seed: number): Promise<Dataset>;
}

export function withPluginSource(definition: Builder, { digest }: PluginCode): Builder {
  const source = { name: "code of a plugin", license: "its author's", sha256: { plugin: digest } };
  return {
    ...definition,
    build: async (settings, seed) => {
      const dataset = await definition.build!(settings, seed);
      const { provenance } = dataset;
      return { ...dataset, provenance: { ...provenance, sources: [...provenance.sources, source] } };
    },
  };
}
