/** Every scene that can be drawn. Adding one is a file in `scenes/` and a line here. */

import type { DrawScene } from "./drawing.ts";
import { drawAlley } from "./scenes/alley.ts";
import { drawBeach } from "./scenes/beach.ts";
import { drawCrosswalk } from "./scenes/crosswalk.ts";
import { drawDesertRoad } from "./scenes/desert-road.ts";
import { drawDowntown } from "./scenes/downtown.ts";
import { drawDriveway } from "./scenes/driveway.ts";
import { drawFieldRoad } from "./scenes/field-road.ts";
import { drawForestRoad } from "./scenes/forest-road.ts";
import { drawGarage } from "./scenes/garage.ts";
import { drawGasStation } from "./scenes/gas-station.ts";
import { drawHarbour } from "./scenes/harbour.ts";
import { drawLivingRoom } from "./scenes/living-room.ts";
import { drawMountainLake } from "./scenes/mountain-lake.ts";
import { drawSnowfield } from "./scenes/snowfield.ts";
import { drawStadium } from "./scenes/stadium.ts";

export const scenes = {
  downtown: drawDowntown,
  alley: drawAlley,
  crosswalk: drawCrosswalk,
  garage: drawGarage,
  "gas-station": drawGasStation,
  driveway: drawDriveway,
  "forest-road": drawForestRoad,
  "field-road": drawFieldRoad,
  "desert-road": drawDesertRoad,
  beach: drawBeach,
  snowfield: drawSnowfield,
  harbour: drawHarbour,
  "living-room": drawLivingRoom,
  stadium: drawStadium,
  "mountain-lake": drawMountainLake,
} satisfies Record<string, DrawScene>;

export type SceneName = keyof typeof scenes;

export const sceneNames = Object.keys(scenes) as SceneName[];

/** The two kinds of background that UrbanCars tells apart; the other scenes belong to neither. */
export const urbanScenes = [
  "downtown",
  "alley",
  "crosswalk",
  "garage",
  "gas-station",
  "driveway",
] as const satisfies SceneName[];

export const countryScenes = ["forest-road", "field-road", "desert-road"] as const satisfies SceneName[];
