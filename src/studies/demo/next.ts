/** What to try next: commands as one types them where the demo was started, which all run as they are. */

import { join } from "node:path";
import type { Section } from "../../core/section.ts";
import { quoted } from "../../core/shell-words.ts";
import { listText } from "../../core/words.ts";
import { demoFiles } from "./make-demo.ts";
import type { DemoRun } from "./measure.ts";
import { cueWords, type DemoChoice, demoCues, demoData, demoDefaults } from "./plan.ts";
import { assignmentsOf } from "./sections.ts";

export function nextSection(
  choice: DemoChoice & { out: string },
  [baseline, ...others]: readonly [DemoRun, ...DemoRun[]],
): Section {
  const { out, explicit, seed } = choice;
  const folder = (id: string) => quoted(join(out, "runs", id));
  const demo = (changes: Partial<DemoChoice>, to = out) =>
    `npx cuelab demo --out ${quoted(to)}${sizeWords({ ...choice, ...changes })}`;
  const tellings = [[demoCues[0]], [demoCues[1]], [...demoCues]].filter(
    (cues) => String(cues) !== String(explicit),
  );
  const images = assignmentsOf(demoData(choice).settings).map((assignment) => ` --set ${assignment}`);
  return {
    name: "next",
    heading: "What to try next",
    commands: [
      ...tellings.map(
        (cues) =>
          [
            `Tell Group DRO ${listText(cues.map((cue) => cueWords[cue]))} instead; only its run is made, the others are there`,
            demo({ explicit: cues }),
          ] as const,
      ),
      [
        "Draw other images and first weights, to see whether the verdicts hold",
        demo({ seed: seed + 1 }, `${out}-${seed + 1}`),
      ],
      ...others.map(
        ({ label, id }) =>
          [
            `${label} beside the standard model, group by group; --report page.html makes a page`,
            `npx cuelab eval ${folder(id)} --baseline ${folder(baseline.id)}`,
          ] as const,
      ),
      [
        "The three runs as a file: copy it, add methods (npx cuelab methods list), seeds or a search, and run that",
        `npx cuelab sweep run ${quoted(join(out, demoFiles.sweep))} --out ${quoted(join(out, "runs"))}`,
      ],
      [
        "The images as files, with masks, a data card and a contact sheet",
        `npx cuelab data make ${demoData(choice).name}${images.join("")} --seed ${seed} --out ${quoted(`${out}-images`)}`,
      ],
      [
        "More methods, each five times, so that verdicts are about the methods: about half an hour",
        "npx cuelab study run moles --preset quick",
      ],
    ],
  };
}

/** Options that are not the usual ones. */
function sizeWords({ images, epochs, explicit, seed }: DemoChoice): string {
  return [
    images === demoDefaults.images ? "" : ` --images ${images}`,
    epochs === demoDefaults.epochs ? "" : ` --epochs ${epochs}`,
    String(explicit) === String(demoDefaults.explicit) ? "" : ` --explicit ${explicit.join(",")}`,
    seed === demoDefaults.seed ? "" : ` --seed ${seed}`,
  ].join("");
}
