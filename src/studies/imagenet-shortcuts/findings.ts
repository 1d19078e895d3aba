/** What the paper found of last layers on ImageNet, looked for in ours by rules that were written before. */

import type { Finding } from "../../core/section.ts";
import type { Measured } from "../jobs/kinds.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { differenceOfNetworks, networksOf } from "../pretrained/networks.ts";
import type { RegisteredPlan } from "../study.ts";
import { type GapName, gapsOf } from "./gaps.ts";
import { parts } from "./plan.ts";
import type { ShortcutsPreset } from "./presets.ts";
import { ablations, baseline, ensemble, inferring, targeted, unaware } from "./rows.ts";

export const claims = {
  all: "The standard last layer leans on all three: mark, texture and background",
  own: "Augmentation against one shortcut lowers the reliance on that one",
  moles: "Augmentation against one shortcut raises the reliance on another",
  unaware: "Mixup, CutMix, Cutout and spectral decoupling leave the reliance on the mark as it is",
  inferring: "Methods that infer which images a shortcut misleads lean more on the mark",
  ensemble: "Last Layer Ensemble lowers the reliance on all three",
  accuracy: "Last Layer Ensemble costs no accuracy",
  single: "One head that sees all views leans more on texture than the ensemble",
  alike: "Without its classifier of views the ensemble leans more on the mark",
};

export type ShortcutClaim = keyof typeof claims;

/** Row, the row that it is compared with, and what about; the sign is that of less reliance, or of more. */
interface ComparedRows {
  rows: readonly [string, string];
  gap: GapName;
  reliance: "less" | "more" | "level";
}

/** From reliance to the sign of a gap's difference. */
const signOf = (gap: GapName, reliance: ComparedRows["reliance"]): "above" | "below" =>
  (gap === "class") === (reliance === "more") ? "above" : "below";

const against = (
  row: string,
  gap: GapName,
  reliance: ComparedRows["reliance"],
  other = baseline,
): ComparedRows => ({
  rows: [row, other],
  gap,
  reliance,
});

export const comparisons: Readonly<Record<Exclude<ShortcutClaim, "all">, readonly ComparedRows[]>> = {
  own: (["watermark", "texture", "background"] as const).map((gap) => against(targeted[gap], gap, "less")),
  // As Table 4 has them.
  moles: [
    against(targeted.watermark, "background", "more"),
    against(targeted.texture, "class", "more"),
    against(targeted.texture, "background", "more"),
    against(targeted.background, "class", "more"),
  ],
  unaware: unaware.map((row) => against(row, "watermark", "level")),
  inferring: inferring.map((row) => against(row, "watermark", "more")),
  ensemble: (["watermark", "texture", "background"] as const).map((gap) => against(ensemble, gap, "less")),
  accuracy: [against(ensemble, "plain", "level")],
  single: [against(ablations.single, "texture", "more", ensemble)],
  alike: [against(ablations.alike, "watermark", "more", ensemble)],
};

export const nameOf = ({ rows: [row, other], gap }: ComparedRows) =>
  `${row} less ${other}, ${gap === "plain" ? "accuracy" : `${gap} gap`}`;

export function shortcutFindings(
  measured: readonly Measured[],
  { margin }: RegisteredPlan,
  preset: ShortcutsPreset,
): Finding[] {
  const networks = networksOf(measured, parts.shortcuts);
  const standard = networks.find(({ label }) => label === baseline);
  const names = Object.keys(claims) as ShortcutClaim[];
  if (standard === undefined) return names.map((name) => untold(claims[name], `${baseline} was not asked`));
  const gaps = gapsOf(measured, preset);
  const relied = (["watermark", "class", "texture", "background"] as const).map(
    (gap): JudgedDifference => ({
      name: `${baseline}, ${gap} gap`,
      values:
        standard.open === undefined
          ? standard.answers.flatMap((answer) => gaps[gap](answer)?.value ?? [])
          : [],
      open: standard.open ?? "not asked",
      expected: gap === "class" ? "above" : "below",
    }),
  );
  return names.map((name) =>
    judged(
      claims[name],
      name === "all"
        ? relied
        : comparisons[name].map((compared): JudgedDifference => {
            const { rows, gap, reliance } = compared;
            return {
              name: nameOf(compared),
              ...differenceOfNetworks(networks, rows, gaps[gap]),
              expected: signOf(gap, reliance === "level" ? "less" : reliance),
              ...(reliance === "level" && { holds: ["equivalent"] as const }),
            };
          }),
      { margin, evidence: [] },
    ),
  );
}
