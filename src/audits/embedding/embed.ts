/**
 * Features in two dimensions: principal components and UMAP, both fitted to in-distribution points and applied to
 * out-of-distribution ones (figure 5 of Salaudeen et al. 2025), with numbers for what the eye sees.
 */

import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import { type Agreement, agreement, nearestPoints } from "./neighbours.ts";
import { type FeatureMatrix, principalComponents, project } from "./pca.ts";
import { silhouettes } from "./silhouette.ts";

/** A named column of labels: the class, or a cue. */
export interface EmbedLabels {
  name: string;
  valueNames: readonly string[];
  /** One a row of all features. */
  values: ArrayLike<number>;
}

export interface EmbedOptions {
  /** [images, width], row by row. */
  features: Float32Array;
  width: number;
  /** Rows of either part. */
  id: Uint32Array;
  ood: Uint32Array;
  classes: EmbedLabels;
  cues: readonly EmbedLabels[];
  /** At most so many points of either part. */
  points: number;
  components: number;
  /** Of UMAP, and of the agreement. */
  neighbours: number;
  minDist: number;
  /** Features brought to mean 0 and deviation 1 over the in-distribution points first. */
  standardise: boolean;
  seed: number;
  /** False stops at the components: no picture, all numbers but those of the picture. */
  umap: boolean;
}

/** Silhouettes of one part, in the components and in the picture. */
interface Clustering {
  components: number | null;
  picture: number | null;
}

interface LabelReport {
  name: string;
  silhouette: { id: Clustering; ood: Clustering };
  /** Of OOD points with their nearest ID points, in the components. */
  agreement: Agreement;
}

export interface EmbeddedPart {
  /** Rows of all features. */
  indices: number[];
  /** UMAP's, [points][2]; empty without it. */
  picture: number[][];
}

export interface EmbedReport {
  points: { id: number; ood: number };
  components: { kept: number; explained: number };
  /** First the class, then every cue. */
  labels: LabelReport[];
  id: EmbeddedPart;
  ood: EmbeddedPart;
}

export async function embedFeatures(options: EmbedOptions): Promise<EmbedReport> {
  const { seed, neighbours, classes, cues } = options;
  const indices = { id: chosen(options, "id"), ood: chosen(options, "ood") };
  const parts = standardised(
    { id: rowsOf(options, indices.id), ood: rowsOf(options, indices.ood) },
    options.standardise,
  );
  const found = principalComponents(parts.id, options.components, randomStream(seed, "embed/pca").at(0));
  const id = project(parts.id, found);
  const ood = project(parts.ood, found);
  const pictures = options.umap ? await pictured(id, ood, options) : undefined;
  const near = nearestPoints(ood, id, neighbours);
  const columns = [classes, ...cues];
  const measured = {
    id: clusterings(id, pictures?.id, columns, indices.id),
    ood: clusterings(ood, pictures?.ood, columns, indices.ood),
  };
  return {
    points: { id: id.count, ood: ood.count },
    components: {
      kept: found.kept,
      explained: found.variances.reduce((a, b) => a + b, 0) / found.totalVariance,
    },
    labels: columns.map((column, c) => ({
      name: column.name,
      silhouette: { id: measured.id[c]!, ood: measured.ood[c]! },
      agreement: agreement(near, labelsOf(column, indices.ood), labelsOf(column, indices.id)),
    })),
    id: { indices: [...indices.id], picture: pictures?.id ?? [] },
    ood: { indices: [...indices.ood], picture: pictures?.ood ?? [] },
  };
}

/** At most `points` of a part, drawn at random, in their order. */
function chosen(options: EmbedOptions, part: "id" | "ood"): Uint32Array {
  const all = options[part];
  const fewest = part === "id" ? options.neighbours + 1 : 1;
  if (all.length < fewest) {
    throw new CuelabError({
      kind: "input",
      what: `too few ${part === "id" ? "in" : "out-of"}-distribution images`,
      expected: `${fewest} or more`,
      got: String(all.length),
    });
  }
  if (all.length <= options.points) return all;
  const order = randomStream(options.seed, `embed/${part}`).at(0).permutation(all.length);
  return order
    .subarray(0, options.points)
    .sort()
    .map((i) => all[i]!);
}

function rowsOf({ features, width }: EmbedOptions, indices: Uint32Array): FeatureMatrix {
  const values = new Float64Array(indices.length * width);
  for (const [i, index] of indices.entries())
    values.set(features.subarray(index * width, (index + 1) * width), i * width);
  return { values, count: indices.length, width };
}

/** By the in-distribution points; a feature that does not vary there is left as it is. */
function standardised(
  parts: { id: FeatureMatrix; ood: FeatureMatrix },
  wanted: boolean,
): { id: FeatureMatrix; ood: FeatureMatrix } {
  if (!wanted) return parts;
  const { values, count, width } = parts.id;
  const scale = Array.from({ length: width }, (_, j) => {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < count; i++) sum += values[i * width + j]!;
    const mean = sum / count;
    for (let i = 0; i < count; i++) squares += (values[i * width + j]! - mean) ** 2;
    return { mean, deviation: Math.sqrt(squares / count) || 1 };
  });
  const scaled = (rows: FeatureMatrix): FeatureMatrix => ({
    ...rows,
    values: rows.values.map((value, i) => {
      const { mean, deviation } = scale[i % width]!;
      return (value - mean) / deviation;
    }),
  });
  return { id: scaled(parts.id), ood: scaled(parts.ood) };
}

async function pictured(id: FeatureMatrix, ood: FeatureMatrix, { neighbours, minDist, seed }: EmbedOptions) {
  const { UMAP } = await import("umap-js");
  const random = randomStream(seed, "embed/umap").at(0);
  const umap = new UMAP({ nComponents: 2, nNeighbors: neighbours, minDist, random: () => random.uniform() });
  return { id: umap.fit(nested(id)), ood: umap.transform(nested(ood)) };
}

function nested({ values, count, width }: FeatureMatrix): number[][] {
  return Array.from({ length: count }, (_, i) => [...values.subarray(i * width, (i + 1) * width)]);
}

function clusterings(
  points: FeatureMatrix,
  picture: number[][] | undefined,
  columns: readonly EmbedLabels[],
  indices: Uint32Array,
): Clustering[] {
  const labels = columns.map((column) => labelsOf(column, indices));
  const inComponents = silhouettes(points, labels);
  const inPicture =
    picture === undefined
      ? labels.map(() => null)
      : silhouettes({ values: Float64Array.from(picture.flat()), count: picture.length, width: 2 }, labels);
  return labels.map((_, c) => ({ components: inComponents[c]!, picture: inPicture[c]! }));
}

function labelsOf({ values }: EmbedLabels, indices: Uint32Array): Uint32Array {
  return indices.map((index) => values[index]!);
}
