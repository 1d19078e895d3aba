/** From the classes that each image has to its pixels: draws a value within each class's region, then the image. */

import type { Pixels } from "../../core/dataset.ts";
import { randomStream } from "../../core/random.ts";
import type { IdxImages } from "../../sources/idx.ts";
import { mnist } from "../../sources/mnist.ts";
import { textureKinds } from "../../sources/textures/index.ts";
import { type BackgroundKind, paintBackground } from "./backgrounds.ts";
import { type CorruptionKind, corrupt } from "./corruptions.ts";
import { drawObject, type ObjectFactors, placementOf, type TextureCrop } from "./draw.ts";
import { type FactorName, regions } from "./factors.ts";
import { objectMask, objectSide } from "./object.ts";
import { openShelf, type Part, type Textures } from "./textures.ts";

export interface World {
  digits: { train: IdxImages; test: IdxImages };
  textures: Textures;
  /** An image of the given classes, all other variation being that of `index`. */
  draw(index: number, part: Part, classOf: (factor: FactorName) => string): Pixels;
  /** The values that it is drawn with. */
  realise(index: number, part: Part, classOf: (factor: FactorName) => string): ObjectFactors;
}

/** Share of each digit's training images, in their order, that training may use; the rest is for validation. */
const trainShare = 0.8;

export async function openWorld(canvas: number, textures: Textures, seed: number): Promise<World> {
  const digits = { train: await mnist("train"), test: await mnist("test") };
  // Backgrounds are filled with built-in textures, which are large enough for any canvas.
  const shelf = await openShelf();
  const pools = digitPools(digits.train, digits.test);
  const values = randomStream(seed, "diagvib/values");
  const backgrounds = randomStream(seed, "diagvib/background");
  const corruptions = randomStream(seed, "diagvib/corruption");

  const realise: World["realise"] = (index, part, classOf) => {
    const random = values.at(index);
    const within = ([low, high]: readonly [number, number]) => low + (high - low) * random.uniform();
    // Every factor draws its own numbers in this order, so changing one factor's class leaves the others' values.
    const { row, column } = regions.position[classOf("position")]!;
    const place = { row: within(row), column: within(column) };
    const hue = within(regions.hue[classOf("hue")]!);
    const { darker, brighter } = regions.lightness[classOf("lightness")]!;
    const lightness = [within(darker), within(brighter)] as const;
    const scale = within(regions.scale[classOf("scale")]!);
    const pool = pools[part][Number(classOf("shape"))]!;
    const source = part === "test" ? digits.test : digits.train;
    const digit = source.image(pool[Math.floor(random.uniform() * pool.length)]!);
    const picture = textures.pick(textures.names.indexOf(classOf("texture")), part, random.uniform());
    return {
      ...place,
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
    draw(index, part, classOf) {
      const factors = realise(index, part, classOf);
      const data = new Uint8Array(3 * canvas * canvas);
      const behind = backgrounds.at(index);
      paintBackground(data, canvas, classOf("background") as BackgroundKind, behind, () => {
        const kind = Math.floor(behind.uniform() * textureKinds.length);
        const picture = shelf.pick(kind, part, behind.uniform());
        return cropOf(picture, canvas, behind.uniform(), behind.uniform());
      });
      drawObject(data, canvas, factors);
      corrupt(
        data,
        canvas,
        classOf("corruption") as CorruptionKind,
        placementOf(factors, canvas),
        corruptions.at(index),
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
function digitPools(train: IdxImages, test: IdxImages): Record<Part, number[][]> {
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
