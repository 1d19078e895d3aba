/** The classes of drawn photographs: the scene that each has for its own, and how people frame it. */

import type { ObjectName, SceneName } from "../../sources/drawn/index.ts";

interface Habit {
  scene: SceneName;
  /** Longest side of the object as a share of the photograph's: what is usual, and how far it goes either way. */
  reach: number;
  spread: number;
  /** Standard deviation of the object's centre, as a share of the photograph's side. */
  wander: number;
}

/**
 * How each class is photographed: some large and in the middle, others small and at the side, as in ImageNet. Objects that
 * are drawn but not listed are no classes here, so that a new drawing leaves the dataset as it is.
 */
export const habits = {
  sedan: { scene: "downtown", reach: 0.72, spread: 0.2, wander: 0.06 },
  hatchback: { scene: "alley", reach: 0.7, spread: 0.2, wander: 0.06 },
  coupe: { scene: "driveway", reach: 0.78, spread: 0.16, wander: 0.04 },
  pickup: { scene: "desert-road", reach: 0.74, spread: 0.18, wander: 0.06 },
  van: { scene: "gas-station", reach: 0.74, spread: 0.18, wander: 0.05 },
  suv: { scene: "mountain-lake", reach: 0.74, spread: 0.2, wander: 0.06 },
  truck: { scene: "harbour", reach: 0.8, spread: 0.16, wander: 0.05 },
  fireplug: { scene: "crosswalk", reach: 0.5, spread: 0.22, wander: 0.1 },
  "stop-sign": { scene: "forest-road", reach: 0.58, spread: 0.26, wander: 0.1 },
  "street-sign": { scene: "living-room", reach: 0.48, spread: 0.22, wander: 0.13 },
  "parking-meter": { scene: "garage", reach: 0.6, spread: 0.22, wander: 0.1 },
  "traffic-light": { scene: "stadium", reach: 0.46, spread: 0.2, wander: 0.14 },
  cow: { scene: "field-road", reach: 0.64, spread: 0.24, wander: 0.1 },
  horse: { scene: "beach", reach: 0.68, spread: 0.22, wander: 0.08 },
  sheep: { scene: "snowfield", reach: 0.54, spread: 0.26, wander: 0.12 },
} satisfies Partial<Record<ObjectName, Habit>>;

export type DrawnClass = keyof typeof habits;

export const drawnClasses = Object.keys(habits) as DrawnClass[];
