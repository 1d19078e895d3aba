/** Every scene that can be drawn. Adding one is a file beside this and a line here. */

import type { DrawScene } from "./drawing.ts";

const plain =
  (hue: number): DrawScene =>
  (pen, random) => {
    pen.fillStyle = `hsl(${hue} 30% ${60 + 20 * random.uniform()}%)`;
    pen.fillRect(0, 0, 1, 1);
  };

export const scenes = {
  downtown: plain(0),
  alley: plain(30),
  crosswalk: plain(60),
  garage: plain(90),
  "gas-station": plain(120),
  driveway: plain(150),
  "forest-road": plain(180),
  "field-road": plain(210),
  "desert-road": plain(240),
} satisfies Record<string, DrawScene>;

export type SceneName = keyof typeof scenes;

export const sceneNames = Object.keys(scenes) as SceneName[];
