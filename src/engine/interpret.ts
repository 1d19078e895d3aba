/** Evaluates expressions in float64, one op after another: slow, and the reference for what each op means. */

import { CuelabError } from "../core/errors.ts";
import { checkFed, drawRandom, isInput, isRandom, type RandomSource } from "./ops/sources.ts";
import { sizeOf } from "./shapes.ts";
import { type Tensor, topologicalOrder } from "./tensor.ts";

export type Feeds = Readonly<Record<string, ArrayLike<number>>>;

/** Values of `outputs`, given the inputs and state by name. */
export function interpret(
  outputs: readonly Tensor[],
  feeds: Feeds = {},
  random?: RandomSource,
): Float64Array[] {
  const values = new Map<Tensor, Float64Array>();
  for (const node of topologicalOrder(outputs)) values.set(node, evaluate(node, values, feeds, random));
  return outputs.map((output) => values.get(output)!);
}

function evaluate(
  node: Tensor,
  values: ReadonlyMap<Tensor, Float64Array>,
  feeds: Feeds,
  random: RandomSource | undefined,
): Float64Array {
  if (isRandom(node)) return drawRandom(node, random, new Float64Array(sizeOf(node.shape)));
  if (!isInput(node))
    return node.op.interpret(
      node,
      node.inputs.map((input) => values.get(input)!),
    );
  const { name } = node.attributes;
  const fed = feeds[name];
  if (fed === undefined) {
    throw new CuelabError({
      kind: "failure",
      what: `no value for input "${name}"`,
      got: Object.keys(feeds).join(", "),
    });
  }
  checkFed(name, node.shape, fed.length);
  return Float64Array.from(fed);
}
