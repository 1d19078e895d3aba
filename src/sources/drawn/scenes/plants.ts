/** Trees of several species and seasons, hedges and bushes. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { polygon } from "./camera.ts";
import { css, hsl, mix, type SceneColour, shade, vary } from "./colour.ts";
import { faded, type Light } from "./light.ts";
import { roughen } from "./tiles.ts";

export type Species = "round" | "poplar" | "conifer" | "birch" | "bare" | "palm" | "pine";

/** Where a tree stands on the picture and how high it is there; `metres` decides how much air lies before it. */
export interface Stand {
  x: number;
  base: number;
  height: number;
  metres: number;
}

export function leafColour(random: Random, season: "summer" | "autumn" | "spring" | "dark"): SceneColour {
  switch (season) {
    case "summer":
      return hsl(between(random, 72, 118), between(random, 22, 45), between(random, 22, 36));
    case "autumn":
      return hsl(between(random, 12, 52), between(random, 45, 75), between(random, 32, 46));
    case "spring":
      return hsl(between(random, 65, 100), between(random, 35, 55), between(random, 38, 52));
    case "dark":
      return hsl(between(random, 120, 165), between(random, 18, 35), between(random, 16, 26));
    default:
      return season satisfies never;
  }
}

export function drawTree(
  pen: Pen,
  random: Random,
  light: Light,
  stand: Stand,
  species: Species,
  leaves: SceneColour,
): void {
  const colour = faded(vary(random, leaves, 10), stand.metres, light);
  const bark = faded(hsl(between(random, 20, 40), 18, between(random, 18, 32)), stand.metres, light);
  const { x, base, height } = stand;
  switch (species) {
    case "round": {
      trunk(pen, x, base, height * 0.55, height * 0.06, bark);
      const width = height * between(random, 0.3, 0.46);
      crown(pen, random, light, stand, { x, y: base - height * 0.64, width, height: height * 0.36 }, colour);
      break;
    }
    case "poplar":
      trunk(pen, x, base, height * 0.3, height * 0.04, bark);
      crown(
        pen,
        random,
        light,
        stand,
        { x, y: base - height * 0.54, width: height * 0.13, height: height * 0.46 },
        colour,
      );
      break;
    case "birch": {
      const pale = faded(hsl(45, 10, between(random, 72, 85)), stand.metres, light);
      trunk(pen, x, base, height * 0.8, height * 0.035, pale);
      const width = height * between(random, 0.18, 0.28);
      crown(pen, random, light, stand, { x, y: base - height * 0.66, width, height: height * 0.34 }, colour);
      break;
    }
    case "pine": {
      const needles = faded(evergreen(random, leaves), stand.metres, light);
      trunk(pen, x, base, height * 0.85, height * 0.045, mix(bark, [150, 80, 50], 0.35));
      const width = height * between(random, 0.22, 0.34);
      crown(pen, random, light, stand, { x, y: base - height * 0.82, width, height: height * 0.18 }, needles);
      break;
    }
    case "conifer":
      trunk(pen, x, base, height * 0.3, height * 0.035, bark);
      conifer(pen, random, stand, faded(evergreen(random, leaves), stand.metres, light));
      break;
    case "bare":
      branches(pen, random, stand, bark);
      break;
    case "palm":
      palm(pen, random, stand, colour, mix(bark, [160, 130, 95], 0.5));
      break;
    default:
      species satisfies never;
  }
}

/** Needles stay dark green in every season, with a trace of their neighbours. */
function evergreen(random: Random, leaves: SceneColour): SceneColour {
  return mix(hsl(between(random, 105, 165), between(random, 18, 34), between(random, 17, 28)), leaves, 0.15);
}

interface Crown {
  x: number;
  y: number;
  /** Half of each. */
  width: number;
  height: number;
}

/** A heap of leaves: a dark one, a light one towards the sun, and speckles over both. */
function crown(
  pen: Pen,
  random: Random,
  light: Light,
  { metres }: Stand,
  { x, y, width, height }: Crown,
  colour: SceneColour,
): void {
  pen.save();
  pen.beginPath();
  lumpyOutline(pen, random, { x, y, width, height });
  const glow = pen.createLinearGradient(
    x + light.sunSide * width * 0.7,
    y - height,
    x - light.sunSide * width * 0.5,
    y + height,
  );
  glow.addColorStop(0, css(shade(colour, 1.12 + 0.12 * light.contrast)));
  glow.addColorStop(0.45, css(colour));
  glow.addColorStop(1, css(shade(colour, 0.62)));
  pen.fillStyle = glow;
  pen.fill();
  pen.clip();
  const box = { x: x - 1.25 * width, y: y - 1.25 * height, width: 2.5 * width, height: 2.5 * height };
  roughen(pen, random, "leaves", box, 0.85 * clearness(light, metres), { across: between(random, 0.8, 1.4) });
  pen.restore();
}

