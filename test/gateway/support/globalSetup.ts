import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { ensureBuilt } from "../../../scripts/ensureBuilt.ts"
import { GATEWAY_VERSIONS, type RealGateway, startGateway } from "./realGateway.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** One running gateway of each generation, shared by all files of the suite. */
    readonly gateways: ReadonlyArray<RealGateway>
  }
}

/** Builds the console where needed, starts one gateway of each generation for the whole suite and stops them at its end. */
export default async function setup(project: TestProject) {
  await ensureBuilt()
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const gateways = Effect.forEach(GATEWAY_VERSIONS, (version) => startGateway({ version }), {
    concurrency: "unbounded"
  })
  try {
    project.provide("gateways", await Effect.runPromise(gateways.pipe(Scope.provide(scope))))
  } catch (error) {
    await close()
    throw error
  }
  return close
}
