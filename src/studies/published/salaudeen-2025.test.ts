/** The paper's tables against each other, and its standard errors against its own slopes, R and counts. */

import { expect, test } from "vitest";
import { averageFits, type PublishedFit, pairFits, table1, table3 } from "./salaudeen-2025.ts";

const same = (fit: PublishedFit) => [fit.slope, fit.intercept, fit.r];
const find = (dataset: string, ood: string) =>
  averageFits.find((fit) => fit.dataset === dataset && fit.ood === ood)!;

test("Table 1 repeats the other tables, but for what is noted", () => {
  const others = new Map([
    ["CXR 1", "3"],
    ["SpawriousM2M_hard 0", "1"],
  ]);
  for (const fit of table1.filter(({ dataset }) => !["TerraIncognita", "Waterbirds"].includes(dataset))) {
    const ood = others.get(`${fit.dataset} ${fit.ood}`) ?? fit.ood;
    expect(same(fit), `${fit.dataset} ${fit.ood}`).toEqual(same(find(fit.dataset, ood)));
  }
  expect(same(table1[1]!)).not.toEqual(same(find("CXR", "1")));
});

test("every dataset has one average fit an environment, and one for each pair", () => {
  const count = (list: readonly { dataset: string }[], name: string) =>
    list.filter(({ dataset }) => dataset === name).length;
  for (const [name, environments] of [
    ["ColoredMNIST", 3],
    ["PACS", 4],
    ["Camelyon", 5],
    ["CXR", 5],
    ["FMoW", 6],
  ] as const) {
    expect(count(averageFits, name)).toBe(environments);
    expect(count(pairFits, name)).toBe(environments * (environments - 1));
    expect(count(table3, name)).toBe(environments);
  }
  expect(count(averageFits, "CivilComments")).toBe(16);
});

/** Models of a split: rows of Table 3 over the ID environments that each model has a row for. */
function models({ dataset, ood }: PublishedFit): number {
  const { total } = table3.find((row) => row.dataset === dataset && row.ood === ood)!;
  return total / (averageFits.filter((fit) => fit.dataset === dataset).length - 1);
}

/** Whether n gives the printed standard error, when every printed number may be off by half of its last digit. */
function fits({ slope, r, standardError }: PublishedFit, n: number): boolean {
  const error = (slope: number, r: number) => slope * Math.sqrt((1 - r ** 2) / (r ** 2 * (n - 2)));
  const [steep, tight] = [Math.abs(slope), Math.abs(r)];
  const most = error(steep + 0.005, tight - 0.005);
  const least = error(steep - 0.005, Math.min(1, tight + 0.005));
  return least <= standardError + 0.005 && most >= standardError - 0.005;
}

test("standard errors are |slope| √((1 - R²) / (R² (n - 2))) where n counts each model once", () => {
  const known = ["ColoredMNIST", "SpawriousM2M_easy", "SpawriousM2M_hard", "PACS", "Camelyon", "CXR", "FMoW"];
  const of = (names: readonly string[]) => averageFits.filter(({ dataset }) => names.includes(dataset));
  expect(of(known).filter((fit) => !fits(fit, models(fit)))).toEqual([]);
  // With a row for each ID environment counted by itself, CXR's would not come out.
  expect(of(["CXR"]).filter((fit) => fits(fit, 4 * models(fit)))).toEqual([]);
  // These were fitted to fewer or more models than Table 3 counts.
  const others = of(["SpawriousO2O_easy", "SpawriousO2O_hard", "Waterbirds"]);
  expect(others.filter((fit) => fits(fit, models(fit)))).toEqual([]);
  expect(of(["CivilComments"]).every((fit) => fits(fit, 980))).toBe(true);
});
