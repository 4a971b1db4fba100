import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { ensureBuilt } from "../../../scripts/ensureBuilt.ts"
import { GATEWAY_VERSIONS } from "../../../scripts/gateway/options.ts"
import { type RealGateway, startGateway } from "./realGateway.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** One running gateway of each wanted version, shared by all files of the suite; `missing` says why one is not there. */
    readonly gateways: ReadonlyArray<RealGateway>
  }
}

/** Those of both generations, or the one that GATEWAY_VERSION names. */
const wanted = (): ReadonlyArray<string> => {
  const named = process.env.GATEWAY_VERSION ?? ""
  return named === "" ? GATEWAY_VERSIONS : [named]
}

/** In place of a gateway that can't be installed here, which is said at once and in the name of every test it's missed by. */
const missingGateway = (version: string, missing: string): RealGateway => {
  console.log(`The tests of gateway ${version} are skipped: ${missing}`)
  return { version, url: "", token: "", gatewayHome: "", cli: "", modelUrl: "", missing }
}

const startOrMiss = (version: string) =>
  startGateway({ version }).pipe(
    Effect.catchTag("GatewayStartError", (error) =>
      error.missing === undefined ? Effect.fail(error) : Effect.succeed(missingGateway(version, error.missing))
    )
  )

/** Builds the console where needed, starts the wanted gateways for the whole suite and stops them at its end. */
export default async function setup(project: TestProject) {
  await ensureBuilt()
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const gateways = Effect.forEach(wanted(), startOrMiss, { concurrency: "unbounded" })
  try {
    project.provide("gateways", await Effect.runPromise(gateways.pipe(Scope.provide(scope))))
  } catch (error) {
    await close()
    throw error
  }
  return close
}
