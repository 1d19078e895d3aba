/** What a repair changed, in sections: the verdict on top, groups before and after, what was tried, and what the file is now. */

import { dotChart } from "../../charts/dot-chart.ts";
import {
  type Cell,
  countCell,
  type Figure,
  percentCell,
  pointsCell,
  type Section,
} from "../../core/section.ts";
import { percentText } from "../../core/words.ts";
import { methods } from "../../methods/index.ts";
import { showMoles } from "../moles/show.ts";
import type { LayerRepair, RepairedGroup } from "./answer.ts";

export const repairTitle = "A network with another last layer";
export const repairLead =
  "Only the last layer changes: it was fitted to features of the network as it is. After Kirichenko et al. 2023 and Li et al. 2023.";

/** In a few sentences, the verdict first. */
export function repairInShort(answer: LayerRepair): string[] {
  const { moles, verdict, reason, changes } = answer;
  const worse = changes.filter(({ change }) => change.high < 0).map(({ group }) => group);
  const better = changes.filter(({ change }) => change.low > 0).map(({ group }) => group);
  const list = (groups: readonly string[]) => (groups.length === 0 ? "none" : groups.join("; "));
  return [
    ...(moles === null ? [] : [moles.sentence]),
    verdict === "improved"
      ? `Improved: ${reason}.`
      : `This repair improves nothing that can be told: ${reason}.`,
    `Groups that became better beyond chance: ${list(better)}. Worse: ${list(worse)}. Intervals are over images, each by itself.`,
  ];
}

export function showRepair(answer: LayerRepair): Section[] {
  const { moles, chosen, parts, clusters, groups, accuracy, changes, remarks, notes, fileError } = answer;
  const method = methods.get(chosen.method);
  const which =
    chosen.kind === "linear" ? "one linear layer" : `${chosen.heads} heads, weighed for each image`;
  return [
    {
      name: "verdict",
      heading: "Did it help?",
      text: repairInShort(answer).join("\n\n"),
    },
    {
      name: "groups",
      heading: "Before and after, by group",
      text: `Accuracy of the file that was given and of the file that is handed back, on ${accuracy.images.toLocaleString("en")} images that neither fitted, tuned nor chose anything. Intervals are 95%, over images: they say nothing of another training of the network, or of other photographs than such as these.`,
      tables: [
        {
          name: "groups",
          caption:
            "Accuracy in per cent; change in points, each image paired with itself; better or worse beyond chance, each group by itself",
          columns: [
            { title: "group" },
            { title: "images" },
            { title: "accuracy", group: "before" },
            { title: "95%", group: "before" },
            { title: "accuracy", group: "after" },
            { title: "95%", group: "after" },
            { title: "points", group: "change" },
            { title: "95%", group: "change" },
            { title: "" },
          ],
          rows: [accuracy, ...changes].map((one) => ({
            cells: rowOf(one),
            marked: one.group === answer.worst,
          })),
        },
      ],
      figures: [groupsFigure(answer)],
      remarks: [`${answer.worst} was the worst group before, on the images for choosing`],
    },
    ...(moles === null ? [] : [showMoles(moles)]),
    {
      name: "changed",
      heading: "What was changed, and on which images",
      facts: [
        ["network", `${answer.model}, sha256 ${answer.modelDigest.slice(0, 16)}`],
        ["changed", `its last layer: now ${which}; all else as it was`],
        ["by", `${method.title} (${method.paper}), ${chosen.words}`],
        ["told", `the class${chosen.toldGroups ? ` and ${groups.join(", ")}` : ""} of the images to fit to`],
        ["images", answer.data],
        [
          "parts",
          `${Object.entries(parts)
            .map(([part, images]) => `${part} ${images.toLocaleString("en")}`)
            .join(
              ", ",
            )}; ${clusters.units.toLocaleString("en")} units of ${clusters.images.toLocaleString("en")} images: copies and bursts stay together`,
        ],
        ["file against fit", `largest difference of a logit ${percentText(fileError)} of the largest`],
      ],
      remarks: [...new Set([...notes.filter((note) => !/^(?:stage|evaluating) /.test(note)), ...remarks])],
    },
    {
      name: "tried",
      heading: "What was tried",
      text: "Of each method the settings with the best worst group on the images for tuning; of these, the best worst group on the images for choosing. None of these numbers is of images that the changes above are told of.",
      tables: [
        {
          name: "tried",
          caption: "Accuracy in per cent",
          columns: [
            { title: "method" },
            { title: "settings" },
            ...["tune", "choose"].flatMap((group) =>
              ["worst group", "mean of groups"].map((title) => ({ title, group })),
            ),
          ],
          rows: [
            {
              cells: [
                "as it was",
                null,
                null,
                null,
                percentCell(answer.before.worst),
                percentCell(answer.before.mean),
              ],
            },
            ...answer.tried.map(({ method: name, words, tune, choose, failure }) => ({
              marked: name === chosen.method && words === chosen.words,
              cells: [
                name,
                words,
                ...(tune === null
                  ? [failure ?? null, null]
                  : [percentCell(tune.worst), percentCell(tune.mean)]),
                ...(choose === null ? [null, null] : [percentCell(choose.worst), percentCell(choose.mean)]),
              ],
            })),
          ],
        },
      ],
    },
  ];
}

function rowOf({ group, images, before, after, change }: RepairedGroup): Cell[] {
  const share = ({ value, low, high }: RepairedGroup["before"]) => [
    percentCell(value),
    `${percentText(low)} – ${percentText(high)}`,
  ];
  const word = change.low > 0 ? "better" : change.high < 0 ? "worse" : null;
  return [
    group,
    countCell(images),
    ...share(before),
    ...share(after),
    pointsCell(change.value),
    `${pointsCell(change.low).text} to ${pointsCell(change.high).text}`,
    word,
  ];
}

function groupsFigure({ changes, worst }: LayerRepair): Figure {
  const spoken = changes.map(
    ({ group, before, after }) =>
      `${group} ${percentText(before.value)} before, ${percentText(after.value)} after`,
  );
  const caption = "Accuracy of each group before (hollow) and after";
  return {
    name: "groups",
    caption,
    draw: () =>
      dotChart({
        description: `${caption}: ${spoken.join("; ")}`,
        value: { title: "accuracy", domain: [0, 1] },
        marked: [worst],
        points: changes.flatMap(({ group, before, after }) => [
          { row: group, series: "accuracy", value: before.value, published: true },
          { row: group, series: "accuracy", value: after.value },
        ]),
      }),
  };
}
