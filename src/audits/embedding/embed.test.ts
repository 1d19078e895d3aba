/** Components against NumPy (test/references/pca.py), silhouettes and neighbours by hand, and whole embeddings. */

import { describe, expect, test } from "vitest";
import { storedReference } from "../../../test/helpers/reference.ts";
import { randomStream } from "../../core/random.ts";
import { symmetricEigen } from "../../core/symmetric-eigen.ts";
import { type EmbedOptions, embedFeatures } from "./embed.ts";
import { agreement, nearestPoints } from "./neighbours.ts";
import { principalComponents, project } from "./pca.ts";
import { silhouettes } from "./silhouette.ts";

interface PcaCase {
  count: number;
  width: number;
  rows: number[];
  axes: number[];
  variances: number[];
  totalVariance: number;
  projected: number[];
}

const cases = storedReference<PcaCase[]>("pca");

const rowsOf = (values: readonly number[], width: number) => ({
  values: Float64Array.from(values),
  count: values.length / width,
  width,
});

const close = (found: ArrayLike<number>, expected: readonly number[], tolerance: number) => {
  expect(found.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(tolerance);
};

describe("principal components", () => {
  test.each(cases)("NumPy's of $count rows of $width", (expected) => {
    const rows = rowsOf(expected.rows, expected.width);
    const found = principalComponents(rows, 3, randomStream(0, "test").at(0));
    // Eigenvalues stand still to 1e-10 when it stops, and the last step has bettered the vectors since.
    close(found.variances, expected.variances, 1e-12);
    close(found.axes, expected.axes, 1e-6);
    close(project(rows, found).values, expected.projected, 1e-6);
    expect(found.totalVariance).toBeCloseTo(expected.totalVariance, 12);
  });

  test("no more components than there are directions", () => {
    const line = rowsOf([0, 0, 1, 2, 2, 4, 3, 6], 2);
    const found = principalComponents(line, 2, randomStream(0, "test").at(0));
    expect(found.kept).toBe(1);
    close(found.axes, [1 / Math.sqrt(5), 2 / Math.sqrt(5)], 1e-9);
    // Of 0, √5, 2√5, 3√5.
    expect(found.variances[0]).toBeCloseTo((5 * 5) / 3, 10);
  });

  test.each([5, 20, 31])("of dead and repeated features, %i directions are counted once", (rank) => {
    const [count, width] = [100, 64];
    const random = randomStream(rank, "dead features").at(0);
    const latent = Float64Array.from({ length: count * rank }, () => random.normal());
    const mixing = Float64Array.from({ length: rank * width }, () => random.normal());
    // Every fourth is always 0, as a unit that never fires.
    const values = Float64Array.from({ length: count * width }, (_, at) => {
      const [i, j] = [Math.floor(at / width), at % width];
      let sum = 0;
      for (let k = 0; k < rank; k++) sum += latent[i * rank + k]! * mixing[k * width + j]!;
      return j % 4 === 0 ? 0 : sum;
    });
    const found = principalComponents({ values, count, width }, 50, random);
    expect(found.kept).toBe(rank);
    const held = found.variances.reduce((sum, variance) => sum + variance, 0);
    expect(held / found.totalVariance).toBeCloseTo(1, 9);
    for (let a = 0; a < rank; a++) {
      for (let b = 0; b < a; b++) {
        let product = 0;
        for (let j = 0; j < width; j++) product += found.axes[a * width + j]! * found.axes[b * width + j]!;
        expect(Math.abs(product)).toBeLessThan(1e-6);
      }
    }
  });

  test("eigenvectors of [[2, 1], [1, 2]] by hand", () => {
    const { values, vectors } = symmetricEigen([2, 1, 1, 2], 2);
    close(values, [3, 1], 1e-14);
    close(vectors.map(Math.abs), [Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2], 1e-14);
    expect(vectors[0]! * vectors[2]! + vectors[1]! * vectors[3]!).toBeCloseTo(0, 14);
  });
});

describe("silhouettes, by hand", () => {
  const points = rowsOf([0, 1, 10, 12], 1);

  test("two pairs: 10/11, 9/10, 7.5/9.5 and 9.5/11.5", () => {
    const [value] = silhouettes(points, [[0, 0, 1, 1]]);
    expect(value).toBeCloseTo((10 / 11 + 9 / 10 + 7.5 / 9.5 + 9.5 / 11.5) / 4, 12);
  });

  test("crossed pairs: 0 with 10 and 1 with 12 are worse than with the others", () => {
    // 0: a 10, b 6.5; 1: a 11, b 5; 10: a 10, b 5.5; 12: a 11, b 7.
    const [value] = silhouettes(points, [[0, 1, 0, 1]]);
    expect(value).toBeCloseTo((-3.5 / 10 - 6 / 11 - 4.5 / 10 - 4 / 11) / 4, 12);
  });

  test("a point alone counts 0; the nearest other kind counts; labels may have gaps; one kind has none", () => {
    // 0: a 1, b min(10, 12); 1: a 1, b min(9, 11); 10 and 12 are alone.
    const [alone, one] = silhouettes(points, [
      [0, 0, 2, 5],
      [3, 3, 3, 3],
    ]);
    expect(alone).toBeCloseTo((9 / 10 + 8 / 9) / 4, 12);
    expect(one).toBeNull();
  });
});

test("neighbours and their agreement, by hand", () => {
  const near = nearestPoints(rowsOf([0.4, 9], 1), rowsOf([0, 1, 5, 10, 11], 1), 2);
  expect(near.map((indices) => [...indices])).toEqual([
    [0, 1],
    [3, 4],
  ]);
  const { share, chance, interval } = agreement(near, [7, 8], [7, 8, 7, 8, 8]);
  // One of two, and two of two; by chance 2/5 and 3/5.
  expect(share).toBe(0.75);
  expect(chance).toBe(0.5);
  // s = √0.125 / √2 = 0.25: 0.75 ± 0.49, cut at 1.
  expect(interval.low).toBeCloseTo(0.75 - 1.96 * 0.25, 3);
  expect(interval.high).toBe(1);
});

/** Features that show the cue ten times as clearly as the class; the cue follows the class in ID, and not in OOD. */
function madeUp(perPart: number): EmbedOptions {
  const random = randomStream(0, "test").at(0);
  const width = 6;
  const [classes, cues, features] = [[] as number[], [] as number[], [] as number[]];
  for (let i = 0; i < 2 * perPart; i++) {
    const label = random.integer(2);
    const cue = random.boolean(i < perPart ? 0.9 : 0.1) ? label : 1 - label;
    classes.push(label);
    cues.push(cue);
    features.push(10 * cue + random.normal(), label + random.normal());
    for (let j = 2; j < width; j++) features.push(random.normal());
  }
  const indices = Uint32Array.from({ length: 2 * perPart }, (_, i) => i);
  return {
    features: Float32Array.from(features),
    width,
    id: indices.subarray(0, perPart),
    ood: indices.subarray(perPart),
    classes: { name: "class", valueNames: ["a", "b"], values: classes },
    cues: [{ name: "cue", valueNames: ["x", "y"], values: cues }],
    points: 60,
    components: 4,
    neighbours: 5,
    minDist: 0.1,
    standardise: false,
    seed: 0,
    umap: true,
  };
}

describe("embedding", () => {
  test("features made of a cue: both numbers say cue, and say so again", async () => {
    const options = madeUp(100);
    const report = await embedFeatures(options);
    const [label, cue] = report.labels;
    expect(report.points).toEqual({ id: 60, ood: 60 });
    expect(report.id.picture.length).toBe(60);
    expect(cue!.silhouette.ood.components).toBeGreaterThan(0.5);
    expect(cue!.silhouette.id.picture).toBeGreaterThan(label!.silhouette.id.picture!);
    expect(cue!.agreement.share).toBeGreaterThan(0.98);
    // OOD images lie among ID images of the other class.
    expect(label!.agreement.share).toBeLessThan(0.35);
    expect(await embedFeatures(options)).toEqual(report);
    const other = await embedFeatures({ ...options, seed: 1, umap: false });
    expect(other.id.indices).not.toEqual(report.id.indices);
  });

  test("without a picture the other numbers are the same", async () => {
    const options = { ...madeUp(40), points: 40 };
    const report = await embedFeatures({ ...options, umap: false });
    const full = await embedFeatures(options);
    expect(report.id.picture).toEqual([]);
    expect(report.labels[0]!.silhouette.id.picture).toBeNull();
    expect(report.labels[1]!.agreement).toEqual(full.labels[1]!.agreement);
    expect(report.labels[1]!.silhouette.id.components).toBe(full.labels[1]!.silhouette.id.components);
  });

  test("standardised, a feature of another unit does not matter more", async () => {
    const options = { ...madeUp(100), umap: false };
    const inThousands = options.features.map((value, i) => (i % options.width === 3 ? 1000 * value : value));
    const report = await embedFeatures({ ...options, standardise: true });
    const scaled = await embedFeatures({ ...options, standardise: true, features: inThousands });
    // Features are float32.
    expect(scaled.labels[1]!.silhouette.id.components).toBeCloseTo(
      report.labels[1]!.silhouette.id.components!,
      5,
    );
    const plain = await embedFeatures({ ...options, features: inThousands });
    expect(plain.labels[1]!.silhouette.id.components).toBeLessThan(0.1);
  });

  test("too few images are refused", async () => {
    const options = madeUp(40);
    await expect(embedFeatures({ ...options, id: options.id.subarray(0, 5) })).rejects.toThrow(
      /too few in-dist/,
    );
    await expect(embedFeatures({ ...options, ood: options.ood.subarray(0, 0) })).rejects.toThrow(
      /out-of-dist/,
    );
  });
});
