/** From the classes that each image has to its pixels: draws a value within each class's region, then the image. */

import type { Pixels } from "../../core/dataset.ts";
import { type RandomStream, randomStream } from "../../core/random.ts";
import type { IdxImages } from "../../sources/idx.ts";
import { mnist } from "../../sources/mnist.ts";
import { textureKinds } from "../../sources/textures/index.ts";
import { type BackgroundKind, paintBackground } from "./backgrounds.ts";
import { type CorruptionKind, corrupt } from "./corruptions.ts";
import { drawObject, type ObjectFactors, placementOf, type TextureCrop } from "./draw.ts";
import { type FactorName, regions } from "./factors.ts";
import { objectMask, objectSide } from "./object.ts";
import { openShelf, type TexturePart, type Textures } from "./textures.ts";

/** Which image: its split, where that split's digits and textures come from, and its position in the split. */
interface WorldPlace {
  split: string;
  part: TexturePart;
  position: number;
}

export interface DiagvibWorld {
  digits: { train: IdxImages; test: IdxImages };
  textures: Textures;
  /** An image of the given classes. All other variation is that of its place, whatever the size of other splits. */
  draw(place: WorldPlace, classOf: (factor: FactorName) => string): Pixels;
  /** The values that it is drawn with. */
  realise(place: WorldPlace, classOf: (factor: FactorName) => string): ObjectFactors;
}

/** Share of each digit's training images, in their order, that training may use; the rest is for validation. */
const trainShare = 0.8;

export async function openWorld(canvas: number, textures: Textures, seed: number): Promise<DiagvibWorld> {
  const digits = { train: await mnist("train"), test: await mnist("test") };
  // Backgrounds are filled with built-in textures, which are large enough for any canvas.
  const shelf = await openShelf();
  const pools = digitPools(digits.train, digits.test);
  const streams = new Map<string, RandomStream>();
  const randomOf = (purpose: string, { split, position }: WorldPlace) => {
    const key = `diagvib/${purpose}/${split}`;
    let stream = streams.get(key);
    if (stream === undefined) {
      stream = randomStream(seed, key);
      streams.set(key, stream);
    }
    return stream.at(position);
  };

  const realise: DiagvibWorld["realise"] = (place, classOf) => {
    const { part } = place;
    const random = randomOf("values", place);
    const within = ([low, high]: readonly [number, number]) => low + (high - low) * random.uniform();
    // Every factor draws its own numbers in this order, so changing one factor's class leaves the others' values.
    const { row, column } = regions.position[classOf("position")]!;
    const centre = { row: within(row), column: within(column) };
    const hue = within(regions.hue[classOf("hue")]!);
    const { darker, brighter } = regions.lightness[classOf("lightness")]!;
    const lightness = [within(darker), within(brighter)] as const;
    const scale = within(regions.scale[classOf("scale")]!);
    const pool = pools[part][Number(classOf("shape"))]!;
    const source = part === "test" ? digits.test : digits.train;
    const digit = source.image(pool[Math.floor(random.uniform() * pool.length)]!);
    const picture = textures.pick(textures.names.indexOf(classOf("texture")), part, random.uniform());
    return {
      ...centre,
      hue,
      lightness,
      scale,
      object: objectMask(digit, source.height, source.width),
      texture: cropOf(picture, objectSide, random.uniform(), random.uniform()),
    };
  };

  return {
    digits,
    textures,
    realise,
    draw(place, classOf) {
      const factors = realise(place, classOf);
      const data = new Uint8Array(3 * canvas * canvas);
      const behind = randomOf("background", place);
      paintBackground(data, canvas, classOf("background") as BackgroundKind, behind, () => {
        const kind = Math.floor(behind.uniform() * textureKinds.length);
        const picture = shelf.pick(kind, place.part, behind.uniform());
        return cropOf(picture, canvas, behind.uniform(), behind.uniform());
      });
      drawObject(data, canvas, factors);
      corrupt(
        data,
        canvas,
        classOf("corruption") as CorruptionKind,
        placementOf(factors, canvas),
        randomOf("corruption", place),
      );
      return { data, height: canvas, width: canvas, channels: 3 };
    },
  };
}

function cropOf(
  { grey, width, height }: { grey: Uint8Array; width: number; height: number },
  side: number,
  down: number,
  along: number,
): TextureCrop {
  return {
    grey,
    width,
    top: Math.floor(down * (height - side + 1)),
    left: Math.floor(along * (width - side + 1)),
  };
}

/** For each part and digit, the positions of its images. */
function digitPools(train: IdxImages, test: IdxImages): Record<TexturePart, number[][]> {
  const byDigit = ({ labels }: IdxImages) => {
    const positions: number[][] = Array.from({ length: 10 }, () => []);
    for (const [position, digit] of labels.entries()) positions[digit]!.push(position);
    return positions;
  };
  const training = byDigit(train);
  const cut = (positions: number[]) => Math.floor(trainShare * positions.length);
  return {
    train: training.map((positions) => positions.slice(0, cut(positions))),
    val: training.map((positions) => positions.slice(cut(positions))),
    test: byDigit(test),
  };
}
