/** Pixels as somebody prepares them who has a file of weights and what it says of itself, but none of our code. */

interface Told {
  image: { height: number; width: number; channels: number };
  pixels: { scale: number; mean: number[]; deviation: number[]; layout: string };
}

/** Bytes [batch, height, width, channels] as floats [batch, channels, height, width]. */
export function preparedAsTold(metadata: Readonly<Record<string, string>>, bytes: Uint8Array): Float32Array {
  const { image, pixels } = JSON.parse(metadata.cuelab!) as Told;
  const { scale, mean, deviation, layout } = pixels;
  if (layout !== "[batch, channels, height, width]") throw new Error(`no layout to follow: ${layout}`);
  const places = image.height * image.width;
  const prepared = new Float32Array(bytes.length);
  for (const [i, byte] of bytes.entries()) {
    const [pixel, channel] = [Math.floor(i / image.channels), i % image.channels];
    const [at, place] = [Math.floor(pixel / places), pixel % places];
    const value = (byte / scale - mean[channel]!) / deviation[channel]!;
    prepared[(at * image.channels + channel) * places + place] = value;
  }
  return prepared;
}
