/** Arithmetic, comparisons, choices and changes of type, element by element. */

import {
  abs,
  add,
  and,
  cast,
  div,
  equal,
  erf,
  exp,
  floor,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  log,
  maximum,
  minimum,
  mul,
  neg,
  not,
  or,
  power,
  sign,
  sqrt,
  sub,
  type Tensor,
  where,
} from "../../../engine/expressions.ts";
import { elementTypeOf } from "../../../engine/onnx/decode-tensor.ts";
import type { OperatorCall, OperatorFamily } from "../call.ts";

/** The engine computes on floats alone: whole numbers, which shapes are made of, become floats and whole again. */
export function onFloats(inputs: readonly Tensor[], of: (...floats: Tensor[]) => Tensor): Tensor {
  const result = of(...inputs.map((x) => cast(x, "float")));
  return inputs.every(({ dtype }) => dtype === "int") ? cast(result, "int") : result;
}

const unary = (of: (x: Tensor) => Tensor) => (call: OperatorCall) => onFloats([call.input(0)], of);

const binary = (of: (a: Tensor, b: Tensor) => Tensor) => (call: OperatorCall) =>
  onFloats([call.input(0), call.input(1)], of as (...floats: Tensor[]) => Tensor);

const variadic = (of: (a: Tensor, b: Tensor) => Tensor) => (call: OperatorCall) =>
  onFloats(call.inputs, (...all) => all.reduce(of));

const comparing = (of: (a: Tensor, b: Tensor) => Tensor) => (call: OperatorCall) =>
  of(call.input(0), call.input(1));

const ceil = (x: Tensor) => neg(floor(neg(x)));

function raised(call: OperatorCall): Tensor {
  const exponents = new Set(call.numbers(1));
  if (exponents.size !== 1)
    throw call.fail({ what: "raises to several powers at once", expected: "one exponent" });
  return onFloats([call.input(0)], (x) => power(x, [...exponents][0]!));
}

/** The remainder has the divisor's sign, or with `fmod` the dividend's. */
function remainder(call: OperatorCall): Tensor {
  const whole = (ratio: Tensor) =>
    call.number("fmod", 0) === 1 ? mul(sign(ratio), floor(abs(ratio))) : floor(ratio);
  return binary((a, b) => sub(a, mul(b, whole(div(a, b)))))(call);
}

/** Half and double precision are computed as float32. */
function changed(call: OperatorCall, type: number): Tensor {
  const element = elementTypeOf(type);
  if (element === undefined)
    throw call.fail({ what: "changes to a type that the engine has not", got: `element type ${type}` });
  return cast(call.input(0), element.dtype);
}

export const elementwise: OperatorFamily = {
  Abs: unary(abs),
  Add: binary(add),
  And: comparing(and),
  Cast: (call) => changed(call, call.number("to", 0)),
  CastLike: (call) => cast(call.input(0), call.input(1).dtype),
  Ceil: unary(ceil),
  Div: binary(div),
  Equal: comparing(equal),
  Erf: unary(erf),
  Exp: unary(exp),
  Floor: unary(floor),
  Greater: comparing(greater),
  GreaterOrEqual: comparing(greaterOrEqual),
  Less: comparing(less),
  LessOrEqual: comparing(lessOrEqual),
  Log: unary(log),
  Max: variadic(maximum),
  Min: variadic(minimum),
  Mod: remainder,
  Mul: binary(mul),
  Neg: unary(neg),
  Not: (call) => not(call.input(0)),
  Or: comparing(or),
  Pow: raised,
  Reciprocal: unary((x) => div(1, x)),
  Sign: unary(sign),
  Sqrt: unary(sqrt),
  Sub: binary(sub),
  Sum: variadic(add),
  Where: (call) => where(call.input(0), call.input(1), call.input(2)),
};
