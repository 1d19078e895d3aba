/** Gaps by hand, and findings that come out both ways on made-up answers. */

import { expect, test } from "vitest";
import { trainedNetworks } from "../../test/helpers/trained-networks.ts";
import { tablesOf } from "../core/section.ts";
import { table8, table13 } from "../published/li-2023.ts";
import { claims } from "./imagenet-w/findings.ts";
import {
  classGap,
  markedNumber,
  probabilityChange,
  pushedClasses,
  setGap,
  watermarkGap,
} from "./imagenet-w/gaps.ts";
import { markedJobs } from "./imagenet-w/plan.ts";
import { presets } from "./imagenet-w/presets.ts";
import { imageNetWStudy } from "./imagenet-w.ts";
import type { Measured } from "./jobs/kinds.ts";
import type { NetworkAnswer, PredictionsJob } from "./jobs/predictions-job.ts";
import { outcomesByImages } from "./pretrained/judge-networks.ts";

interface Made {
  label: string;
  seed: number | null;
  /** Of 1,000 images: right without the mark, gained and lost by it; of 100 of the marked class likewise. */
  plain: number;
  gained: number;
  lost: number;
  own?: { plain: number; gained: number; lost: number };
  /** Rise of the classes' probabilities, of which the second is the marked one. */
  rises?: readonly [number, number, number];
}

const markedClass = "suv";

function answer({ label, seed, plain, gained, lost, own, rises = [0, 0.1, 0] }: Made): NetworkAnswer {
  const of = own ?? { plain: 50, gained: 40, lost: 0 };
  const marked = (mark: "chinese" | "korean", share: number) => ({
    mark,
    correct: plain + gained - lost * share,
    gained,
    lost: lost * share,
    classes: rises.map((change, i) => ({
      change,
      deviation: 0.05,
      ownChange: change,
      correct: i === 1 ? of.plain + of.gained - of.lost : 0,
      gained: i === 1 ? of.gained : 0,
      lost: i === 1 ? of.lost : 0,
    })),
  });
  return {
    id: label,
    label,
    seed,
    images: 1000,
    correct: plain,
    groups: [],
    classes: ["cow", markedClass, "van"].map((name, i) => ({
      name,
      images: i === 1 ? 100 : 450,
      correct: i === 1 ? of.plain : 400,
      probability: 1 / 3,
    })),
    marks: [marked("chinese", 1), marked("korean", 0.4)],
  };
}

test("gaps are changed less original, the class's with less without, on the same images", () => {
  const made = answer({ label: "net", seed: null, plain: 800, gained: 10, lost: 210 });
  // 800 right before, 600 after: −20 points; by hand √((220/1000 − 0.04) / 1000).
  expect(watermarkGap(made)!.value).toBeCloseTo(-0.2, 12);
  expect(watermarkGap(made)!.error).toBeCloseTo(Math.sqrt(0.18 / 1000), 12);
  // 50 of 100 right before, 90 after.
  expect(classGap(made, 1)!.value).toBeCloseTo(0.4, 12);
  expect(classGap(made, 0)!.value).toBe(0);
  expect(probabilityChange(made, 1)).toEqual({ value: 0.1, error: 0.05 / Math.sqrt(1000) });
  expect(pushedClasses(made).map(({ name }) => name)).toEqual([markedClass, "cow", "van"]);
  expect(setGap({ ...made, correct: 100, images: 400 }, made).value).toBeCloseTo(0.25 - 0.8, 12);
  // Of ImageNet's thousand classes it is number 478; of others it must be named.
  const thousand = { classes: Array.from({ length: 1000 }, () => made.classes[0]!) };
  expect([markedNumber(thousand, undefined), markedNumber(made, undefined)]).toEqual([478, undefined]);
  expect([markedNumber(made, markedClass), markedNumber(made, "horse")]).toEqual([1, undefined]);
});

test("over images what is far from none is seen or contradicted, what is near is equivalent, the rest is open", () => {
  const of = (value: number, error: number) => ({ value, error, expected: "below" as const });
  expect(outcomesByImages([of(-0.2, 0.01), of(0.2, 0.01), of(0.001, 0.002), of(-0.05, 0.04)], 0.03)).toEqual([
    "seen",
    "contradicted",
    "equivalent",
    "cannot be told",
  ]);
  // Holm: 2.2 standard errors are enough for one comparison, and not for ten.
  const near = of(-0.22, 0.1);
  expect(outcomesByImages([near], 0.03)[0]).toBe("seen");
  expect(
    outcomesByImages(
      Array.from({ length: 10 }, () => near),
      0.03,
    )[0],
  ).toBe("cannot be told");
});

const job = {
  kind: "predictions",
  name: "watermark",
  title: "",
  of: { job: "networks" },
  data: {},
} as PredictionsJob;

function verdictsOf(
  models: readonly NetworkAnswer[],
  preset: "quick" | "paper" = "quick",
  rising: readonly string[] = [],
) {
  const registered = imageNetWStudy.registered(preset);
  const measured: Measured[] = [
    trainedNetworks([...new Set(models.map(({ label }) => label))], rising),
    { kind: "predictions", job, models },
  ];
  const { findings } = imageNetWStudy.report(measured, { preset, registered });
  return Object.fromEntries(findings.map(({ claim, verdict }) => [claim, verdict]));
}

