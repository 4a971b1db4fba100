import { randomUUID } from "node:crypto"
import { type Effect, ManagedRuntime } from "effect"
import { type PracticeGatewayOptions, practiceGateway } from "../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import type { GatewayControl } from "../../../practice-gateway/src/GatewayControl.ts"
import { freePort } from "../../support/freePort.ts"

/** A gateway inside the test, which outlives the console under test or goes before it. */
export interface TestGateway {
  /** The environment of a console for this gateway. */
  readonly env: { readonly GATEWAY_URL: string; readonly GATEWAY_TOKEN: string }
  /** Controls of the gateway. */
  readonly run: <A, E>(lever: (control: GatewayControl) => Effect.Effect<A, E>) => Promise<A>
  /** Puts another gateway in its place, at the same address and with the same token, that remembers nothing. */
  readonly forget: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts an embedded gateway on loopback; slow enough that a test can meet it in the middle of an answer. */
export const startGateway = async (options: PracticeGatewayOptions = {}): Promise<TestGateway> => {
  const token = randomUUID()
  const port = await freePort()
  const open = () => ManagedRuntime.make(practiceGateway({ tokenMs: 25, seed: false, ...options, token, port }))
  let runtime = open()
  const { url } = await runtime.runPromise(EmbeddedGateway)
  return {
    env: { GATEWAY_URL: url, GATEWAY_TOKEN: token },
    run: async (lever) => runtime.runPromise(lever((await runtime.runPromise(EmbeddedGateway)).control)),
    forget: async () => {
      await runtime.dispose()
      runtime = open()
      await runtime.runPromise(EmbeddedGateway)
    },
    stop: () => runtime.dispose()
  }
}
