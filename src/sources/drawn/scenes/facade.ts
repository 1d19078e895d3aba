/** Fronts of buildings: walls with rows of windows, shops at street level, cornices. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { boundsOf, cover, outside, patch, type Surface } from "./camera.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { faded, type Light } from "./light.ts";
import { roughen } from "./tiles.ts";

type Windows = "single" | "ribbon" | "glass" | "tall";

export interface FacadeStyle {
  wall: SceneColour;
  /** Metres. */
  storey: number;
  bay: number;
  windows: Windows;
  /** Share of a bay and of a storey that a window takes up. */
  windowWidth: number;
  windowHeight: number;
  glass: SceneColour;
  shops: boolean;
  awning: SceneColour | undefined;
  cornice: boolean;
  bricks: boolean;
}

export function wallColour(random: Random): SceneColour {
  return oneOf(random, [
    () => hsl(between(random, 5, 22), between(random, 28, 50), between(random, 30, 46)),
    () => hsl(between(random, 25, 48), between(random, 15, 45), between(random, 52, 76)),
    () => hsl(between(random, 200, 240), between(random, 3, 16), between(random, 38, 68)),
    () => hsl(between(random, 20, 50), between(random, 3, 14), between(random, 55, 85)),
    () => hsl(between(random, 0, 360), between(random, 12, 35), between(random, 48, 72)),
  ])();
}

export function chooseFacade(random: Random): FacadeStyle {
  const windows = oneOf<Windows>(random, ["single", "single", "tall", "ribbon", "glass"]);
  const shops = random.boolean(0.65);
  return {
    wall: wallColour(random),
    storey: between(random, 3, 4.2),
    bay: windows === "glass" ? between(random, 1.4, 2.4) : between(random, 2.2, 4),
    windows,
    windowWidth: between(random, 0.4, 0.62),
    windowHeight: windows === "tall" ? between(random, 0.62, 0.78) : between(random, 0.42, 0.58),
    glass: hsl(between(random, 195, 225), between(random, 15, 40), between(random, 24, 46)),
    shops,
    awning:
      shops && random.boolean(0.6)
        ? hsl(between(random, 0, 360), between(random, 30, 75), between(random, 28, 50))
        : undefined,
    cornice: random.boolean(0.6),
    bricks: random.boolean(0.4),
  };
}

/** `lit` is how much light falls on this side of the building: 1 for all, less in the shade. */
export function drawFacade(
  pen: Pen,
  random: Random,
  light: Light,
  surface: Surface,
  style: FacadeStyle,
  lit: number,
): void {
  const { width, height, distance } = surface;
  const seen = (colour: SceneColour) => faded(shade(colour, lit), distance + width * 0.2, light);
  const wall = seen(style.wall);
  pen.save();
  pen.beginPath();
  patch(pen, surface, 0, 0, width, height);
  pen.fillStyle = css(wall);
  pen.fill();
  pen.clip();
  roughen(pen, random, "mottle", boundsOf(surface), 0.22, { across: 0.9, up: 0.5 });
  pen.restore();
  if (style.bricks && distance < 40) drawCourses(pen, surface, shade(wall, 0.8));

  const ground = style.shops ? Math.min(height, style.storey * 1.2) : style.storey * 0.25;
  // Far away windows are smaller than a pixel: fewer do.
  const most = Math.max(3, Math.min(14, Math.floor(300 / distance)));
  const storeys = Math.max(1, Math.min(most, Math.floor((height - ground - 0.4) / style.storey)));
  if (height - ground > style.storey * 0.9) {
    drawWindows(pen, random, light, surface, style, { ground, storeys, seen });
  }
  if (style.shops) drawShops(pen, random, light, surface, style, ground, seen);
  if (style.cornice) cover(pen, surface, shade(wall, 1.15), [0, height - 0.5, width, height]);
}

interface FacadeRows {
  ground: number;
  storeys: number;
  seen: (colour: SceneColour) => SceneColour;
}