/** Three seeds, which differ by an image. */
const seeds = (made: Omit<Made, "seed">) =>
  [0, 1, 2].map((seed) => answer({ ...made, lost: made.lost + 5 * seed, seed }));

test("what the paper found is seen where it is there, contradicted where it is the other way round", () => {
  const standard = seeds({ label: "ERM", plain: 900, gained: 0, lost: 300 });
  const others = ["Mixup", "CutMix", "Cutout", "WTM Aug"];
  const better = others.flatMap((label) => seeds({ label, plain: 900, gained: 0, lost: 100 }));
  expect(new Set(Object.values(verdictsOf([...standard, ...better])))).toEqual(new Set(["seen"]));
  // What has not come to rest is compared with nothing, and who is compared with it neither.
  expect(verdictsOf([...standard, ...better], "quick", ["CutMix"])).toMatchObject({
    [claims.gap]: "seen",
    [claims.aware]: "seen",
    [claims.unaware]: "cannot be told",
  });
  expect(new Set(Object.values(verdictsOf([...standard, ...better], "quick", ["ERM"])))).toEqual(
    new Set(["cannot be told"]),
  );
  const worse = others.flatMap((label) => seeds({ label, plain: 900, gained: 0, lost: 500 }));
  const turned = verdictsOf([
    ...[0, 1, 2].map((seed) =>
      answer({
        label: "ERM",
        seed,
        plain: 500,
        gained: 200 + 5 * seed,
        lost: 0,
        own: { plain: 60, gained: 0, lost: 40 },
        rises: [0.2, -0.1, -0.1],
      }),
    ),
    ...worse,
  ]);
  expect(turned).toMatchObject({
    [claims.gap]: "contradicted",
    [claims.pushed]: "contradicted",
    [claims.unaware]: "contradicted",
    [claims.aware]: "contradicted",
  });
  const other = [0, 1, 2].map((seed) =>
    answer({ label: "ERM", seed, plain: 900, gained: 0, lost: 300 + seed, rises: [0.2, 0.1, 0] }),
  );
  expect(verdictsOf(other)[claims.discovered]).toBe("contradicted");
  expect(
    verdictsOf([answer({ label: "ERM", seed: 0, plain: 900, gained: 0, lost: 300, rises: [0, 0.001, 0] })]),
  ).toMatchObject({ [claims.discovered]: "cannot be told", [claims.gap]: "cannot be told" });
});

test("a network that was brought has intervals over its images, and says nothing of pairs", () => {
  const brought = answer({ label: "mine", seed: null, plain: 900, gained: 0, lost: 300 });
  const verdicts = verdictsOf([brought], "paper");
  expect(verdicts[claims.gap]).toBe("seen");
  expect(Object.keys(verdicts)).not.toContain(claims.aware);
  // It has three classes, of which none is carton.
  expect(verdicts[claims.pushed]).toBe("cannot be told");
});

test("published rows stand beside ours, and every row fits its columns", () => {
  const registered = imageNetWStudy.registered("paper");
  const models = [answer({ label: "mine", seed: null, plain: 900, gained: 0, lost: 300 })];
  const measured = [
    { kind: "predictions" as const, job, models },
    {
      kind: "predictions" as const,
      job: { ...job, name: "stylized" },
      models: [{ ...models[0]!, correct: 200 }],
    },
  ];
  const { sections } = imageNetWStudy.report(measured, { preset: "paper", registered });
  const tables = tablesOf(sections);
  for (const { columns, rows } of tables)
    for (const { cells } of rows) expect(cells).toHaveLength(columns.length);
  const [reliance, contents] = tables;
  expect(reliance!.rows).toHaveLength(1 + table13.length);
  expect(reliance!.rows[0]!.cells.slice(5, 6)).toMatchObject([
    { value: -0.3, text: "−30.0 (−32.8 to −27.2)" },
  ]);
  expect(contents!.rows).toHaveLength(2 + table8.length);
  const gaps = tables.find(({ name }) => name === "variant-gaps")!;
  // 20% on Stylized ImageNet less 90%; nothing was given for the others, and the page says so.
  expect(gaps.rows[0]!.cells[5]).toMatchObject({ value: expect.closeTo(-0.7, 12) });
  expect(gaps.rows[0]!.cells[6]).toBeNull();
  expect(sections.at(-1)!.remarks![0]).toContain("ImageNet-R, among its 200 classes");
});

test("parts are those of what is given", () => {
  const names = (given: Record<string, string>) => markedJobs(presets.paper, given).map(({ name }) => name);
  const both = { models: "a.onnx, b.onnx", imagenet: "val" };
  expect(names(both)).toEqual(["watermark"]);
  expect(names({ ...both, rendition: "r", mixedSame: "s" })).toEqual([
    "watermark",
    "rendition",
    "of-rendition",
  ]);
  expect(names({ ...both, mixedSame: "s", mixedRandom: "r", in9Classes: "c" })).toHaveLength(3);
  expect(markedJobs(presets.paper, both)[0]).toMatchObject({ of: { models: ["a.onnx", "b.onnx"] } });
  expect(markedJobs(presets.quick, {}).map(({ name }) => name)).toEqual(["networks", "watermark"]);
});
