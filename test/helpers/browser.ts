/** A headless browser from a package, for tests that look at pages as people do. */

import { spawnSync } from "node:child_process";
import type { Browser } from "playwright-core";

export interface OpenedBrowser {
  browser: Browser | undefined;
  /** Why there is none. */
  reason: string;
}

/** Close it again. Machines on which it cannot run tell why; the tests that need it are then skipped, with that reason. */
export async function openBrowser(): Promise<OpenedBrowser> {
  // The package brings the libraries that slim systems lack, and unpacks them if it takes this for its home.
  if (!hasNetworkSecurityServices()) process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs20.x";
  try {
    const [{ default: packed }, { chromium }] = await Promise.all([
      import("@sparticuz/chromium"),
      import("playwright-core"),
    ]);
    const executablePath = await packed.executablePath();
    const browser = await chromium.launch({ args: packed.args, executablePath, headless: true });
    return { browser, reason: "" };
  } catch (cause) {
    return { browser: undefined, reason: `no browser can run here: ${(cause as Error).message}` };
  }
}

function hasNetworkSecurityServices(): boolean {
  const { stdout } = spawnSync("ldconfig", ["-p"], { encoding: "utf8" });
  return (stdout ?? "").includes("libnss3.so");
}
