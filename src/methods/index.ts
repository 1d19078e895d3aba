/** Every mitigation method. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { augmix } from "./augmix.ts";
import { cfF } from "./cf-f.ts";
import { debian } from "./debian.ts";
import { dfr } from "./dfr.ts";
import { domainIndependent } from "./domain-independent.ts";
import { eiil } from "./eiil.ts";
import { erm } from "./erm.ts";
import { factorVae } from "./factor-vae.ts";
import { groupDro } from "./group-dro.ts";
import { groupUpweighting } from "./group-upweighting.ts";
import { irmV1 } from "./irm-v1.ts";
import { jtt } from "./jtt.ts";
import { lastLayerEnsemble } from "./last-layer-ensemble.ts";
import { lens } from "./lens.ts";
import { lff } from "./lff.ts";
import { lfmf } from "./lfmf.ts";
import { lnl } from "./lnl.ts";
import { rubi } from "./rubi.ts";
import { spectralDecoupling } from "./spectral-decoupling.ts";
import { subg } from "./subg.ts";
import { betaVae, vae } from "./vae.ts";

export const methods = new Registry(
  "method",
  [
    erm,
    groupUpweighting,
    groupDro,
    rubi,
    lnl,
    irmV1,
    lff,
    spectralDecoupling,
    jtt,
    subg,
    domainIndependent,
    dfr,
    lastLayerEnsemble,
    eiil,
    debian,
    lfmf,
    augmix,
    cfF,
    vae,
    betaVae,
    factorVae,
    lens,
  ],
  { plugins: "methods" },
);

export * from "../engine/training/initialisers.ts";
export { meanLoss } from "./mean-loss.ts";
export * from "./method.ts";
export * from "./presets.ts";
export * from "./stage.ts";
export {
  augmix,
  betaVae,
  cfF,
  debian,
  dfr,
  domainIndependent,
  eiil,
  erm,
  factorVae,
  groupDro,
  groupUpweighting,
  irmV1,
  jtt,
  lastLayerEnsemble,
  lens,
  lff,
  lfmf,
  lnl,
  rubi,
  spectralDecoupling,
  subg,
  vae,
};
