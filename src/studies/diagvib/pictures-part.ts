/** What autoencoders and the lens make of images, as their runs have drawn it: Figures A2, A3, A4 and A9. */

import { type Picture, type Row, type Section, seedsCell } from "../../core/section.ts";
import type { PublishedFactor } from "../../published/eulig-2021.ts";
import type { MeasuredCase, StudyEntry } from "../jobs/runs-job.ts";
import { entryOf } from "./entries.ts";
import type { DiagvibNetwork } from "./networks.ts";
import type { FactorPair } from "./pairs.ts";
import type { DiagvibPreset } from "./presets.ts";

export const picturesPart = "pictures";

export interface PicturesPart {
  /** Its dataset sample. */
  sample: number;
  lens: DiagvibNetwork;
  /** Predicted without a shortcut, in which the paper shows it. */
  alone: readonly PublishedFactor[];
  /** In ZGO. */
  pairs: readonly FactorPair[];
  codes: readonly AutoencoderPicture[];
  /** Of the dataset that autoencoders see. */
  codesData: Readonly<Record<string, unknown>>;
}

export interface AutoencoderPicture {
  label: string;
  run: Readonly<Record<string, unknown>>;
  /** Where objects lie: at one of three places, or in the centre alone. */
  positions: "three" | "one";
}

const places = { three: ["top-left", "center-center", "bottom-right"], one: ["center-center"] } as const;

export function pictureEntries(preset: DiagvibPreset): StudyEntry[] {
  const { sample, lens, alone, pairs, codes, codesData } = preset.pictures;
  return [
    ...alone.map((predict) => entryOf(preset, { network: lens, study: "ZSO", predict, sample })),
    ...pairs.map(([predict, cue]) => entryOf(preset, { network: lens, study: "ZGO", predict, cue, sample })),
    ...codes.map(({ label, run, positions }) => autoencoderEntry(label, run, positions, codesData)),
  ];
}

/** One position cannot be a factor of a study, so that the dataset is the free one; shapes are told. */
function autoencoderEntry(
  label: string,
  run: AutoencoderPicture["run"],
  positions: AutoencoderPicture["positions"],
  data: PicturesPart["codesData"],
): StudyEntry {
  const { classes, ...settings } = data as { classes?: object };
  return {
    case: {
      method: label,
      explicit: [],
      about: { study: `${positions === "one" ? "one place" : "three places"}`, predict: "shape" },
      groupings: [[]],
    },
    run: {
      data: {
        name: "diagvib",
        settings: { ...settings, predict: ["shape"], classes: { ...classes, position: places[positions] } },
        seed: 1,
      },
      select: { by: "val-loss" },
      ...run,
    },
  };
}

export function picturesSection(cases: readonly MeasuredCase[]): Section[] {
  const there = cases.filter(({ runs }) => runs.some(({ pictures }) => pictures !== undefined));
  if (there.length === 0) return [];
  return [
    {
      name: "pictures",
      heading: "What do autoencoders and the lens make of images? (Figures A2, A3, A4, A9)",
      text:
        "Drawn by the runs themselves, of validation images, one run each: to be looked at, and evidence of nothing by itself. Figure A2 shows traversals, A3 " +
        "reconstructions where objects lie at three places and at one, A4 and A9 what the lens lets through without and with a shortcut.",
      tables: [
        {
          name: "pictures",
          caption:
            "The runs that drew the pictures, and the mean per-class accuracy of each in testing; of the lens where the pattern is broken",
          columns: ["Run", "Data", "Predicted", "With", "Accuracy"].map((title) => ({ title })),
          rows: there.map(
            ({ method, about, runs }): Row => ({
              cells: [
                method,
                about!.study!,
                about!.predict!,
                about!.cue ?? null,
                seedsCell(
                  runs.map(({ unbiased }) => unbiased),
                  runs[0]!.count,
                ),
              ],
            }),
          ),
        },
      ],
      galleries: [
        {
          name: "pictures",
          caption: "What the runs have drawn, in the order of the table",
          pictures: there.flatMap(picturesOf),
        },
      ],
    },
  ];
}

function picturesOf({ method, about, runs }: MeasuredCase): Picture[] {
  const { study, predict, cue } = about!;
  const of = `${method}, ${study}, ${predict}${cue === undefined ? "" : ` with ${cue}`}`;
  return runs.flatMap(({ pictures = [] }) =>
    pictures.map(({ name, words, draw }) => ({
      label: `${of}: ${words}`,
      alt: `${of}: ${name}, ${words}`,
      draw,
    })),
  );
}
