/** A study to begin with: two methods on a small dataset, with a registered plan, a table and a finding. */

import { titled } from "./titled.ts";

export const studyTemplate = (
  name: string,
): string => `/** ${name}: does a method that is told nothing beat the standard model where colour turns round? */

import { defineStudy, definePlugin, judged, judgedFamily, judgedRule, measuredAs, untold } from "cuelab/plugin";

const claim = "Spectral decoupling beats the standard model";

// Seeds are of data and first weights: what is claimed about methods is judged over them, so have three at least.
const presets = {
  smoke: {
    reduces: "everything: 60 images of each environment, one epoch, one seed",
    shows: "that every part runs; its accuracies mean nothing",
    cost: "some seconds",
    images: 60,
    epochs: 1,
    seeds: [0],
  },
  quick: {
    reduces: "2,000 images of each environment",
    shows: "large differences",
    cost: "not measured; some minutes",
    images: 2000,
    epochs: 3,
    seeds: [0, 1, 2],
  },
  day: {
    reduces: "nothing",
    shows: "differences of some points",
    cost: "not measured; hours",
    images: 10000,
    epochs: 10,
    seeds: [0, 1, 2, 3, 4],
  },
  paper: {
    reduces: "nothing",
    shows: "differences of few points",
    cost: "not measured; a day",
    images: 25000,
    epochs: 20,
    seeds: [0, 1, 2, 3, 4],
  },
};

const study = defineStudy({
  name: "${name}",
  title: "${titled(name)}: two methods on ColoredMNIST",
  paper: "nobody yet",
  question: "Does spectral decoupling help where colour turns round?",
  presets,
  // What people must give, such as a folder of images: { folder: "where the images lie" }.
  needs: {},

  // Fixed before the first run. Its digest stands in every table; what changes later is marked exploratory.
  registered: (preset) => ({
    estimands: [{ name: "unbiased accuracy", words: "mean over groups of class and colour, on test images" }],
    baseline: "ERM",
    margin: 3,
    selection: ["of every run the last epoch, without any labels"],
    budget: "both methods have the same images and epochs",
    seeds: { calibration: [], tuning: [], reporting: presets[preset].seeds },
    exclusions: ["seeds that one of the two lacks are in no difference"],
    findings: [
      {
        claim,
        rule: \`Unbiased accuracy of SD less that of ERM, claimed to be above 0. \${judgedRule}\`,
        family: judgedFamily,
      },
    ],
  }),

  // What is made. Parts may be "runs", "pools", "features" and "audit"; equal runs are made once.
  jobs: (preset) => [
    {
      kind: "runs",
      name: "methods",
      title: "both methods",
      seeds: presets[preset].seeds,
      cues: ["color"],
      entries: [
        { label: "ERM", method: "erm" },
        { label: "SD", method: "spectral-decoupling" },
      ].map(({ label, method }) => ({
        case: { method: label, explicit: [], groupings: [["color"]] },
        // As a sweep file would write it.
        run: {
          data: { name: "colored-mnist", settings: { trainPerEnvironment: presets[preset].images, size: 14 } },
          model: { name: "logistic-regression" },
          method: { name: method },
          epochs: presets[preset].epochs,
          batchSize: 20,
        },
      })),
    },
  ],

  // Pure: from what was measured to findings and sections. Of nothing measured every finding cannot be told.
  report: (measured, { registered }) => {
    const [runs] = measuredAs(measured, "runs");
    const cases = runs?.cases ?? [];
    const [standard, other] = ["ERM", "SD"].map(
      (method) => cases.find((each) => each.method === method)?.runs ?? [],
    );
    const differences = (other ?? []).flatMap(({ seed, unbiased }) => {
      const same = standard?.find((run) => run.seed === seed);
      return same === undefined ? [] : [unbiased - same.unbiased];
    });
    return {
      findings: [
        differences.length === 0
          ? untold(claim, "no seed has both")
          : judged(claim, [{ name: "SD less ERM", values: differences, expected: "above" }], {
              margin: registered.margin,
              evidence: [],
            }),
      ],
      sections: cases.length === 0 ? [] : [
        {
          name: "methods",
          heading: "Which method wins?",
          text: "Unbiased accuracy on test images.",
          tables: [
            {
              name: "methods",
              caption: "Unbiased accuracy by seed",
              columns: [{ title: "Method" }, { title: "Seed" }, { title: "Unbiased" }],
              rows: cases.flatMap(({ method, runs: own }) =>
                own.map(({ seed, unbiased }) => ({
                  cells: [method, String(seed), { value: unbiased, text: (100 * unbiased).toFixed(1) }],
                })),
              ),
            },
          ],
        },
      ],
    };
  },
});

export default definePlugin({ studies: [study] });
`;
