import type { ScalarEvent } from "../../../src/runs/tensorboard-events.ts";

export function eventsFor(): ScalarEvent[];
