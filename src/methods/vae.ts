/** The variational autoencoder, and with another weight of its divergence the β-VAE: −log p(x|z) + β·KL. */

import { z } from "zod";
import { add, mean, mul } from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import type { Stage } from "./stage.ts";
import {
  asPrinted,
  boundOf,
  type VariationalConfig,
  variationalPrediction,
  variationalSchema,
  variationalSettings,
  variationalStages,
} from "./variational.ts";

export const vae = defineMethod({
  name: "vae",
  version: 1,
  title: "Variational autoencoder",
  paper: "Kingma & Welling 2014, as in Eulig et al. 2021",
  supervision: {},
  settings: variationalSchema,
  search: { latent: [6, 12, 24] },
  presets: { "diagvib-study": asPrinted({ latent: 12 }) },
  stages: (known) => variationalStages(known, weighted(known.config, 1)),
  ...variationalPrediction,
});

export const betaVae = defineMethod({
  name: "beta-vae",
  version: 1,
  title: "β-VAE",
  paper: "Higgins et al. 2017, as in Eulig et al. 2021",
  supervision: {},
  settings: z.object({
    ...variationalSettings,
    beta: z
      .number()
      .min(0)
      .default(4)
      .describe("β: how much the divergence of codes from their prior counts; 1 is the VAE"),
  }),
  search: { beta: [1, 2, 4, 8, 16], latent: [6, 12, 24] },
  // The values of β behind Figure A3 are not printed.
  presets: { "diagvib-study": asPrinted({ latent: 12, beta: 4 }) },
  stages: (known) => variationalStages(known, weighted(known.config, known.config.beta)),
  ...variationalPrediction,
});

function weighted(config: VariationalConfig, beta: number): Stage["build"] {
  return (context) => {
    const { reconstruction, divergence } = boundOf(context, config);
    return {
      loss: mean(add(reconstruction, mul(divergence, beta))),
      columns: { reconstruction, divergence },
    };
  };
}
