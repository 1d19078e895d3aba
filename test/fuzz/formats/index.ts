/** Every fuzzed format. A reader that none of them covers fails `test/fuzz/fuzz.test.ts`. */

import type { FuzzedFormat } from "../fuzzed-format.ts";
import { datasetFormats } from "./datasets.ts";
import { layoutFormats } from "./layouts.ts";
import { modelFormats } from "./models.ts";
import { ownFiles } from "./own-files.ts";
import { pictureFormats } from "./pictures.ts";
import { runFormats } from "./runs.ts";
import { tableFormats } from "./tables.ts";

export const fuzzedFormats: readonly FuzzedFormat[] = [
  ...datasetFormats,
  ...layoutFormats,
  ...pictureFormats,
  ...tableFormats,
  ...runFormats,
  ...ownFiles,
  ...modelFormats,
];

export function formatNamed(name: string): FuzzedFormat {
  const found = fuzzedFormats.find((format) => format.name === name);
  if (found) return found;
  throw new Error(
    `no fuzzed format "${name}"; there are: ${fuzzedFormats.map((format) => format.name).join(", ")}`,
  );
}