/** One closed line of bulges around the middle: far cheaper to fill than the heap of discs it looks like. */
function lumpyOutline(pen: Pen, random: Random, { x, y, width, height }: Crown): void {
  const lumps = 11;
  const start = random.uniform();
  const at = (turn: number, reach: number) => {
    const angle = ((turn + start) / lumps) * 2 * Math.PI;
    return [x + Math.cos(angle) * width * reach, y + Math.sin(angle) * height * reach] as const;
  };
  // Bulges differ in width and in how far they reach.
  const turns = Array.from({ length: lumps }, (_, lump) => lump + between(random, -0.32, 0.32));
  const dips = turns.map((turn) => at(turn, between(random, 0.68, 0.95)));
  pen.moveTo(...dips[0]!);
  for (let lump = 0; lump < lumps; lump++) {
    const bulge = between(random, 1, 1.4);
    const last = lump === lumps - 1;
    const end = last ? turns[0]! + lumps : turns[lump + 1]!;
    pen.bezierCurveTo(
      ...at(turns[lump]! + 0.05, bulge),
      ...at(end - 0.05, bulge * between(random, 0.9, 1.05)),
      ...dips[last ? 0 : lump + 1]!,
    );
  }
  pen.closePath();
}

/** How much of what it is made of can be seen through so much air. */
export function clearness({ fog }: Light, metres: number): number {
  return Math.exp(-1.5 * fog * metres);
}

function trunk(pen: Pen, x: number, base: number, height: number, width: number, bark: SceneColour): void {
  pen.beginPath();
  polygon(pen, [
    [x - width * 0.62, base],
    [x - width * 0.35, base - height],
    [x + width * 0.35, base - height],
    [x + width * 0.62, base],
  ]);
  pen.fillStyle = css(bark);
  pen.fill();
  pen.fillStyle = css(shade(bark, 0.68));
  pen.fillRect(x - width * 0.4, base - height, width * 0.25, height);
}

function conifer(pen: Pen, random: Random, { x, base, height }: Stand, colour: SceneColour): void {
  const tiers = 6;
  const spread = height * between(random, 0.17, 0.27);
  pen.save();
  pen.beginPath();
  pen.moveTo(x, base - height);
  const edge = (direction: 1 | -1, tier: number) => {
    const reach = (spread * (tier + 1)) / tiers;
    const low = base - height * (0.9 - (0.8 * (tier + 1)) / tiers);
    pen.lineTo(x + direction * reach * between(random, 0.85, 1.15), low);
    pen.lineTo(x + direction * reach * 0.5, low - height * 0.03);
  };
  for (let tier = 0; tier < tiers; tier++) edge(1, tier);
  for (let tier = tiers - 1; tier >= 0; tier--) {
    const reach = (spread * (tier + 1)) / tiers;
    const low = base - height * (0.9 - (0.8 * (tier + 1)) / tiers);
    pen.lineTo(x - reach * 0.5, low - height * 0.03);
    pen.lineTo(x - reach * between(random, 0.85, 1.15), low);
    if (tier > 0) pen.lineTo(x - reach * 0.45, low - height * 0.06);
  }
  pen.closePath();
  const gradient = pen.createLinearGradient(x - spread, 0, x + spread, 0);
  gradient.addColorStop(0, css(shade(colour, 0.75)));
  gradient.addColorStop(0.6, css(shade(colour, 1.1)));
  gradient.addColorStop(1, css(shade(colour, 0.8)));
  pen.fillStyle = gradient;
  pen.fill();
  // Needles, where they would be seen.
  if (height > 0.15) {
    pen.clip();
    const box = { x: x - spread * 1.15, y: base - height, width: spread * 2.3, height };
    roughen(pen, random, "leaves", box, 0.6, { across: 1.4, up: 1 });
  }
  pen.restore();
}

function branches(pen: Pen, random: Random, { x, base, height }: Stand, bark: SceneColour): void {
  pen.lineCap = "round";
  for (let level = 0; level < 3; level++) {
    pen.beginPath();
    if (level === 0) {
      pen.moveTo(x, base);
      pen.lineTo(x + height * 0.02, base - height * 0.6);
    }
    const limbs = [0, 8, 26][level]!;
    for (let limb = 0; limb < limbs; limb++) {
      const from = level === 1 ? between(random, 0.3, 0.6) : between(random, 0.5, 0.85);
      const spread = level === 1 ? 0.02 : 0.3 * (from - 0.3);
      const startX = x + height * between(random, -spread, spread);
      const lean = between(random, -0.3, 0.3);
      const rise = between(random, 0.12, 0.36) * (level === 1 ? 1 : 0.55);
      pen.moveTo(startX, base - height * from);
      pen.quadraticCurveTo(
        startX + height * lean * 0.6,
        base - height * (from + rise * 0.4),
        startX + height * lean,
        base - height * Math.min(1, from + rise),
      );
    }
    pen.strokeStyle = css(level === 2 ? mix(bark, [140, 130, 125], 0.3) : bark);
    pen.lineWidth = height * [0.05, 0.018, 0.007][level]!;
    pen.stroke();
  }
}

