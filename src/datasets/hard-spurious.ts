/**
 * Hard-Spurious-ImageNet ("Corner Cases: How Size and Position of Objects Challenge ImageNet-Trained Models"): objects
 * cut out of photographs and put, large or small, in the centre or in a corner, on the inpainted background that they
 * come from or on one of another class. Backgrounds go with classes; the smaller and further from the centre the object
 * is, the more a network goes by them.
 */

import { resolve } from "node:path";
import { type Dataset, standardSplits } from "../core/dataset.ts";
import { readClassAccuracy } from "../layouts/class-accuracy.ts";
import { defineDataset } from "./definition.ts";
import { placedAttributes } from "./hard-spurious/attributes.ts";
import { type ClassChoice, chooseClasses } from "./hard-spurious/classes.ts";
import { composedPictures, plainPictures } from "./hard-spurious/compose.ts";
import { refuseContradictions } from "./hard-spurious/contradictions.ts";
import { embeddedPhotographs } from "./hard-spurious/embedded.ts";
import { countsOf, type PlacedGroup, placedGroups } from "./hard-spurious/groups.ts";
import { type DrawnClass, drawnClasses } from "./hard-spurious/habits.ts";
import { createParts } from "./hard-spurious/parts.ts";
import type { Photographs, Split } from "./hard-spurious/photographs.ts";
import { openAlbums, photoPhotographs } from "./hard-spurious/photos.ts";
import { type HardSpuriousPlan, planImages, planPhotographs } from "./hard-spurious/plan.ts";
import { type HardSpuriousSettings, photoPlaces, settings } from "./hard-spurious/settings.ts";
import { withWatermark } from "./watermark-shortcut.ts";

/** The training sets of section 5.7, and the test set whose objects keep their proportions. */
const variants: Record<string, string[]> = {
  "erm-easy": ["count.train.medium=0", "count.train.hard=0"],
  // Twelve groups of 33: as near to the 400 of the unequal set as twelve equal groups come without more.
  "all-equal": ["count.train.easy=33", "count.train.medium=33", "count.train.hard=33"],
  "aspect-preserving": ["aspect=preserve"],
};

export const hardSpurious = defineDataset({
  name: "hard-spurious",
  title: "Hard-Spurious-ImageNet",
  description:
    "Objects cut out of photographs and put, at three sizes, in the centre or in the top right corner, on the inpainted " +
    "background that they come from or on one of another class: twelve groups. The label is the object's class; its " +
    "usual background is the shortcut, and size and position decide how tempting it is. In training most objects are " +
    "large and on their own background. Photographs are drawn ones, or your own with boxes.",
  paper:
    '"Corner Cases: How Size and Position of Objects Challenge ImageNet-Trained Models" (anonymous); Xiao et al. 2020',
  version: 2,
  pixelsDependOnProcessor: true,
  settings,
  places: ["backgroundAccuracy", ...photoPlaces],
  examples: ["source=embedded", "size=64", "classes=sedan,cow,horse", "inpaint=tiled"],
  small: [
    "classes=cow,van,fireplug",
    "size=32",
    "photographs.side=64",
    "inpaint=tiled",
    "count.train.easy=4",
    "count.train.medium=1",
    "count.train.hard=1",
    "count.val=1",
    "count.test=2",
  ],
  variants: {
    pattern: Object.keys(variants).join("|"),
    names: () => Object.keys(variants),
    assignments: (name) => (Object.hasOwn(variants, name) ? variants[name] : undefined),
  },
  build: async (chosen, seed) => {
    refuseContradictions(chosen);
    const sizes = chosen.sizes ?? [0.25, 0.375, 0.5].map((share) => Math.round(share * chosen.size));
    const groups = placedGroups(sizes, chosen.positions);
    const accuracies =
      chosen.backgroundAccuracy === undefined
        ? undefined
        : await readClassAccuracy(chosen.backgroundAccuracy);
    const counts = photographCounts(groups, chosen);
    if (chosen.source === "embedded") {
      const choice = chooseClasses(drawnClasses, chosen, accuracies, seed);
      const side = chosen.photographs.side ?? Math.max(chosen.size, Math.min(256, 2 * chosen.size));
      const classes = choice.all as DrawnClass[];
      return assemble(
        chosen,
        seed,
        groups,
        choice,
        await embeddedPhotographs({ classes, counts, side, seed }),
      );
    }
    const albums = await openAlbums(chosen);
    const choice = chooseClasses([...albums.titles.values()], chosen, accuracies, seed);
    const { train } = chosen.photographs;
    const photographs = await photoPhotographs({
      albums,
      classes: choice.all,
      counts: {
        ...counts,
        train,
        test: albums.train === albums.test ? counts.test : chosen.photographs.test,
      },
      settings: chosen,
      seed,
    });
    return assemble(chosen, seed, groups, choice, photographs);
  },
});

