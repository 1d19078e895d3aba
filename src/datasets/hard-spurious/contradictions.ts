/** Settings that contradict each other, lack another or have no effect: refused before anything is read. */

import { CuelabError } from "../../core/errors.ts";
import { type HardSpuriousSettings, photoPlaces } from "./settings.ts";

export function refuseContradictions(chosen: HardSpuriousSettings): void {
  refuseVersions(chosen);
  refusePlacement(chosen);
  if (chosen.source === "embedded") refuseForDrawings(chosen);
  else refuseForPhotographs(chosen);
}

function refuse(what: string, todo: string): never {
  throw new CuelabError({ kind: "usage", what, todo });
}

function refuseVersions({
  version,
  backgroundAccuracy,
  v2Classes,
  backgroundClasses,
  content,
}: HardSpuriousSettings) {
  if (version === 2 && backgroundAccuracy === undefined)
    refuse(
      "version=2 chooses classes by how well they are known from their backgrounds alone",
      "backgroundAccuracy=table.csv with the columns class and accuracy; docs/hard-spurious.md says how to measure it",
    );
  const idle = Object.entries({ backgroundAccuracy, v2Classes }).find(([, value]) => value !== undefined);
  if (version === 1 && idle !== undefined)
    refuse(`${idle[0]} has no effect without version=2`, "add version=2, or leave it away");
  if (version === 2 && backgroundClasses.length > 0)
    refuse("version=2 chooses the backgrounds by itself", "leave backgroundClasses away, or version=2");
  if (content !== "composed" && (version === 2 || backgroundClasses.length > 0))
    refuse(
      `content=${content} puts no object on another background`,
      "leave version and backgroundClasses away",
    );
}

function refusePlacement({ size, sizes = [], positions, corner }: HardSpuriousSettings) {
  const tooLarge = sizes.find((side) => side > size);
  if (tooLarge !== undefined)
    refuse(`an object of ${tooLarge} pixels does not fit an image of ${size}`, "lower sizes, or raise size");
  for (const [name, list] of Object.entries<readonly (string | number)[]>({ sizes, positions })) {
    const twin = list.find((value, i) => list.indexOf(value) < i);
    if (twin !== undefined) refuse(`${name} has ${twin} twice`, "leave one of them away");
  }
  if (corner !== undefined && !positions.includes("corner"))
    refuse(
      `corner=${corner} has no effect where no object is put in a corner (positions=${positions.join(",")})`,
      "add corner to positions, or leave it away",
    );
}

function refuseForDrawings(chosen: HardSpuriousSettings) {
  if (chosen.inpaint === "given")
    refuse("drawn photographs have no files inpainted elsewhere", "inpaint=exact for what the drawing hides");
  const idle = photoPlaces.find((name) => chosen[name] !== undefined);
  if (idle !== undefined)
    refuse(`${idle} has no effect on drawn photographs`, "add source=photos, or leave it away");
  if (chosen.skipBroken)
    refuse("skipBroken has no effect on drawn photographs", "add source=photos, or leave it away");
}

function refuseForPhotographs(chosen: HardSpuriousSettings) {
  const { inpaint, testImages } = chosen;
  if (inpaint === "exact")
    refuse("what photographs hide is not known", "inpaint=telea, navier-stokes, tiled or given");
  if (inpaint !== "given" && (chosen.trainInpainted ?? chosen.testInpainted) !== undefined)
    refuse(
      "images inpainted elsewhere are used with inpaint=given alone",
      "add inpaint=given, or leave them away",
    );
  if (chosen.photographs.side !== undefined)
    refuse("photographs.side is for drawn photographs", "leave it away");
  const idle = (["testBoxes", "testMasks", "testInpainted"] as const).find(
    (name) => chosen[name] !== undefined,
  );
  if (testImages === undefined && idle !== undefined)
    refuse(`${idle} has no effect without testImages`, "add testImages, or leave it away");
  if (chosen.cut === "mask" && chosen.trainMasks === undefined)
    refuse("cut=mask needs masks", "give trainMasks, and testMasks where there are testImages; or cut=box");
  for (const { name, why } of requiredPlaces(chosen)) {
    if (chosen[name] === undefined) refuse(`${name} must be given ${why}`, `--set ${name}=path`);
  }
}

/** What training photographs have, test photographs must have too: else a network could tell the splits apart. */
function requiredPlaces({ testImages, trainMasks, testMasks, inpaint }: HardSpuriousSettings) {
  const places: { name: (typeof photoPlaces)[number]; why: string }[] = [
    { name: "trainImages", why: "with source=photos" },
    { name: "trainBoxes", why: "with trainImages" },
  ];
  if (inpaint === "given") places.push({ name: "trainInpainted", why: "with inpaint=given" });
  if (testImages === undefined) return places;
  places.push({ name: "testBoxes", why: "with testImages" });
  if (inpaint === "given")
    places.push({ name: "testInpainted", why: "with inpaint=given where there are testImages" });
  if (trainMasks !== undefined)
    places.push({ name: "testMasks", why: "with trainMasks where there are testImages" });
  if (testMasks !== undefined) places.push({ name: "trainMasks", why: "with testMasks" });
  return places;
}
