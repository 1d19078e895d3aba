/** A sheep: a cloud of fleece on thin short legs, with a small light or dark face. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Corner, fade, fillDisc, fillShape, upright } from "../shapes.ts";
import { extentOf, type FleshJoint, fillChains } from "./flesh.ts";

const wools = [
  [42, 18, 84],
  [42, 18, 84],
  [40, 16, 74],
  [28, 18, 40],
] as const;

const skins = [
  [24, 12, 14],
  [30, 20, 74],
  [28, 22, 42],
] as const;

export function sheep(random: Random): ObjectDrawing {
  const wool = near(random, oneOf(random, wools));
  const skin = near(random, oneOf(random, skins));
  const length = between(random, 0.9, 1.1);
  const height = between(random, 0.6, 0.7);
  const legs = between(random, 0.24, 0.32);
  const legWidth = between(random, 0.05, 0.058);
  const fleece = decideFleece(random, length, height, legs + height / 2);
  const head = decideHead(random, length, height, legs);
  const [pollX, pollY] = head.poll;
  const neck: FleshJoint[] = [
    [0.84 * length, legs + height / 2 + 0.08, 0.2],
    [pollX - 0.04, pollY, 0.13],
  ];
  const leg = (x: number): FleshJoint[] => [
    [x, legs + 0.1, legWidth + 0.03],
    [x + between(random, -0.05, 0.05), legWidth, legWidth],
  ];
  const farLegs = [leg(0.32 * length), leg(0.74 * length)];
  const nearLegs = [leg(0.18 * length), leg(0.86 * length)];
  const extent = extentOf([...fleece.chains, head.chain, neck, ...farLegs, ...nearLegs]);
  const mirrored = random.boolean(0.5);
  const draw = (pen: Pen, pixel: number) => {
    const shaded = fade(pen, legs, legs + height, [
      [0, css(wool, -26)],
      [0.4, css(wool, -9)],
      [1, css(wool, 7)],
    ]);
    fillChains(pen, farLegs, css(skin, -8), pixel);
    fillChains(pen, nearLegs, css(skin), pixel);
    fillChains(pen, [...fleece.chains, neck], shaded);
    if (pixel < 0.03) fleece.drawCurls(pen, wool);
    head.draw(pen, skin, wool);
  };
  return upright(extent, draw, { mirrored });
}

/** Clumps around a core, and curls upon them. */
function decideFleece(random: Random, length: number, height: number, middle: number) {
  const count = 13 + random.integer(5);
  const clumps = Array.from({ length: count }, (_, i): FleshJoint => {
    const angle = (2 * Math.PI * (i + between(random, -0.2, 0.2))) / count;
    const radius = between(random, 0.11, 0.17);
    return [0.5 * length + 0.43 * length * Math.cos(angle), middle + 0.34 * height * Math.sin(angle), radius];
  });
  const core: FleshJoint[] = [
    [0.3 * length, middle, 0.36 * height],
    [0.7 * length, middle, 0.36 * height],
  ];
  const curls = Array.from({ length: 16 }, () => ({
    x: (0.5 + between(random, -0.38, 0.38)) * length,
    y: middle + between(random, -0.24, 0.3) * height,
    radius: between(random, 0.06, 0.1),
  }));
  const drawCurls = (pen: Pen, wool: Colour) => {
    const discs = (rise: number, ink: string) => {
      pen.beginPath();
      for (const { x, y, radius } of curls) {
        pen.moveTo(x + radius, y + rise);
        pen.arc(x, y + rise, radius, 0, 2 * Math.PI);
      }
      pen.fillStyle = ink;
      pen.fill();
    };
    discs(-0.022, css(wool, -18, 0.45));
    discs(0.008, css(wool, -1, 0.55));
    pen.beginPath();
    for (const { x, y, radius } of curls) {
      pen.moveTo(x + radius, y);
      pen.arc(x, y, radius, 0, Math.PI);
    }
    pen.lineWidth = 0.018;
    pen.strokeStyle = css(wool, 9, 0.6);
    pen.stroke();
  };
  return { chains: [...clumps.map((clump) => [clump]), core], drawCurls };
}

/** Lifted, or down in the grass. */
function decideHead(random: Random, length: number, height: number, legs: number) {
  const grazing = random.boolean(0.35);
  const [x, y] = grazing
    ? [length + 0.14, legs + 0.16]
    : [length + between(random, 0.06, 0.12), legs + height * between(random, 0.82, 0.98)];
  const muzzle = grazing ? ([x + 0.16, 0.1] as const) : ([x + 0.2, y - 0.16] as const);
  const chain: FleshJoint[] = [
    [x, y, 0.12],
    [muzzle[0], muzzle[1], 0.075],
  ];
  const ear: Corner[] = [
    [x - 0.02, y + 0.08],
    [x - 0.2, y + 0.06, 0.04],
    [x - 0.16, y - 0.04, 0.04],
    [x, y],
  ];
  const topknot = random.boolean(0.6);
  const horns = random.boolean(0.15);
  const draw = (pen: Pen, skin: Colour, wool: Colour) => {
    fillShape(pen, ear, css(skin, -4));
    fillChains(pen, [chain], css(skin, 3));
    if (topknot) fillDisc(pen, [x - 0.03, y + 0.09], 0.1, css(wool, 2));
    if (horns) {
      pen.beginPath();
      pen.arc(x - 0.06, y + 0.02, 0.09, -1, 3.4);
      pen.lineWidth = 0.05;
      pen.strokeStyle = css({ hue: 36, saturation: 22, lightness: 52 });
      pen.stroke();
    }
    const eye = skin.lightness < 30 ? [40, 60, 60] : [20, 20, 8];
    fillDisc(
      pen,
      [x + 0.05, y + 0.01],
      0.022,
      css({ hue: eye[0]!, saturation: eye[1]!, lightness: eye[2]! }),
    );
  };
  return { poll: [x, y] as const, chain, draw };
}
