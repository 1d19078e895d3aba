/** OpenCV's two inpainting methods, in WebAssembly; loaded when first asked for, once a thread. */

import { createRequire } from "node:module";
import type { Pixels } from "../../core/dataset.ts";

export type OpencvMethod = "telea" | "navier-stokes";

/** The part of OpenCV's interface that is used here; its own types do not tell how it is started. */
interface Opencv {
  Mat: new (rows: number, columns: number, type: number) => Mat;
  inpaint(image: Mat, hole: Mat, filled: Mat, radius: number, method: number): void;
  CV_8UC1: number;
  CV_8UC3: number;
  INPAINT_TELEA: number;
  INPAINT_NS: number;
}

/** Memory beyond the garbage collector's reach. */
interface Mat {
  data: Uint8Array;
  delete(): void;
}

export type FillHoles = (image: Pixels, hole: Uint8Array) => Pixels;

let loading: Promise<{ library: Opencv }> | undefined;

/** Fills masked pixels of RGB images from what lies within `radius` pixels of them. */
export async function opencvFill(method: OpencvMethod, radius: number): Promise<FillHoles> {
  loading ??= load();
  const { library } = await loading;
  const { Mat, CV_8UC1, CV_8UC3 } = library;
  const flag = method === "telea" ? library.INPAINT_TELEA : library.INPAINT_NS;
  return ({ data, height, width, channels }, hole) => {
    const made: Mat[] = [];
    const matrix = (type: number, bytes?: Uint8Array): Mat => {
      const one = new Mat(height, width, type);
      made.push(one);
      if (bytes !== undefined) one.data.set(bytes);
      return one;
    };
    try {
      const [source, mask] = [matrix(CV_8UC3, data), matrix(CV_8UC1, hole)];
      const filled = matrix(CV_8UC3);
      library.inpaint(source, mask, filled, radius, flag);
      // A copy: the memory that it views is given back.
      return { data: filled.data.slice(), height, width, channels };
    } finally {
      for (const one of made) one.delete();
    }
  };
}

async function load(): Promise<{ library: Opencv }> {
  // Not `import`: it is a CommonJS module that is a promise, and some loaders copy its `then` onto the module.
  const require = createRequire(import.meta.url);
  return { library: await (require("@techstark/opencv-js") as PromiseLike<Opencv>) };
}
