/** Every study. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { biasedMnistStudy } from "./biased-mnist.ts";
import { celebaStudy } from "./celeba.ts";
import { diagvibStudy } from "./diagvib.ts";
import { hardSpuriousStudy } from "./hard-spurious.ts";
import { hardSpuriousPretrainedStudy } from "./hard-spurious-pretrained.ts";
import { imageNetShortcutsStudy } from "./imagenet-shortcuts.ts";
import { imageNetWStudy } from "./imagenet-w.ts";
import { molesStudy } from "./moles.ts";
import type { Study } from "./study.ts";
import { urbanCarsStudy } from "./urban-cars.ts";
import { waterbirdsStudy } from "./waterbirds.ts";
import { wellSpecifiedStudy } from "./well-specified.ts";

export const studies = new Registry<Study>(
  "study",
  [
    biasedMnistStudy,
    celebaStudy,
    diagvibStudy,
    hardSpuriousStudy,
    hardSpuriousPretrainedStudy,
    imageNetShortcutsStudy,
    imageNetWStudy,
    molesStudy,
    urbanCarsStudy,
    waterbirdsStudy,
    wellSpecifiedStudy,
  ],
  {
    plugins: "studies",
  },
);

export { presetNamed, presetNames, type RegisteredFinding, type SeedPurpose } from "./study.ts";
