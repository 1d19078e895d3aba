/** What every study must keep before anything is run: words for people, and a plan of each preset. */

import { presetNames, type Study } from "../studies/study.ts";
import { type Check, must } from "./check.ts";

export function studyChecks(study: Study): Check[] {
  // What has to be given is no more than a word here: nothing is opened.
  const given = Object.fromEntries(Object.keys(study.needs).map((need) => [need, "given"]));
  return [
    {
      name: "each preset says what it reduces, shows and costs",
      run: () => {
        for (const preset of presetNames)
          for (const [word, text] of Object.entries(study.presets[preset]))
            must(text !== "", `the preset ${preset} does not say what it ${word}`);
      },
    },
    {
      name: "each preset has a plan, and parts have names of their own",
      run: () => {
        for (const preset of presetNames) {
          const { parts } = study.plan(preset, given);
          must(parts.length > 0, `the plan of ${preset} has no parts`);
          const names = parts.map(({ name }) => name);
          must(new Set(names).size === names.length, `two parts of ${preset} have one name`);
        }
      },
    },
  ];
}
