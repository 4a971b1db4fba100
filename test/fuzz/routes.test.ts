import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, References } from "effect"
import { openApiDocument } from "../../src/http/docs/openApiDocument.ts"
import { temporaryFolder } from "../support/fileServices.ts"
import { Fuzz, fuzzRounds } from "../support/fuzz.ts"
import { operationsOf, sendFuzz } from "../support/fuzzRequest.ts"
import { listen } from "../support/listen.ts"

/** Faults that a route may tell of: each has a name and a sentence for people. */
const NAMED_FAULT = /^\{"error":"[a-z]+(?:_[a-z]+)+","details":"[^"]{10}/
/** Nobody listens there: whatever the console would ask of others fails at once. */
const NOWHERE = "http://127.0.0.1:9"
const ROUNDS = fuzzRounds(4)

const document = openApiDocument("svc_session")
const components: Readonly<Record<string, unknown>> = { ...document.components.schemas }
const operations = operationsOf(JSON.parse(JSON.stringify(document)))

it.live(
  `whatever ${operations.length} operations are sent, ${ROUNDS} times each, there is an answer that tells nothing of the inside`,
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const gatewayHome = `${folder}/gateway`
      const { ports } = yield* listen({
        svcHome: `${folder}/svc`,
        gatewayHome,
        memoryPath: `${gatewayHome}/workspace/MEMORY.md`,
        memoryDir: `${gatewayHome}/workspace/memory`,
        gatewayToken: Redacted.make("token-nobody-may-see"),
        agentADir: `${folder}/agent-a`,
        sttModelDir: `${folder}/models`,
        agentABaseUrl: NOWHERE,
        vendorABaseUrl: NOWHERE,
        vendorBBaseUrl: NOWHERE,
        sttModelBaseUrl: NOWHERE,
        freeBaseUrl: NOWHERE.replace("http", "ws")
      })
      const fuzz = new Fuzz()
      const statuses = new Map<number, number>()
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const operation of operations) {
          const { label, status, text } = yield* Effect.promise(() => sendFuzz(fuzz, ports.http, operation, components))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500) assert.match(text, NAMED_FAULT, label)
          for (const secret of [folder, "token-nobody-may-see", "node_modules", "    at "]) {
            assert.notInclude(text, secret, label)
          }
        }
      }
      // It got everywhere: answers, refusals and faults of the gateway that is not there.
      for (const status of [200, 400, 404, 502]) assert.isAbove(statuses.get(status) ?? 0, 0, String(status))
      assert.isUndefined(statuses.get(429))
    }).pipe(
      Effect.scoped,
      Effect.provide(NodeServices.layer),
      Effect.provideService(References.MinimumLogLevel, "None")
    ),
  60_000 + ROUNDS * 15_000
)