function drawWindows(
  pen: Pen,
  random: Random,
  light: Light,
  surface: Surface,
  style: FacadeStyle,
  { ground, storeys, seen }: FacadeRows,
): void {
  const { width } = surface;
  const storey = (surface.height - ground - 0.5) / storeys;
  if (style.windows === "ribbon" || style.windows === "glass") {
    pen.beginPath();
    const share = style.windows === "glass" ? 0.86 : style.windowHeight;
    for (let row = 0; row < storeys; row++) {
      const low = ground + storey * (row + (1 - share) / 2);
      patch(pen, surface, width * 0.02, low, width * 0.98, low + storey * share);
    }
    pen.fillStyle = css(mix(seen(style.glass), light.skyTop, 0.25));
    pen.fill();
    const bays = Math.min(14, Math.max(2, Math.round(width / style.bay)));
    pen.beginPath();
    for (let bay = 1; bay < bays; bay++) {
      const at = (width * bay) / bays;
      patch(pen, surface, at - 0.07, ground, at + 0.07, surface.height - 0.5);
    }
    pen.fillStyle = css(shade(seen(style.wall), 0.9));
    pen.fill();
  }
  const single = style.windows === "single" || style.windows === "tall";
  const most = Math.max(3, Math.min(10, Math.floor(200 / surface.distance)));
  const bays = Math.min(most, Math.max(1, Math.round(width / style.bay)));
  const bay = width / bays;
  const panes: [SceneColour, [number, number][]][] = [
    [style.glass, []],
    [mix(shade(style.glass, 0.6), light.skyTop, 0.1), []],
    [mix(style.glass, light.skyLow, 0.5), []],
    [light.lamps ? hsl(between(random, 34, 50), 85, 66) : shade(style.glass, 0.8), []],
  ];
  const shares = light.lamps ? [0.3, 0.6, 0.7, 1] : [0.45, 0.7, 0.92, 1];
  for (let row = 0; row < storeys; row++) {
    const low = ground + storey * (row + 0.1);
    for (let column = 0; column < bays; column++) {
      if (outside(surface.at(bay * column, low), surface.at(bay * (column + 1), low))) continue;
      const ticket = random.uniform();
      const kind = shares.findIndex((upTo) => ticket < upTo);
      // On sheets of glass only a few panes differ from the rest.
      if (!single && kind < 3) continue;
      panes[kind]![1].push([column, row]);
    }
  }
  const wide = single ? style.windowWidth : 0.8;
  const high = single ? style.windowHeight : 0.7;
  panes.forEach(([colour, cells], kind) => {
    if (cells.length === 0) return;
    pen.beginPath();
    for (const [column, row] of cells) {
      const left = bay * (column + (1 - wide) / 2);
      const low = ground + storey * (row + (1 - high) / 2);
      patch(pen, surface, left, low, left + bay * wide, low + storey * high);
    }
    pen.fillStyle = css(kind === 3 && light.lamps ? faded(colour, surface.distance, light) : seen(colour));
    pen.fill();
  });
  if (single && surface.distance < 30) {
    pen.beginPath();
    for (let row = 0; row < storeys; row++) {
      const low = ground + storey * (row + (1 - high) / 2);
      patch(pen, surface, 0, low - 0.22, width, low - 0.06);
    }
    pen.fillStyle = css(shade(seen(style.wall), 1.18), 0.7);
    pen.fill();
  }
}

function drawShops(
  pen: Pen,
  random: Random,
  light: Light,
  surface: Surface,
  style: FacadeStyle,
  height: number,
  seen: (colour: SceneColour) => SceneColour,
): void {
  const { width } = surface;
  const fascia = hsl(between(random, 0, 360), between(random, 5, 60), between(random, 18, 55));
  cover(pen, surface, seen(shade(style.wall, 0.75)), [0, 0, width, height]);
  const shops = Math.max(1, Math.round(width / 6));
  const each = width / shops;
  pen.beginPath();
  for (let shop = 0; shop < shops; shop++) {
    patch(pen, surface, each * (shop + 0.06), 0.5, each * (shop + 0.68), height * 0.7);
    patch(pen, surface, each * (shop + 0.74), 0, each * (shop + 0.94), height * 0.7);
  }
  const inside = light.lamps || random.boolean(0.25) ? hsl(42, 70, 68) : shade(style.glass, 0.8);
  pen.fillStyle = css(light.lamps ? faded(inside, surface.distance, light) : seen(inside));
  pen.fill();
  cover(pen, surface, seen(fascia), [0, height * 0.78, width, height * 0.95]);
  if (style.awning === undefined) return;
  for (let stripe = 0; stripe < shops * 6; stripe++) {
    const colour = stripe % 2 === 0 ? style.awning : mix(style.awning, [245, 240, 230], 0.75);
    const left = (width * stripe) / (shops * 6);
    if (stripe % 6 === 5) continue;
    cover(pen, surface, seen(colour), [left, height * 0.6, left + width / (shops * 6), height * 0.82]);
  }
}

/** Lines between courses of bricks. */
export function drawCourses(
  pen: Pen,
  surface: Surface,
  colour: SceneColour,
  step = 0.45,
  width = 0.0022,
): void {
  pen.beginPath();
  for (let up = step; up < Math.min(surface.height, 16); up += step) {
    const [from, to] = [surface.at(0, up), surface.at(surface.width, up)];
    if (outside(from, to)) continue;
    pen.moveTo(...from);
    pen.lineTo(...to);
  }
  pen.strokeStyle = css(colour, 0.55);
  pen.lineWidth = width;
  pen.stroke();
}
