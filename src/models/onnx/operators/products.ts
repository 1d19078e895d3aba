/** Matrix products, and attention where a graph has it as one operator. */

import {
  add,
  cast,
  matmul,
  mul,
  project,
  softmax,
  type Tensor,
  transpose,
  where,
} from "../../../engine/expressions.ts";
import type { OperatorCall, OperatorFamily } from "../call.ts";

/** α·A·B + β·C, with A and B transposed where it is said. */
function gemm(call: OperatorCall): Tensor {
  const side = (i: number, flag: string) =>
    call.number(flag, 0) === 1 ? transpose(call.input(i)) : call.input(i);
  const [alpha, beta] = [call.number("alpha", 1), call.number("beta", 1)];
  const product = project(side(0, "transA"), side(1, "transB"));
  const scaled = alpha === 1 ? product : mul(product, alpha);
  if (!call.has(2)) return scaled;
  return add(scaled, beta === 1 ? call.input(2) : mul(call.input(2), beta));
}

/** NumPy's rule: a vector is a row on the left and a column on the right, and is none in the result. */
function matMul(call: OperatorCall): Tensor {
  const [a, b] = [call.input(0), call.input(1)];
  const left = a.shape.length === 1 ? call.reshape(a, [1, ...a.shape]) : a;
  const right = b.shape.length === 1 ? call.reshape(b, [...b.shape, 1]) : b;
  const product = right.shape.length === 2 ? project(left, right) : matmul(left, right);
  if (left === a && right === b) return product;
  const kept = product.shape.filter(
    (_, axis) =>
      !(left !== a && axis === product.shape.length - 2) &&
      !(right !== b && axis === product.shape.length - 1),
  );
  return call.reshape(product, kept);
}

/** softmax(Q·Kᵀ·scale + mask)·V in each head; [batch, heads, tokens, size], or heads within the last axis. */
function attention(call: OperatorCall): Tensor {
  const heads = { q: call.number("q_num_heads", 0), kv: call.number("kv_num_heads", 0) };
  const asked = call.input(0);
  const isFlat = asked.shape.length === 3;
  const apart = (x: Tensor, count: number) => {
    if (!isFlat) return x;
    const [batch, tokens, width] = x.shape as [number, number, number];
    return transpose(call.reshape(x, [batch, tokens, count, width / count]), [0, 2, 1, 3]);
  };
  const [query, key, value] = [
    apart(asked, heads.q),
    apart(call.input(1), heads.kv),
    apart(call.input(2), heads.kv),
  ];
  const plain =
    query.shape[1] === key.shape[1] &&
    call.number("is_causal", 0) === 0 &&
    call.number("softcap", 0) === 0 &&
    !call.has(4) &&
    call.node.outputs.slice(1).every((name) => name === "");
  if (!plain)
    throw call.fail({
      what: "attends in a way that is not read",
      expected: "as many heads of keys as of queries, no causal mask but as an input, no cache, one output",
      todo: "export with opset 20, which writes attention out",
    });
  const scale = call.number("scale", 1 / Math.sqrt(query.shape[3]!));
  const scores = masked(call, mul(matmul(query, transpose(key)), scale));
  const mixed = matmul(softmax(scores), value);
  if (!isFlat) return mixed;
  const [batch, count, tokens, size] = mixed.shape as [number, number, number, number];
  return call.reshape(transpose(mixed, [0, 2, 1, 3]), [batch, tokens, count * size]);
}

/** A mask of yes and no, or of what is added. */
function masked(call: OperatorCall, scores: Tensor): Tensor {
  if (!call.has(3)) return scores;
  const mask = call.input(3);
  return mask.dtype === "bool"
    ? where(mask, scores, Number.NEGATIVE_INFINITY)
    : add(scores, cast(mask, "float"));
}

export const products: OperatorFamily = { Attention: attention, Gemm: gemm, MatMul: matMul };
