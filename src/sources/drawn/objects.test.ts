import { beforeAll, describe, expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import type { Cutout } from "../../images/compose.ts";
import { type Artist, createArtist, type ObjectName, objectNames } from "./index.ts";

let artist: Artist;
beforeAll(async () => {
  artist = await createArtist();
});

const draw = (name: ObjectName, index: number, side: number) =>
  artist.object(name, randomStream(11, name).at(index), side);

describe.each(objectNames)("%s", (name) => {
  test("has the side asked for, is of one piece and has a hard outline", () => {
    for (const side of [128, 64, 32, 16]) {
      for (let index = 0; index < 4; index++) {
        const { width, height, data, mask } = draw(name, index, side);
        expect(Math.max(width, height)).toBe(side);
        expect([data.length, mask.length]).toEqual([3 * width * height, width * height]);
        expect(mask.filter((value) => value !== 0 && value !== 255)).toHaveLength(0);
        expect(pieces(mask, width)).toBe(1);
      }
    }
  });

  test("equal random numbers give equal bytes, whatever was drawn before", async () => {
    const first = bytesOf(draw(name, 0, 64));
    draw(name, 1, 64);
    expect(bytesOf(draw(name, 0, 64))).toBe(first);
    const another = await createArtist();
    expect(bytesOf(another.object(name, randomStream(11, name).at(0), 64))).toBe(first);
  });

  test("every index is another picture, in outline and in colour", () => {
    const pictures = Array.from({ length: 6 }, (_, index) => draw(name, index, 64));
    expect(new Set(pictures.map(({ data }) => Buffer.from(data).toString("hex"))).size).toBe(6);
    const outlines = pictures.map(({ mask, width }) => `${width} ${Buffer.from(mask).toString("hex")}`);
    expect(new Set(outlines).size).toBe(6);
  });
});

test("vehicles and animals look to the left and to the right", () => {
  for (const name of ["sedan", "pickup", "truck", "cow", "horse", "sheep"] as const) {
    const heavy = Array.from({ length: 16 }, (_, index) => heavierSide(draw(name, index, 16)));
    // With one in two, fewer than three of sixteen happen twice in a thousand times.
    expect(heavy.filter((side) => side > 0).length).toBeGreaterThanOrEqual(3);
    expect(heavy.filter((side) => side < 0).length).toBeGreaterThanOrEqual(3);
  }
});

function bytesOf({ data, mask, width }: Cutout): string {
  return `${width} ${Buffer.from(data).toString("hex")} ${Buffer.from(mask).toString("hex")}`;
}

/** How many parts of a mask touch each other nowhere, not even at a corner. */
function pieces(mask: Uint8Array, width: number): number {
  const left = mask.slice();
  let count = 0;
  for (let start = left.indexOf(255); start >= 0; start = left.indexOf(255, start)) {
    count++;
    const reached = [start];
    left[start] = 0;
    for (let at = reached.pop(); at !== undefined; at = reached.pop()) {
      const x = at % width;
      for (const [right, below] of neighbours) {
        const next = at + right + below * width;
        if (x + right < 0 || x + right >= width || left[next] !== 255) continue;
        left[next] = 0;
        reached.push(next);
      }
    }
  }
  return count;
}

const neighbours = [-1, 0, 1].flatMap((below) => [-1, 0, 1].map((right) => [right, below] as const));

/** Above 0 where the upper half has more of the object on its right than on its left. */
function heavierSide({ mask, width, height }: Cutout): number {
  let sum = 0;
  for (let y = 0; y < height / 2; y++) {
    for (let x = 0; x < width; x++) if (mask[y * width + x] === 255) sum += 2 * x + 1 - width;
  }
  return sum;
}
