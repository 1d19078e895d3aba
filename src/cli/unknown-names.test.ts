/** A name that nobody knows is refused wherever one can be typed, with those that are known. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { cuelabHere } from "../../test/helpers/in-process.ts";
import { digestOf, sealed } from "../disk/vouched.ts";

const root = temporaryFolder();
const runs = join(root, "runs");
mkdirSync(join(runs, "a"), { recursive: true });
const results = { epoch: 1, accuracy: [{ slice: "test", distribution: "OOD", count: 2, accuracy: 0.5 }] };
const written = Object.entries({
  "spec.json": { id: "1", method: { name: "erm" }, seed: 0 },
  "results.json": results,
});
const files: Record<string, string> = {};
for (const [name, content] of written) {
  writeFileSync(join(runs, "a", name), JSON.stringify(content));
  files[name] = digestOf(JSON.stringify(content));
}
writeFileSync(join(runs, "a", "manifest.json"), sealed({ cuelabRun: 5, id: "1", files }));
const table = join(root, "accuracies.csv");
writeFileSync(table, "val,test\n0.5,0.6\n0.6,0.7\n0.7,0.75\n");
const train = ["train", "--data", "colored-mnist", "--out", join(root, "R")];

test.each([
  [["runs", "compare", runs, "--slices", "tets"], /no run has a slice "tets"[\s\S]*did you mean "test"/],
  [["runs", "list", runs, "--slices", "tets"], /no run has a slice "tets"/],
  [["runs", "list", runs, "--slices", "tets", "--json"], /no run has a slice "tets"/],
  [["runs", "export", runs, "--slices", "test,worst-group"], /no run has a slice "worst-group"/],
  [["runs", "list", runs, "--where", "methd.name=erm"], /no run's spec has "methd.name"[\s\S]*"method.name"/],
  [["runs", "list", runs, "--where", "method.name=erms"], /no run is like that[\s\S]*method.name: erm/],
  [[...train, "--model", "smal-cnn"], /Allowed choices are[\s\S]*did you mean "small-cnn"/],
  [[...train, "--model", "mlp", "--method", "groupdro"], /did you mean "group-dro"/],
  [[...train, "--model", "mlp", "--model-set", "wdth=3"], /did you mean "width"/],
  [[...train, "--model", "mlp", "--preset", "biased-mnits"], /did you mean "biased-mnist"/],
  [["study", "run", "biased-mnist", "--parts", "methds"], /no part "methds"[\s\S]*did you mean "methods"/],
  [["audit", "data-bias", "urban-cars", "--set", "size=64"], /unknown setting "size"[\s\S]*--data-set/],
  [["line", table, "--id", "val", "--ood", "test", "--label-column", "y"], /no effect without --labels/],
  // A list that is given in two parts is one list.
  [["line", table, "--id", "val", "--ood", "tset", "--ood", "test"], /no column "tset"/],
  [["line", table, "--id", "val"], /--id needs --ood[\s\S]*got: columns val, test/],
  [["runs", "list", join(root, "none")], /cannot look for runs here[\s\S]*got: no such folder$/],
  [["sweep", "run", join(root, "none.yaml")], /cannot read the sweep[\s\S]*got: no such file$/],
])("%j", async (words, message) => {
  await expect(cuelabHere(...words)).rejects.toThrow(message);
});
