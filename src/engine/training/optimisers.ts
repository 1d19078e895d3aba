/** Optimisers as pure rules: what state a parameter needs, and how a gradient moves it. */

import { add, div, mul, sqrt, sub } from "../ops/elementwise.ts";
import { input } from "../ops/sources.ts";
import type { Tensor } from "../tensor.ts";

export interface Optimiser {
  name: string;
  /** State kept for each parameter, in its shape, starting at zero. */
  moments: readonly string[];
  /** Numbers that change with the step, worked out in float64 and fed to the graph. */
  scalars(step: number, rate: number): Record<string, number>;
  /** Next value of a parameter and of its moments. */
  update(
    parameter: Tensor,
    gradient: Tensor,
    moments: readonly Tensor[],
  ): { parameter: Tensor; moments: readonly Tensor[] };
}

export interface OptimiserOptions {
  weightDecay?: number;
  /** Put before the names of the scalars, so that parameters at different steps can be moved in one run. */
  scope?: string;
}

function fed(name: string): Tensor {
  return input(name, []);
}

/** Adds the gradient of ½·decay·‖parameter‖²; a tensor has a decay for each entry. */
export function withL2(parameter: Tensor, gradient: Tensor, decay: number | Tensor): Tensor {
  return decay === 0 ? gradient : add(gradient, mul(parameter, decay));
}

/** Gradient descent with momentum as PyTorch writes it: v ← μv + g, p ← p − rate·v (Nesterov: − rate·(g + μv)). */
export function sgd({
  momentum = 0,
  nesterov = false,
  weightDecay = 0,
  scope = "",
}: OptimiserOptions & { momentum?: number; nesterov?: boolean } = {}): Optimiser {
  return {
    name: "sgd",
    moments: momentum === 0 ? [] : ["momentum"],
    scalars: (_step, rate) => ({ [`${scope}sgd.rate`]: rate }),
    update(parameter, gradient, [velocity]) {
      const slope = withL2(parameter, gradient, weightDecay);
      const rate = fed(`${scope}sgd.rate`);
      if (velocity === undefined) return { parameter: sub(parameter, mul(slope, rate)), moments: [] };
      const next = add(mul(velocity, momentum), slope);
      const direction = nesterov ? add(slope, mul(next, momentum)) : next;
      return { parameter: sub(parameter, mul(direction, rate)), moments: [next] };
    },
  };
}

export interface AdamOptions extends OptimiserOptions {
  beta1?: number;
  beta2?: number;
  epsilon?: number;
  /** Where entries of a parameter learn at rates of their own: what the rate is multiplied with for each, by parameter. */
  rates?: ReadonlyMap<Tensor, Tensor>;
}

/** Kingma & Ba 2015, with weight decay as L2. */
export function adam(options: AdamOptions = {}): Optimiser {
  return adamWith("adam", options, "l2");
}

/** Loshchilov & Hutter 2019: the decay acts on the parameter itself, times the rate, which is therefore one for all entries. */
export function adamw({ weightDecay = 0.01, ...options }: Omit<AdamOptions, "rates"> = {}): Optimiser {
  return adamWith("adamw", { weightDecay, ...options }, "decoupled");
}

/**
 * The moments are kept divided by 1 − β, which saves two passes over every parameter: M = m / (1 − β₁) and
 * V = v / (1 − β₂). With k = √((1 − β₂) / (1 − β₂ᵗ)), the step rate·m̂ / (√v̂ + ε) is
 * (rate·(1 − β₁) / (1 − β₁ᵗ) / k) · M / (√V + ε / k).
 */
function adamWith(
  name: string,
  { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0, scope = "", rates }: AdamOptions,
  decay: "l2" | "decoupled",
): Optimiser {
  const scalar = (what: string) => `${scope}${name}.${what}`;
  return {
    name,
    moments: ["first", "second"],
    scalars(step, rate) {
      const k = Math.sqrt((1 - beta2) / (1 - beta2 ** (step + 1)));
      return {
        [scalar("rate")]: (rate * (1 - beta1)) / (1 - beta1 ** (step + 1)) / k,
        [scalar("epsilon")]: epsilon / k,
        ...(decay === "decoupled" && weightDecay !== 0 ? { [scalar("keep")]: 1 - rate * weightDecay } : {}),
      };
    },
    update(parameter, gradient, [first, second]) {
      const slope = decay === "l2" ? withL2(parameter, gradient, weightDecay) : gradient;
      const nextFirst = add(mul(first!, beta1), slope);
      const nextSecond = add(mul(second!, beta2), mul(slope, slope));
      const common = div(mul(nextFirst, fed(scalar("rate"))), add(sqrt(nextSecond), fed(scalar("epsilon"))));
      const own = rates?.get(parameter);
      const change = own === undefined ? common : mul(common, own);
      const decayed =
        decay === "decoupled" && weightDecay !== 0 ? mul(parameter, fed(scalar("keep"))) : parameter;
      return { parameter: sub(decayed, change), moments: [nextFirst, nextSecond] };
    },
  };
}
