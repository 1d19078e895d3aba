/** Intervals of clusters against NumPy (test/references/line_clusters.py), and what they change in reports. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { storedReference } from "../../../test/helpers/reference.ts";
import { auditLine } from "./audit-line.ts";
import { fitScaled } from "./fit.ts";

interface Reference {
  resamples: number;
  cases: {
    name: string;
    clusters: number[];
    x: number[];
    y: number[];
    weights: number[] | null;
    count: number;
    /** Between which 20,000 resamples may find it. */
    rLow: [number, number];
    rHigh: [number, number];
  }[];
}

const { resamples, cases } = storedReference<Reference>("line_clusters");

describe.each(cases)("$name", (expected) => {
  const [x, y] = [Float64Array.from(expected.x), Float64Array.from(expected.y)];
  const weights = expected.weights === null ? undefined : Float64Array.from(expected.weights);
  const clusters = Uint32Array.from(expected.clusters);
  const fit = fitScaled(x, y, { weights, clusters, resamples });

  test.each(["rLow", "rHigh"] as const)("%s", (end) => {
    expect(fit[end]!).toBeGreaterThanOrEqual(expected[end][0]);
    expect(fit[end]!).toBeLessThanOrEqual(expected[end][1]);
  });

  test("R and the line are those of the points", () => {
    const { n, r, slope, intercept, pValue, stdErr } = fitScaled(x, y, { weights });
    expect(fit).toMatchObject({ clusters: expected.count, n, r, slope, intercept, pValue, stdErr });
  });
});

test("a cluster that is there twice over counts once, however many its points are", () => {
  const { x, y, clusters } = cases.find(({ name }) => name === "forty clusters")!;
  const fit = (times: number, options = {}) => {
    const repeated = (values: number[]) => Array.from({ length: times }, () => values).flat();
    return fitScaled(Float64Array.from(repeated(x)), Float64Array.from(repeated(y)), {
      clusters: Uint32Array.from(repeated(clusters)),
      ...options,
    });
  };
  const [once, thrice] = [fit(1), fit(3)];
  expect(thrice.rLow!).toBeCloseTo(once.rLow!, 10);
  expect(thrice.rHigh!).toBeCloseTo(once.rHigh!, 10);
  // The seed decides the draws.
  expect(fit(1)).toEqual(once);
  expect(fit(1, { seed: 1 }).rLow).not.toBe(once.rLow);
  // Points as independent ones would be believed the more the more often they are repeated.
  const independent = (times: number) => fit(times, { clusters: undefined });
  expect(independent(3).rLow!).toBeGreaterThan(independent(1).rLow! + 0.02);
});

const root = temporaryFolder();

/** Six runs of ten checkpoints each; ID and OOD accuracy rise together among runs 0 to 2, and 3 to 5 lie apart. */
const rows = Array.from({ length: 60 }, (_, i) => {
  const run = Math.floor(i / 10);
  const id = 0.5 + 0.05 * run + 0.003 * (i % 10);
  const ood = (run < 3 ? 0.4 + 0.08 * run : 0.42 + 0.08 * (run - 3)) + 0.002 * ((7 * i) % 10);
  return `${id},${ood},${run},${run % 2},${run === 5 ? 0 : 1}`;
});
const table = join(root, "runs.csv");
writeFileSync(table, `${["val,shifted,run,half,w", ...rows].join("\n")}\n`);

test("columns name the clusters, in subgroups too, and too few leave R undecided", async () => {
  const asked = { tables: [table], id: ["val"], ood: ["shifted"] };
  const plain = await auditLine({ ...asked, cluster: false });
  expect(plain.splits[0]).toMatchObject({ verdict: "misspecified" });
  expect(plain.splits[0]).not.toHaveProperty("clusters");
  const { splits, ...report } = await auditLine({ ...asked, cluster: ["run"], by: ["half"] });
  expect(report).toMatchObject({ interval: "clusters", cluster: ["run"] });
  expect(splits.map(({ n, clusters }) => [n, clusters])).toEqual([
    [60, 6],
    [30, 3],
    [30, 3],
  ]);
  expect(splits[0]!.r).toBe(plain.splits[0]!.r);
  expect(splits[0]).toMatchObject({ verdict: "undecided" });
  expect(splits[1]).toMatchObject({ rLow: -1, rHigh: 1, verdict: "undecided" });
  const kinds = splits.map(({ warnings }) => warnings.map(({ kind }) => kind));
  expect(kinds.map((each) => each.includes("few-clusters"))).toEqual([false, true, true]);
  // Two columns together make as many clusters; rows without weight make none.
  const both = await auditLine({ ...asked, cluster: ["run", "half"] });
  expect(both.splits[0]).toMatchObject({ clusters: 6, rLow: splits[0]!.rLow });
  const weighted = await auditLine({ ...asked, cluster: ["run"], weights: "w" });
  expect(weighted.splits[0]).toMatchObject({ n: 50, clusters: 5 });
  await expect(auditLine({ ...asked, cluster: ["seed"] })).rejects.toThrow(/seed/);
});

test("rows of one run are recognised, told, and have no p-values", async () => {
  const asked = { tables: [table], id: ["val"], ood: ["shifted"] };
  const { splits, cluster, remarks, ...rest } = await auditLine(asked);
  const named = await auditLine({ ...asked, cluster: ["run"] });
  expect({ cluster, interval: rest.interval }).toEqual({ cluster: ["run"], interval: "clusters" });
  expect(splits).toEqual(named.splits);
  expect(splits[0]).toMatchObject({ clusters: 6, pValue: null, stdErr: null });
  expect(remarks.join("\n")).toMatch(/same run .* 60 rows, 6 clusters.*--no-cluster/);
  // Whoever asks for each run by itself has no clusters of runs.
  expect((await auditLine({ ...asked, by: ["run"] })).cluster).toEqual([]);
});

test.each([
  ["draw,val,shifted", ["d1", "d1", "d2", "d2"], ["draw"]],
  ["Model,val,shifted", ["a", "a", "b", "b"], ["Model"]],
  ["model,val,shifted", ["a", "b", "c", "d"], []],
  ["seed,step,val,shifted", ["0,1", "0,2", "1,1", "1,2"], ["seed"]],
  ["seed,val,shifted", ["0", "0", "1", "1"], []],
])("%s", async (header, keys, cluster) => {
  const path = join(root, `${keys.length}-${header.replaceAll(",", "-")}-${keys[1]}.csv`);
  writeFileSync(path, [header, ...keys.map((key, i) => `${key},0.${6 + i},0.${5 + i}`)].join("\n"));
  expect((await auditLine({ tables: [path], id: ["val"], ood: ["shifted"] })).cluster).toEqual(cluster);
});
