/** What each class is made of, in sections: numbers, pictures, and what a repair changes. */

import { decimalCell, percentCell, pointsCell, type Section } from "../../core/section.ts";
import type { ImageMean } from "../looks/answer.ts";
import type { ComponentsFound } from "./answer.ts";

export function showComponents(answer: ComponentsFound): Section[] {
  const { components, pictures, repair, splits, images, region, model, remarks } = answer;
  const titles = [
    "class:number",
    "of the variance",
    "of the class",
    "taken for it",
    "of a known cue (of all)",
    "P(class)",
    "without it",
    "with it alone",
    ...(region === null ? [] : ["map off the object"]),
    "gain without",
    "p",
  ];
  return [
    {
      name: "components",
      heading: "What each class is made of",
      text: "Features times the class's weights add up to its logit; their principal components over the class's images are the ways in which these images differ in what speaks for the class. Numbers are of the images that activate a component most, whatever they are of.",
      facts: [
        ["model", model],
        ["fitted on", `${images.fit.toLocaleString("en")} images of ${splits.fit}`],
        [
          "harm judged on",
          images.choose === 0
            ? "nothing"
            : `${images.choose.toLocaleString("en")} images of ${splits.choose}`,
        ],
        ["told of", `${images.report.toLocaleString("en")} images of ${splits.report}`],
        ...(region === null ? [] : [["object", region] as [string, string]]),
      ],
      tables: [
        {
          name: "components",
          caption:
            "“without it”: the class's probability when the component is as in the class's mean image; “with it alone”: when all else is. “gain”: of the mean accuracy over classes; p against the largest change of all when each changed image might as well have changed the other way" +
            (region === null ? "" : ". “map off the object”: the map's share outside, less the area's"),
          columns: titles.map((title) => ({ title })),
          rows: components.map((one) => ({
            cells: [
              `${one.class}:${one.component}`,
              percentCell(one.share),
              `${one.ofClass} of ${one.top.length}`,
              `${one.takenFor} of ${one.top.length}`,
              one.cue === null
                ? null
                : `${one.cue.name} ${one.cue.value}: ${one.cue.top} of ${one.top.length} (${percentCell(one.cue.all).text})`,
              percentCell(one.before.mean),
              percentCell(one.without.mean),
              percentCell(one.alone.mean),
              ...(region === null ? [] : [pointsCell(one.offObject?.mean ?? null)]),
              pointsCell(one.chosen?.gain ?? null),
              decimalCell(one.chosen?.pValue ?? null, 3),
            ],
            marked: one.chosen !== null && one.chosen.gain > 0 && one.chosen.pValue < 0.05,
          })),
        },
      ],
      remarks,
    },
    ...components.map(
      ({ class: of, component }, i): Section => ({
        name: `component-${i + 1}`,
        heading: i === 0 ? "Images that activate them most" : "",
        galleries: [
          {
            name: `component-${i + 1}`,
            caption: `${of}:${component}. Left the image, right where the component is (yellow); objects are outlined`,
            pictures: pictures[i]!.map(({ label, ...file }) => ({
              label,
              alt: `activates component ${component} of ${of}: ${label}`,
              draw: async () => file,
            })),
          },
        ],
      }),
    ),
    ...(repair === null ? [] : [repairSection(answer)]),
  ];
}

function repairSection({ repair, splits, repaired }: ComponentsFound): Section {
  const { removed, images, accuracy, groups } = repair!;
  const none = removed.length === 0;
  return {
    name: "repair",
    heading: "The last layer without them",
    text: none
      ? "Nothing was removed: no component does harm by more than chance."
      : `Each removed component is in every image as in the class's mean image: the last layer's weights and biases change, and nothing else. Told of ${images.toLocaleString("en")} images of ${splits.report}, which chose nothing.`,
    ...(!none && {
      facts: [
        ["removed", removed.join(", ")],
        [
          "accuracy",
          `${percentCell(accuracy.before).text} before, ${percentCell(accuracy.after).text} after`,
        ],
        [
          "change",
          `${pointsCell(accuracy.change.mean).text} points, 95% over images ${interval(accuracy.change)}`,
        ],
        [
          "file",
          repaired === undefined
            ? "none: what was asked is no file"
            : "repaired.onnx, in the folder of --out",
        ],
      ],
      tables: [
        {
          name: "repair",
          caption: "Accuracy by group",
          columns: ["group", "images", "before", "after", "change"].map((title) => ({ title })),
          rows: groups.map(({ group, images: count, before, after }) => ({
            cells: [
              group,
              { value: count, text: String(count) },
              percentCell(before),
              percentCell(after),
              pointsCell(after - before),
            ],
          })),
        },
      ],
    }),
  };
}

function interval({ low, high }: ImageMean): string {
  return low === null || high === null ? "–" : `${pointsCell(low).text} to ${pointsCell(high).text}`;
}
