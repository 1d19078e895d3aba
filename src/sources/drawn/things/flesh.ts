/** Limbs and bodies as chains of discs of changing size, which make one smooth outline. */

import type { Pen } from "../paper.ts";
import type { Ink } from "../shapes.ts";

/** Place and radius of one disc. */
export type FleshJoint = readonly [x: number, y: number, radius: number];

/**
 * Adds a chain to the path that was begun, nowhere thinner than `least`. Every piece runs the same way round, so that
 * overlaps stay filled.
 */
export function addChain(pen: Pen, chain: readonly FleshJoint[], least = 0): void {
  const joints = chain.map(([x, y, radius]): FleshJoint => [x, y, Math.max(radius, least)]);
  joints.forEach(([x, y, radius], i) => {
    pen.moveTo(x + radius, y);
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    const next = joints[i + 1];
    if (next === undefined) return;
    const [toX, toY, toRadius] = next;
    const length = Math.hypot(toX - x, toY - y);
    if (length <= Math.abs(radius - toRadius)) return;
    // Common tangents touch both discs at this angle from the line between them.
    const along = Math.atan2(toY - y, toX - x);
    const turn = Math.acos((radius - toRadius) / length);
    const [left, right] = [along + turn, along - turn];
    pen.moveTo(x + radius * Math.cos(right), y + radius * Math.sin(right));
    pen.lineTo(toX + toRadius * Math.cos(right), toY + toRadius * Math.sin(right));
    pen.lineTo(toX + toRadius * Math.cos(left), toY + toRadius * Math.sin(left));
    pen.lineTo(x + radius * Math.cos(left), y + radius * Math.sin(left));
  });
}

/** Limbs that taper to less than a pixel would fall apart: `pixel` is how much that is. */
export function fillChains(pen: Pen, chains: readonly (readonly FleshJoint[])[], ink: Ink, pixel = 0): void {
  pen.beginPath();
  for (const chain of chains) addChain(pen, chain, 0.62 * pixel);
  pen.fillStyle = ink;
  pen.fill();
}

/** What chains cover. */
export function extentOf(chains: readonly (readonly FleshJoint[])[]) {
  const joints = chains.flat();
  return {
    left: Math.min(...joints.map(([x, , radius]) => x - radius)),
    right: Math.max(...joints.map(([x, , radius]) => x + radius)),
    bottom: Math.min(...joints.map(([, y, radius]) => y - radius)),
    top: Math.max(...joints.map(([, y, radius]) => y + radius)),
  };
}
