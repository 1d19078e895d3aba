/** Deep feature reweighting on people's own copies in the published layouts, from folder to groups, as docs/last-layer.md has it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeCeleba } from "./helpers/celeba.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { writeWaterbirds } from "./helpers/waterbirds.ts";

const root = temporaryFolder();
const here = { cwd: root };
/** Stands for a network with weights: its features tell colours apart. */
const network = "--model small-cnn --model-set width=8 --batch-size 8 --threads 1";

const copies = [
  {
    name: "waterbirds",
    write: () => writeWaterbirds(join(root, "waterbirds")),
    data: "--data waterbirds --size 32 --cue-columns place",
    cue: "place",
    // Six test images of each bird on each ground, as written.
    groups: [6, 6, 6, 6],
  },
  {
    name: "celeba",
    write: () => writeCeleba(join(root, "faces")),
    data: "--data celeba --set folder=faces --set size=16",
    cue: "Male",
    groups: undefined,
  },
];

test.each(copies)(
  "$name: features once, DFR on groups of the validation images, accuracies by group",
  async ({ name, write, data, cue, groups }) => {
    await write();
    const [features, layer] = [`${name}-F`, `${name}-L`];
    const run = async (words: string) => {
      const { code, stderr } = await cuelab([...words.split(" "), "-q"], here);
      expect(code, stderr).toBe(0);
    };
    await run(`features extract ${network} ${data} --out ${features}`);
    const settings = "--method-set on=val --method-set refits=2 --method-set strengths=1";
    await run(
      `features train ${features} --method dfr ${settings} --explicit ${cue} --threads 1 --out ${layer}`,
    );
    const found = await cuelabJson<{
      groups: { n: number; values: Record<string, string>; accuracy: number }[];
    }>(["eval", layer, "--split", "test", "--groups", `class,${cue}`], here);
    expect(found.groups).toHaveLength(4);
    expect(new Set(found.groups.map(({ values }) => values[cue])).size).toBe(2);
    if (groups !== undefined) expect(found.groups.map(({ n }) => n)).toEqual(groups);
    for (const { accuracy } of found.groups) expect(accuracy).toBeGreaterThanOrEqual(0);
    const { selection } = JSON.parse(readFileSync(join(root, layer, "results.json"), "utf8")) as {
      selection: object;
    };
    expect(selection).toBeDefined();
  },
);
