/** Views one after the other on one image, each handed what it declares and nothing else. */

import type { Box } from "../core/box.ts";
import type { Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import type { Random } from "../core/random.ts";
import { views } from "./index.ts";
import { resolveUse } from "./resolve-use.ts";
import {
  type ImageView,
  isMixing,
  type MixingView,
  type PartnerKind,
  type ViewContext,
  type Viewed,
  type ViewPartner,
  type ViewUse,
} from "./view.ts";

/** One image, and what can be had with it. */
export interface ImageAt {
  label: number;
  random: Random;
  mean: readonly number[] | undefined;
  side(name: string): Promise<Pixels>;
  box(name: string): Promise<Box | undefined>;
  partner(kind: PartnerKind): Promise<ViewPartner>;
}

/** An image with nothing beside it. */
export function alone(random: Random): ImageAt {
  const nothing = (what: string) => async (): Promise<never> => {
    throw new CuelabError({ kind: "failure", what: `a view asks for ${what}, and there is only the image` });
  };
  return {
    label: 0,
    random,
    mean: undefined,
    side: nothing("a side image"),
    box: nothing("a box"),
    partner: nothing("a partner"),
  };
}

/** What one view reads, or one that it uses. */
export interface ViewNeed {
  view: string;
  kind: "side" | "box";
  name: string;
}

interface ChainStep {
  view: ImageView;
  settings: Record<string, unknown>;
  sides: readonly string[];
  boxes: readonly string[];
  mean: boolean;
  codes: readonly string[] | undefined;
  /** Other views that it may apply, by how its settings write them. */
  inner: ReadonlyMap<ViewUse, ChainStep>;
}

export class Chain {
  readonly #steps: readonly ChainStep[];
  /** Which change of the chain an image got is told by a number: what the numbers mean. */
  readonly codes: readonly string[] | undefined;
  /** Mixes the batch when its images have been changed; for all chains of a batch. */
  readonly mixing: { view: MixingView; settings: Record<string, unknown> } | undefined;

  constructor(uses: readonly ViewUse[]) {
    const resolved = uses.map(resolveUse);
    const mixings = resolved.filter(({ view }) => isMixing(views.get(view)));
    if (mixings.length > 1) throw mixedTwice(mixings.map(({ view }) => view));
    this.mixing = mixings[0] && { view: views.get(mixings[0].view) as MixingView, settings: mixings[0].with };
    this.#steps = resolved.filter((use) => !mixings.includes(use)).map(stepOf);
    checkMoves(this.#steps);
    const coded = this.#steps.filter(({ codes }) => codes !== undefined);
    if (coded.length > 1)
      throw new CuelabError({
        kind: "usage",
        what: `views "${coded[0]!.view.name}" and "${coded[1]!.view.name}" both choose among changes, and an image has one code`,
        todo: "use one of them",
      });
    this.codes = coded[0]?.codes;
  }

  /** Whether it leaves images as they are. */
  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  get needs(): ViewNeed[] {
    return [...every(this.#steps)].flatMap(({ view: { name: view }, sides, boxes }) => [
      ...sides.map((name): ViewNeed => ({ view, kind: "side", name })),
      ...boxes.map((name): ViewNeed => ({ view, kind: "box", name })),
    ]);
  }

  /** Kinds of partners, and a view that wants each. */
  get partners(): ReadonlyMap<PartnerKind, string> {
    return new Map(
      [...every(this.#steps)].flatMap(({ view: { partner, name } }) => (partner ? [[partner, name]] : [])),
    );
  }

  /** A view that reads the mean of the training images. */
  get wantsMean(): string | undefined {
    return [...every(this.#steps)].find(({ mean }) => mean)?.view.name;
  }

  /** The image is the chain's own to change in place. */
  async make(image: Pixels, at: ImageAt): Promise<Required<Viewed>> {
    let pixels = image;
    let [code, share] = [0, 1];
    for (const step of this.#steps) {
      const made = madeBy(step, image, pixels, at);
      const viewed = made instanceof Promise ? await made : made;
      ({ pixels } = viewed);
      if (step.codes !== undefined) code = viewed.code!;
      share *= viewed.share ?? 1;
    }
    return { pixels, code, share };
  }
}

function stepOf({ view: name, with: given }: ViewUse): ChainStep {
  const view = views.get(name) as ImageView;
  const settings = { ...given };
  const used = view.uses === undefined ? [] : (settings[view.uses] as readonly ViewUse[]);
  return {
    view,
    settings,
    sides: view.sides?.(settings) ?? [],
    boxes: view.boxes?.(settings) ?? [],
    mean: view.mean?.(settings) ?? false,
    codes: view.codes?.(settings),
    inner: new Map(used.map((use) => [use, stepOf(use)])),
  };
}

function* every(steps: Iterable<ChainStep>): Generator<ChainStep> {
  for (const step of steps) {
    yield step;
    yield* every(step.inner.values());
  }
}

/** Checks what comes back. A promise only where the view gives one: most do not, and waiting takes time. */
function madeBy(step: ChainStep, { height, width, channels }: Pixels, pixels: Pixels, at: ImageAt) {
  const { view, codes } = step;
  const checked = (made: Pixels | Viewed): Viewed => {
    const viewed = "pixels" in made ? made : { pixels: made };
    const given = viewed.pixels;
    const isWhole = given.data.length === height * width * channels;
    if (given.height !== height || given.width !== width || given.channels !== channels || !isWhole)
      throw broken(view, "gives an image of another shape", `${height} × ${width} × ${channels}`);
    const { code } = viewed;
    if (codes === undefined ? code !== undefined : !(code !== undefined && codes[code] !== undefined))
      throw broken(view, "gives a code that means nothing", codes ? `0 to ${codes.length - 1}` : "none");
    return viewed;
  };
  const made = view.make(pixels, contextOf(step, at));
  return made instanceof Promise ? made.then(checked) : checked(made);
}

function contextOf(step: ChainStep, at: ImageAt): ViewContext<Record<string, unknown>> {
  const { view, settings, sides, boxes, inner } = step;
  const only = (kind: "side" | "box", name: string) => {
    const declared = kind === "side" ? sides : boxes;
    if (!declared.includes(name))
      throw broken(view, `reads the ${kind} "${name}", which it does not declare`, listed(declared));
  };
  return {
    settings,
    label: at.label,
    random: at.random,
    get mean() {
      if (!step.mean || at.mean === undefined)
        throw broken(view, "reads the mean of the training images, which it does not declare");
      return at.mean;
    },
    side: async (name) => {
      only("side", name);
      return at.side(name);
    },
    box: async (name) => {
      only("box", name);
      return at.box(name);
    },
    partner: async () => {
      if (view.partner === undefined) throw broken(view, "asks for a partner, which it does not declare");
      const { label, pixels, side, box } = await at.partner(view.partner);
      return {
        label,
        pixels,
        side: async (name) => {
          only("side", name);
          return side(name);
        },
        box: async (name) => {
          only("box", name);
          return box(name);
        },
      };
    },
    apply: async (use, image) => {
      const used = inner.get(use);
      if (used === undefined)
        throw broken(view, `applies "${use.view}", which its settings do not list under \`uses\``);
      return madeBy(used, image, image, at);
    },
  };
}

/** Masks and boxes belong to the image as it was. */
function checkMoves(steps: readonly ChainStep[]): void {
  let moved: string | undefined;
  for (const step of steps) {
    const all = [...every([step])];
    const reads = all.find(({ sides, boxes }) => sides.length + boxes.length > 0);
    if (reads !== undefined && moved !== undefined)
      throw new CuelabError({
        kind: "usage",
        what: `view "${reads.view.name}" reads masks or boxes, which no longer fit after "${moved}"`,
        todo: `apply ${reads.view.name} first`,
      });
    moved = all.find(({ view }) => view.moves)?.view.name ?? moved;
  }
}

export function mixedTwice(names: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `${names.join(" and ")} cannot both mix the same batch`,
    todo: "choose one",
  });
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}

function broken({ name }: ImageView, does: string, expected?: string): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `view "${name}" ${does}`,
    ...(expected !== undefined && { expected }),
  });
}
