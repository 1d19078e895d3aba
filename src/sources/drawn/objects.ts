/** Every object that can be drawn. Adding one is a file in `things/` or `vehicles/` and a line here. */

import type { DrawObject } from "./drawing.ts";
import { cow } from "./things/cow.ts";
import { fireplug } from "./things/fireplug.ts";
import { horse } from "./things/horse.ts";
import { parkingMeter } from "./things/parking-meter.ts";
import { sheep } from "./things/sheep.ts";
import { stopSign } from "./things/stop-sign.ts";
import { streetSign } from "./things/street-sign.ts";
import { trafficLight } from "./things/traffic-light.ts";
import { coupe } from "./vehicles/coupe.ts";
import { hatchback } from "./vehicles/hatchback.ts";
import { pickup } from "./vehicles/pickup.ts";
import { sedan } from "./vehicles/sedan.ts";
import { suv } from "./vehicles/suv.ts";
import { truck } from "./vehicles/truck.ts";
import { van } from "./vehicles/van.ts";

export const objects = {
  sedan,
  hatchback,
  coupe,
  pickup,
  van,
  suv,
  truck,
  fireplug,
  "stop-sign": stopSign,
  "street-sign": streetSign,
  "parking-meter": parkingMeter,
  "traffic-light": trafficLight,
  cow,
  horse,
  sheep,
} satisfies Record<string, DrawObject>;

export type ObjectName = keyof typeof objects;

export const objectNames = Object.keys(objects) as ObjectName[];
