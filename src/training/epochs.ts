/** What an epoch is wherever it is told with its fraction: as many images as there are to train on, whichever those were. */

export interface SeenImages {
  /** Images a step; where there are fewer, all of them. */
  batchSize: number;
  /** To train on. */
  images: number;
}

/** Images seen after so many steps, in units of the training images. */
export function epochsAfter(step: number, { batchSize, images }: SeenImages): number {
  return (step * Math.min(batchSize, images)) / images;
}