function palm(
  pen: Pen,
  random: Random,
  { x, base, height }: Stand,
  leaves: SceneColour,
  bark: SceneColour,
): void {
  const lean = height * between(random, -0.18, 0.18);
  pen.lineCap = "round";
  pen.beginPath();
  pen.moveTo(x, base);
  pen.quadraticCurveTo(x + lean * 0.2, base - height * 0.5, x + lean, base - height * 0.82);
  pen.strokeStyle = css(bark);
  pen.lineWidth = height * 0.045;
  pen.stroke();
  pen.beginPath();
  const fronds = 9;
  const topX = x + lean;
  const topY = base - height * 0.82;
  for (let frond = 0; frond < fronds; frond++) {
    const angle = Math.PI * (1.08 * (frond / (fronds - 1)) - 0.04) + between(random, -0.1, 0.1);
    const reach = height * between(random, 0.24, 0.34);
    const endX = topX + Math.cos(angle) * reach;
    const endY = topY - Math.sin(angle) * reach * 0.6 + reach * 0.35;
    pen.moveTo(topX, topY);
    pen.quadraticCurveTo(
      topX + Math.cos(angle) * reach * 0.5,
      topY - Math.sin(angle) * reach * 0.8 - reach * 0.15,
      endX,
      endY,
    );
    pen.quadraticCurveTo(
      topX + Math.cos(angle) * reach * 0.5,
      topY - Math.sin(angle) * reach * 0.4,
      topX,
      topY,
    );
  }
  pen.fillStyle = css(leaves);
  pen.fill();
}

/** A mass of leaves from `left` to `right` standing on `base`, with a lumpy top edge: hedges, bushes, a wood's edge. */
export function drawThicket(
  pen: Pen,
  random: Random,
  {
    left,
    right,
    base,
    height,
    lump,
  }: { left: number; right: number; base: number; height: number; lump: number },
  colour: SceneColour,
  {
    ragged = 0.3,
    fine = 1,
    speckle = 0.8,
    taper = 0,
  }: { ragged?: number; fine?: number; speckle?: number; taper?: number } = {},
): void {
  // Ends that lie within the picture are rounded off over so much of the width.
  const fall = (x: number) => {
    const inside = Math.min(left > 0 ? x - left : 1, right < 1 ? right - x : 1);
    return taper > 0 && inside < taper ? Math.sqrt(Math.max(0, inside / taper)) : 1;
  };
  const top = (x: number) => base - height * between(random, 1 - ragged, 1) * fall(x);
  pen.save();
  pen.beginPath();
  pen.moveTo(left, base);
  let x = left;
  let y = top(x);
  pen.lineTo(x, y);
  while (x < right) {
    const step = lump * between(random, 0.6, 1.4);
    const end = Math.min(right, x + step);
    const next = top(end);
    const peak = Math.min(y, next) - lump * between(random, 0.25, 0.7);
    pen.bezierCurveTo(x + step * 0.05, peak, end - step * 0.05, peak, end, next);
    x = end;
    y = next;
  }
  pen.lineTo(right, base);
  pen.closePath();
  const gradient = pen.createLinearGradient(0, base - height, 0, base);
  gradient.addColorStop(0, css(shade(colour, 1.1)));
  gradient.addColorStop(0.6, css(shade(colour, 0.85)));
  gradient.addColorStop(1, css(shade(colour, 0.5)));
  pen.fillStyle = gradient;
  pen.fill();
  pen.clip();
  const box = { x: left, y: base - height - lump, width: right - left, height: height + lump };
  roughen(pen, random, "leaves", box, speckle, { across: fine });
  pen.restore();
}

/** A few species that grow together, and their colours. */
export function chooseWood(random: Random): { species: readonly Species[]; leaves: readonly SceneColour[] } {
  const season = oneOf(random, ["summer", "summer", "autumn", "spring", "dark"] as const);
  const leaves = [leafColour(random, season), leafColour(random, season), leafColour(random, season)];
  const species = oneOf<readonly Species[]>(random, [
    ["round"],
    ["round", "birch"],
    ["conifer"],
    ["conifer", "pine"],
    ["poplar", "round"],
    ["birch"],
    ["bare", "round"],
  ]);
  return { species, leaves };
}
