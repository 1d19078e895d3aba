/** The shifts of figure 3: one drawn at random under which the cue is drowned, and multiples of the identity. */

import { CuelabError } from "../core/errors.ts";
import { randomStream } from "../core/random.ts";
import { bestWeights } from "./best-weights.ts";
import { shifted, type World } from "./domain.ts";
import { scaledIdentity } from "./matrix.ts";
import { type NamedDomain, namedDomains } from "./settings.ts";
import { shiftKinds } from "./shifts.ts";
import { conditionsOf } from "./simulate.ts";

/** More than this without a find, and there is hardly one. */
const mostDraws = 10_000;

/** The first a is the middle panel's, its negative the right one's. */
export function figureThreeDomains(world: World, factors: readonly number[], seed: number): NamedDomain[] {
  const size = world.meanSpurious.length;
  const multiples = factors.map((a) => ({ name: `${a}·I`, shift: scaledIdentity(size, a) }));
  return [drownedCue(world, seed), ...namedDomains(multiples)];
}

/** The first random M for which theorem 2 holds by low signal to noise, for the best classifier without label noise. */
function drownedCue(world: World, seed: number): NamedDomain {
  const { general, spurious } = bestWeights({ ...world, labelNoise: 0 });
  const shifts = shiftKinds.get("normal").draw({
    count: mostDraws,
    dimensions: spurious.length,
    size: 1,
    stream: randomStream(seed, "simulate/drowned"),
  });
  const found = shifts.find(({ shift }) => {
    const { theoremTwo } = conditionsOf({ world, delta: 0.5 }, shifted(shift), [...general, ...spurious]);
    return theoremTwo.reason === "low signal to noise";
  });
  if (found) return { name: "random M, low signal to noise", domain: shifted(found.shift) };
  throw new CuelabError({
    kind: "failure",
    what: `none of ${mostDraws} random shifts drowns the cue without reversing it`,
    todo: "take a smaller μ_spu or a larger Σ_spu",
  });
}
