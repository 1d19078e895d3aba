/**
 * Convolution by onnxruntime's own kernels for blocked channels: a third faster than `Conv`, but not standard ONNX,
 * and with a block size that depends on the processor. Used only where a self-check has found it (blocked.ts).
 */

import type { Emitter } from "../onnx/emitter.ts";
import type { AttributeValue } from "../onnx/protobuf.ts";
import { sizeOf } from "../shapes.ts";
import type { Tensor } from "../tensor.ts";
import { fewChannels, type Geometry } from "./convolution.ts";

export const blockedDomain = "com.microsoft.nchwc";

/** Fitted like the other rules: not for single elements, few channels or small maps. Images of 3 channels have their own kernel. */
export function blockedPays(node: Tensor<Geometry>, blockSize: number | undefined): boolean {
  if (blockSize === undefined || node.attributes.groups !== 1) return false;
  const [filters, channels, ...kernel] = node.inputs[1]!.shape as [number, number, number, number];
  const whole = filters % blockSize === 0 && (channels % blockSize === 0 || channels < fewChannels);
  const wide = channels >= 32 || channels < fewChannels;
  return whole && wide && sizeOf(kernel) > 1 && sizeOf(node.shape.slice(2)) >= 64;
}

export function emitBlocked(
  node: Tensor<Geometry>,
  [x, w, bias]: readonly string[],
  attributes: Record<string, AttributeValue>,
  emitter: Emitter,
): string {
  const block = emitter.blockSize!;
  const [filters, channels, rows, columns] = node.inputs[1]!.shape as [number, number, number, number];
  const own = (operator: string, inputs: readonly string[], settings: Record<string, AttributeValue>) =>
    emitter.nodeWithOutputs(operator, inputs, settings, 1, blockedDomain)[0]!;
  // With few channels the image stays as it is, and only the filters lie in blocks.
  const few = channels < fewChannels;
  const image = few ? x! : emitter.once(`blocked ${x}`, () => own("ReorderInput", [x!], {}));
  const kernel = emitter.once(`blocked kernel ${w}`, () => {
    const depth = few ? [channels] : [channels / block, block];
    const parts = emitter.node("Reshape", [
      w!,
      emitter.integers([filters / block, block, ...depth, rows, columns]),
    ]);
    const perm = few ? [0, 2, 3, 4, 1] : [0, 2, 4, 5, 3, 1];
    const ordered = emitter.node("Transpose", [parts], { perm });
    return emitter.node("Reshape", [ordered, emitter.integers([filters, channels, rows, columns])]);
  });
  const result = own("Conv", bias === undefined ? [image, kernel] : [image, kernel, bias], attributes);
  return own("ReorderOutput", [result], { channels: filters });
}
