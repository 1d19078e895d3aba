/** An audit to begin with: does the brightness of images go with their class? */

import { titled } from "./titled.ts";

export const auditTemplate = (
  name: string,
): string => `/** ${name}: does the brightness of images go with their class? */

import { countCell, decimalCell, defineAudit, definePlugin } from "cuelab/plugin";
import { z } from "zod";

const audit = defineAudit({
  name: "${name}",
  title: "${titled(name)}: does brightness go with the class?",
  description: "mean brightness of each class, and how far classes differ",
  // What it looks at: "dataset", "predictions", "accuracies", "objects", "features" or "pool".
  of: "dataset",
  question: z.strictObject({
    images: z.number().int().min(1).default(200).describe("of each class at most"),
  }),

  // The answer is plain data: numbers, texts, lists and records of them. It is what --json prints.
  async ask({ images: most }, { images, labels, classNames }, { signal, onProgress }) {
    const sums = classNames.map((className) => ({ className, images: 0, brightness: 0 }));
    for (let index = 0; index < images.count; index++) {
      signal?.throwIfAborted();
      onProgress?.("looking at images", index + 1, images.count, "images");
      const sum = sums[labels[index] ?? 0];
      if (sum === undefined || sum.images === most) continue;
      const { data } = await images.pixels(index);
      let total = 0;
      for (const value of data) total += value;
      sum.images++;
      sum.brightness += total / data.length / 255;
    }
    // A class without images has no brightness, which is not the same as being dark.
    const classes = sums.map(({ className, images, brightness }) => ({
      className,
      images,
      brightness: images === 0 ? null : brightness / images,
    }));
    const known = classes.flatMap(({ brightness }) => brightness ?? []);
    return { classes, difference: known.length === 0 ? null : Math.max(...known) - Math.min(...known) };
  },

  // Text, pages, Markdown, LaTeX and CSV are all made of these sections.
  show: ({ classes, difference }) => [
    {
      name: "brightness",
      heading: "Brightness by class",
      facts: [["between the brightest and the darkest class", decimalCell(difference, 3).text]],
      tables: [
        {
          name: "brightness",
          caption: "mean of all pixels, from 0 (black) to 1 (white)",
          columns: [{ title: "class" }, { title: "images" }, { title: "brightness" }],
          rows: classes.map(({ className, images, brightness }) => ({
            cells: [className, countCell(images), decimalCell(brightness, 3)],
          })),
        },
      ],
    },
  ],
});

export default definePlugin({ audits: [audit] });
`;