/** As many as the largest group of each split has images. */
function photographCounts(
  groups: readonly PlacedGroup[],
  chosen: HardSpuriousSettings,
): Record<Split, number> {
  const largest = (split: Split) => Math.max(...groups.map((group) => countsOf(group, chosen)[split]));
  const { train, val, test } = chosen.photographs;
  return {
    train: train ?? largest("train"),
    val: val ?? largest("val"),
    test: test ?? largest("test"),
  };
}

async function assemble(
  chosen: HardSpuriousSettings,
  seed: number,
  groups: readonly PlacedGroup[],
  choice: ClassChoice,
  photographs: Photographs,
): Promise<Dataset> {
  const { size, content } = chosen;
  const parts = await createParts(photographs, chosen);
  const composed = content === "composed";
  const plan = composed
    ? planImages(photographs, choice, groups, chosen, seed)
    : planPhotographs(photographs);
  await photographs.check?.(new Set([...plan.photographs, ...plan.backgrounds]));
  const { pixels, sideImages, boxes } = composed
    ? composedPictures(plan, groups, parts, photographs, chosen, seed)
    : plainPictures(plan, parts, photographs, chosen);
  const dataset: Dataset = {
    name: hardSpurious.name,
    images: {
      count: plan.labels.length,
      shape: { height: size, width: size, channels: 3 },
      costly: true,
      describe: (index) => `hard-spurious image ${index} (${photographs.describe(plan.photographs[index]!)})`,
      pixels,
    },
    labels: plan.labels,
    classNames: choice.objects,
    attributes: composed ? placedAttributes(plan, groups, choice) : {},
    splits: { names: standardSplits, values: plan.splits },
    sideImages,
    boxes,
    provenance: {
      title: chosen.version === 2 ? `${hardSpurious.title}-v2` : hardSpurious.title,
      description: hardSpuriousText(chosen, groups, choice) + lentText(plan, photographs),
      generator: { name: hardSpurious.name, version: hardSpurious.version },
      settings: { ...chosen, ...absolutePlaces(chosen) },
      seed,
      sources: photographs.sources,
      citation: hardSpurious.paper,
      license: photographs.license,
      skipped: photographs.skipped,
      ...shiftedSplits(chosen),
    },
  };
  return withWatermark(dataset, chosen, seed);
}

function absolutePlaces(chosen: HardSpuriousSettings): Partial<HardSpuriousSettings> {
  const names = ["backgroundAccuracy", ...photoPlaces] as const;
  return Object.fromEntries(
    names.flatMap((name) => (chosen[name] === undefined ? [] : [[name, resolve(chosen[name])]])),
  );
}

/** Validation and test images are spread over the groups evenly, training images are not unless asked to be. */
function shiftedSplits({ content, count: { train } }: HardSpuriousSettings): { shiftedSplits?: string[] } {
  if (content === "background-test") return { shiftedSplits: ["test"] };
  if (content !== "composed") return {};
  return train.easy === train.medium && train.easy === train.hard ? {} : { shiftedSplits: ["val", "test"] };
}

const contents: Record<Exclude<HardSpuriousSettings["content"], "composed">, string> = {
  photographs: "Photographs of objects, each in its class's usual surroundings",
  clean: "Photographs of objects, the shorter side resized and the middle cut out",
  backgrounds: "Photographs from which the object was removed; what is left may still give its class away",
  "background-test":
    "Photographs of objects to train on, and to test on others from which the object was removed: accuracy on these is " +
    "what backgrounds alone give away",
};

/** Of photographs that are nothing but object, and so have no background of their own. */
function lentText(
  { photographs: objects, backgrounds }: HardSpuriousPlan,
  { hasBackground }: Photographs,
): string {
  if (hasBackground === undefined) return "";
  const borrowing = new Set([...objects].filter((photograph) => !hasBackground(photograph)));
  if (borrowing.size === 0 || backgrounds.every((background, i) => background === objects[i])) return "";
  return ` ${borrowing.size} photographs are nothing but object: their original background is that of another photograph of their class.`;
}

/** What this very dataset is. */
function hardSpuriousText(
  chosen: HardSpuriousSettings,
  groups: readonly PlacedGroup[],
  { objects, partner, all }: ClassChoice,
): string {
  const { size, source, inpaint, content } = chosen;
  const from = source === "embedded" ? "drawn photographs" : "photographs";
  const filled = inpaint === "given" || inpaint === "exact" ? "known" : `filled by ${inpaint}`;
  if (content !== "composed")
    return `${contents[content]}: ${size} × ${size}, from ${from}, backgrounds ${filled}.`;
  const pairs = objects.map((name, label) => `${name} on ${all[partner[label]!]}`);
  return (
    `${hardSpurious.description} Here ${size} × ${size} images of ${groups.length} groups (` +
    `${groups.map(({ name }) => name).join(", ")}) from ${from}, backgrounds ${filled}. ` +
    `Random backgrounds: ${pairs.slice(0, 20).join(", ")}${pairs.length > 20 ? ", …" : ""}.`
  );
}
