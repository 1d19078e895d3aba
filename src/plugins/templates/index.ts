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
  /** What to type next. */
  next: (name: string, file: string) => string;
}

export const templates: Readonly<Record<string, Template>> = {
  method: {
    key: "methods",
    text: methodTemplate,
    next: (name, file) => `train --data colored-mnist --model mlp --method ${name} --plugin ${file} --out R`,
  },
  dataset: {
    key: "datasets",
    text: datasetTemplate,
    next: (name, file) => `data preview ${name} --plugin ${file} --out sheet.png`,
  },
  network: {
    key: "models",
    text: networkTemplate,
    next: (name, file) => `train --data colored-mnist --model ${name} --plugin ${file} --out R`,
  },
  metric: { key: "metrics", text: metricTemplate, next: (_, file) => `eval R --plugin ${file}` },
  audit: {
    key: "audits",
    text: auditTemplate,
    next: (name, file) => `audit ${name} colored-mnist --plugin ${file}`,
  },
  study: {
    key: "studies",
    text: studyTemplate,
    next: (name, file) => `study run ${name} --preset smoke --plugin ${file}`,
  },
  view: {
    key: "views",
    text: viewTemplate,
    next: (name, file) => `train --data colored-mnist --model mlp --augment ${name} --plugin ${file} --out R`,
  },
};
