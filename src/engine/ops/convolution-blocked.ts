/**
 * Convolution by onnxruntime's own kernels for blocked channels: a third faster than `Conv`, but not standard ONNX,
 * and with a block size that depends on the processor. Used only where a self-check has found it (blocked.ts).
 */

import type { Emitter } from "../onnx/emitter.ts";
import type { AttributeValue } from "../onnx/protobuf.ts";
import { sizeOf } from "../shapes.ts";
import type { Tensor } from "../tensor.ts";
import type { Geometry } from "./convolution.ts";

export const blockedDomain = "com.microsoft.nchwc";

/** Fitted like the other rules: not for single elements, few channels or small maps. */
export function blockedPays(node: Tensor<Geometry>, blockSize: number | undefined): boolean {
  if (blockSize === undefined || node.attributes.groups !== 1) return false;
  const [filters, channels, ...kernel] = node.inputs[1]!.shape as [number, number, number, number];
  const whole = filters % blockSize === 0 && channels % blockSize === 0;
  return whole && channels >= 32 && sizeOf(kernel) > 1 && sizeOf(node.shape.slice(2)) >= 64;
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
  const image = emitter.once(`blocked ${x}`, () => own("ReorderInput", [x!], {}));
  const kernel = emitter.once(`blocked kernel ${w}`, () => {
    const split = [filters / block, block, channels / block, block, rows, columns];
    const parts = emitter.node("Reshape", [w!, emitter.integers(split)]);
    const ordered = emitter.node("Transpose", [parts], { perm: [0, 2, 4, 5, 3, 1] });
    return emitter.node("Reshape", [ordered, emitter.integers([filters, channels, rows, columns])]);
  });
  const result = own("Conv", bias === undefined ? [image, kernel] : [image, kernel, bias], attributes);
  return own("ReorderOutput", [result], { channels: filters });
}
