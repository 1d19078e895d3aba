/** How often a picture's sides are halved on the way to a map of four rows or columns, or a few more. */

const leastSide = 4;

/** Sides of the picture and of each map after it, the smallest last: halves, rounded down. */
export function halvedSides(height: number, width: number): [rows: number, columns: number][] {
  const sides: [number, number][] = [[height, width]];
  for (let [rows, columns] = [height, width]; Math.min(rows, columns) >= 2 * leastSide; ) {
    [rows, columns] = [Math.floor(rows / 2), Math.floor(columns / 2)];
    sides.push([rows, columns]);
  }
  return sides;
}
