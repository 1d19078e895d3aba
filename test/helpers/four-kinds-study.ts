/** A plugin with a study that is made of all four kinds of jobs, as text. */

/** One run a seed of a small network, its features, two audits of what was made, and a pool of eight classifiers. */
export const fourKinds = `
import { defineStudy, definePlugin, measuredAs, untold } from "cuelab/plugin";

const card = { reduces: "everything", shows: "that it runs", cost: "seconds" };
const data = { name: "colored-mnist", settings: { trainPerEnvironment: 60, size: 14 } };
const claim = "Four kinds of jobs are made";
const runs = {
  kind: "runs", name: "runs", title: "two seeds", seeds: [0, 1], cues: ["color"],
  entries: [{
    case: { method: "ERM", explicit: [], groupings: [["color"]] },
    run: { data, model: { name: "mlp" }, method: { name: "erm" }, epochs: 1, batchSize: 20 },
  }],
};
const pools = {
  kind: "pools", name: "pools", title: "eight classifiers",
  pools: [{
    name: "pool", dataset: "ColoredMNIST", data, classifiers: 8, networks: { count: 0, names: [] }, holdOut: "0.9",
    spec: {
      environment: null, oodSplits: null, groups: [], families: ["logistic"], features: ["pixels"], extractors: [],
      vary: "training", trainImages: 40, testImages: 20, steps: 4, checkpoints: 2, firstStep: 2, seed: 0,
    },
    splits: [{ name: "pool-0.9", ood: "0.9", environment: "0.9", role: "shifted" }],
  }],
};
const jobs = [
  // In another order than that in which they are made.
  { kind: "audit", name: "groups", title: "accuracy by group", audit: "predictions", question: {}, of: { job: "runs" } },
  { kind: "audit", name: "map", title: "a map of the features", audit: "embedding", question: { umap: false }, of: { job: "features" } },
  { kind: "features", name: "features", title: "of both runs", of: { job: "runs" } },
  { kind: "features", name: "random", title: "of random weights", of: { network: { model: "mlp", data: "colored-mnist", set: ["trainPerEnvironment=60", "size=14"], seed: 1 } } },
  pools,
  runs,
];

export default definePlugin({ studies: [defineStudy({
  name: "four", title: "Four kinds of jobs", paper: "nobody", question: "Are all made?", needs: {},
  presets: { smoke: card, quick: card, day: card, paper: card },
  registered: () => ({
    estimands: [{ name: "n", words: "how many" }], baseline: "none", margin: 3, selection: ["none"], budget: "equal",
    seeds: { calibration: [], tuning: [], reporting: [0, 1] }, exclusions: [],
    findings: [{ claim, rule: "seen where all are there", family: "this one" }],
  }),
  jobs: () => jobs,
  report: (measured) => ({
    findings: [measured.length < jobs.length
      ? untold(claim, "some are missing")
      : { claim, verdict: "seen", evidence: measuredAs(measured, "audit").map(({ answers }) => answers.length).join(" and ") + " answers" }],
    sections: [{
      name: "kinds", heading: "Kinds", tables: [{
        name: "kinds", caption: "what was measured", columns: [{ title: "kind" }, { title: "part" }],
        rows: measured.map(({ kind, job }) => ({ cells: [kind, job.name] })),
      }],
    }],
  }),
})] });
`;
