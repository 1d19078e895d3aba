/** Files to begin a plugin with, by what it brings. Each passes `cuelab plugin check` as it is, in TypeScript and JavaScript. */

import type { PluginKind } from "../at-hand.ts";
import { auditTemplate } from "./audit.ts";
import { datasetTemplate } from "./dataset.ts";
import { methodTemplate } from "./method.ts";
import { metricTemplate } from "./metric.ts";
import { networkTemplate } from "./network.ts";
import { studyTemplate } from "./study.ts";
import { viewTemplate } from "./view.ts";

interface Template {
  /** Where plugins list such things. */
  key: PluginKind;
  text: (name: string) => string;
  /** What to type next, line by line, in an empty folder. */
  next: (name: string, file: string) => readonly string[];
}

/** A run in seconds. */
const quickly = "--data colored-mnist --set trainPerEnvironment=1000 --epochs 1";

export const templates: Readonly<Record<string, Template>> = {
  method: {
    key: "methods",
    text: methodTemplate,
    next: (name, file) => [`train ${quickly} --model mlp --method ${name} --plugin ${file} --out R-${name}`],
  },
  dataset: {
    key: "datasets",
    text: datasetTemplate,
    next: (name, file) => [`data preview ${name} --plugin ${file} --out ${name}.png`],
  },
  network: {
    key: "models",
    text: networkTemplate,
    next: (name, file) => [`train ${quickly} --model ${name} --plugin ${file} --out R-${name}`],
  },
  metric: {
    key: "metrics",
    text: metricTemplate,
    // Any run or table of predictions would do; who begins may have none.
    next: (name, file) => [
      `train ${quickly} --model logistic-regression --out R-${name}`,
      `eval R-${name} --plugin ${file}`,
    ],
  },
  audit: {
    key: "audits",
    text: auditTemplate,
    next: (name, file) => [`audit ${name} colored-mnist --plugin ${file}`],
  },
  study: {
    key: "studies",
    text: studyTemplate,
    next: (name, file) => [`study run ${name} --preset smoke --plugin ${file}`],
  },
  view: {
    key: "views",
    text: viewTemplate,
    next: (name, file) => [`train ${quickly} --model mlp --augment ${name} --plugin ${file} --out R-${name}`],
  },
};
