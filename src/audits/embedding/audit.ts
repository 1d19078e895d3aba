/** The audit of features: do they cluster by class, or by a cue? */

import { z } from "zod";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { defineAudit } from "../audit.ts";
import { type EmbedLabels, type EmbedReport, embedFeatures } from "./embed.ts";
import { embeddingInShort } from "./in-short.ts";
import { showEmbedding } from "./show.ts";

export interface EmbeddingAnswer {
  /** What was looked at, and which parts of it. */
  features: string;
  idPart: string;
  oodPart: string;
  neighbours: number;
  report: EmbedReport;
  /** Class and cues of every row, for those who draw them. */
  labels: readonly EmbedLabels[];
}

export const embeddingAudit = defineAudit({
  name: "embedding",
  title: "What do a network's features cluster by: class or cue?",
  description:
    "silhouettes and nearest neighbours by class and by each cue, at home and abroad, with a picture",
  paper: "Salaudeen et al. 2025, figure 5",
  of: "features",
  question: z.strictObject({
    id: z.string().optional().describe("in-distribution images: a split, or attribute=value; val, or train"),
    ood: z.string().default("test").describe("out-of-distribution images, likewise"),
    cues: z.array(z.string()).optional().describe("attributes to compare with the class; all cues"),
    points: z.number().int().min(2).max(1e5).default(1500).describe("images of either part at most"),
    components: z.number().int().min(2).max(4096).default(50).describe("principal components to keep"),
    neighbours: z.number().int().min(2).max(1000).default(15).describe("of UMAP, and of the agreement"),
    minDist: z.number().default(0.1).describe("of UMAP: how close points may lie"),
    standardise: z
      .boolean()
      .default(false)
      .describe("features to mean 0 and deviation 1 over ID images first"),
    umap: z.boolean().default(true).describe("false: numbers only, in a fraction of the time"),
    seed: z.number().int().min(0).default(0).describe("same seed, same picture"),
  }),
  ask: async ({ id, ood, cues, ...options }, { title, dataset, features, width }) => {
    const idPart = id ?? (indicesOf(dataset, "val").length > 0 ? "val" : "train");
    const [classes, ...others] = [classLabels(dataset), ...cueLabels(dataset, cues)] as const;
    const report = await embedFeatures({
      ...options,
      features,
      width,
      id: indicesOf(dataset, idPart),
      ood: indicesOf(dataset, ood),
      classes,
      cues: others,
    });
    const { neighbours } = options;
    return { features: title, idPart, oodPart: ood, neighbours, report, labels: [classes, ...others] };
  },
  inShort: embeddingInShort,
  show: showEmbedding,
  data: ({ features, idPart, oodPart, report }: EmbeddingAnswer) => ({
    features,
    idPart,
    oodPart,
    ...report,
  }),
});

/** A split by its name, or the images with a value of an attribute. */
function indicesOf({ splits, attributes, images }: Dataset, part: string): Uint32Array {
  const all = Uint32Array.from({ length: images.count }, (_, i) => i);
  const split = splits.names.indexOf(part);
  if (split >= 0) return all.filter((i) => splits.values[i] === split);
  if (part === "val" || part === "train") return all.subarray(0, 0);
  const [name = "", value = ""] = part.split(/=(.*)/s);
  const attribute = attributes[name];
  const code = attribute?.valueNames.indexOf(value) ?? -1;
  if (attribute !== undefined && code >= 0) return all.filter((i) => attribute.values[i] === code);
  const known = Object.entries(attributes).map(([key, { valueNames }]) => `${key}=${valueNames[0]}`);
  throw new CuelabError({
    kind: "usage",
    what: `no part of the images is called "${part}"`,
    expected: `a split (${splits.names.join(", ")}) or an attribute's value, such as ${known.join(", ")}`,
  });
}

function classLabels({ labels, classNames }: Dataset): EmbedLabels {
  return { name: "class", valueNames: classNames, values: labels };
}

function cueLabels({ attributes }: Dataset, wanted: readonly string[] | undefined): EmbedLabels[] {
  const names = wanted ?? Object.keys(attributes).filter((name) => attributes[name]!.role === "cue");
  return names.map((name) => {
    const attribute = attributes[name];
    if (attribute) return { name, valueNames: attribute.valueNames, values: attribute.values };
    throw new CuelabError({
      kind: "usage",
      what: `the images have no attribute "${name}"`,
      expected: `one of: ${Object.keys(attributes).join(", ")}`,
    });
  });
}
