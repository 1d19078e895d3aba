/** Images that show what was found: with and without a property, pictures that look the same, groups that cross splits. */

import { countCell, type Gallery, type Picture, type Section } from "../../core/section.ts";
import { thumbnail } from "../../images/thumbnail.ts";
import type { DiscoverAnswer, ShownImages } from "./answer.ts";
import { nameOf } from "./grouping/leaks.ts";

/** Findings with pictures. */
const mostGalleries = 3;
/** Pictures with a property, and without. */
const mostEach = 4;

/** What can be seen; where nothing can, the strongest of what files and names tell. */
export function findingGalleries({ findings, shown }: DiscoverAnswer): Gallery[] {
  const own = findings
    .map((finding, i) => ({ finding, examples: shown.examples[i]! }))
    .filter(({ finding }) => finding.explainedBy === null);
  const seen = own.filter(({ finding: { of } }) => of === "pixels" || of === "features");
  return (seen.length > 0 ? seen : own.slice(0, 1))
    .slice(0, mostGalleries)
    .map(({ finding, examples }, place) => ({
      name: `finding-${place + 1}`,
      caption: `“${finding.class}”: ${finding.statement}. With it, then without it`,
      pictures: [
        ...examples.having.slice(0, mostEach).map((index) => picture(shown, index, `with: ${finding.class}`)),
        // The class's own exceptions tell more than yet another class.
        ...[
          ...examples.lacking.map((index) => picture(shown, index, `without: ${finding.class}`)),
          ...examples.othersLacking.map((index) => picture(shown, index, "without: another class")),
        ]
          .filter((_, i) => i < mostEach / 2 || i >= examples.lacking.length)
          .slice(0, mostEach),
      ],
    }));
}

export function alikeSection({ lookAlikes, shown }: DiscoverAnswer): Section[] {
  const { groups, images, acrossSplits, acrossClasses, examples } = lookAlikes;
  if (groups === 0) return [];
  return [
    {
      name: "look-alikes",
      heading: "Pictures that are there more than once",
      facts: [
        [
          "groups that look the same",
          `${groups.toLocaleString("en")}, with ${images.toLocaleString("en")} images`,
        ],
        ["in more than one split", acrossSplits.toLocaleString("en")],
        ["with more than one class", acrossClasses.toLocaleString("en")],
      ],
      galleries: shown.lookAlikes.slice(0, mostGalleries).map((group, i) => ({
        name: `look-alikes-${i + 1}`,
        caption: "Look the same",
        pictures: group.map((index, k) =>
          picture(shown, index, `${examples[i]!.splits[k]}: ${examples[i]!.classes[k]}`),
        ),
      })),
      remarks: ["equal but for encoding, size, brightness or colour; each group counts once above"],
    },
  ];
}

export function leakSection({ leaks }: DiscoverAnswer): Section[] {
  if (leaks.length === 0) return [];
  return [
    {
      name: "leaks",
      heading: "What lies in more than one split",
      tables: [
        {
          name: "leaks",
          caption: "Groups of images that belong together and lie in more than one split",
          columns: [
            "images share",
            "groups",
            "across splits",
            "leaked images",
            "images outside training",
            "such as",
          ].map((title) => ({ title })),
          rows: leaks.map(({ share, groups, crossing, leaked, outside, examples }) => ({
            cells: [
              share,
              countCell(groups),
              countCell(crossing),
              countCell(leaked),
              countCell(outside),
              examples[0]?.slice(0, 2).join(" = ") ?? "",
            ],
          })),
        },
      ],
    },
  ];
}

function picture({ images }: ShownImages, index: number, words: string): Picture {
  const name = nameOf(images, index);
  return {
    label: `${words}, ${name}`,
    alt: `${name}, ${words}`,
    draw: async () => thumbnail(await images.pixels(index)),
  };
}
