import { createECDH, randomBytes } from "node:crypto"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, References } from "effect"
import { openApiDocument } from "../../src/http/platform/docs/openApiDocument.ts"
import { temporaryFolder } from "../support/fileServices.ts"
import { Fuzz, fuzzRounds, IS_LONG_RUN, SEED } from "../support/fuzz.ts"
import { Known, type Operation, operationsOf, sendFuzz } from "../support/fuzzRequest.ts"
import { listen } from "../support/listen.ts"

/** The errors that a route may return: each has a code and a sentence for people. */
const NAMED_FAULT = /^\{"error":"[a-z]+(?:_[a-z]+)+","details":"[^"]{10}/
/** Nobody listens there: whatever the console would ask of others fails at once. */
const NOWHERE = "http://127.0.0.1:9"
/** Answers to requests that were not even in the right form, or asked for what is not there. */
const MISUNDERSTOOD = new Set([400, 404, 405, 413, 415])
/** Words that the document leaves to prose. */
const browser = createECDH("prime256v1")
const WORDS = {
  auth: [randomBytes(16).toString("base64url")],
  endpoint: [`${NOWHERE}/push`],
  p256dh: [browser.generateKeys("base64url")],
  assignee: ["operator", "agent:main"],
  createdBy: ["operator", "agent:main"],
  date: ["2026-05-04"],
  depth: ["1"],
  from: ["2026-05-04"],
  group: ["model", "day,model"],
  lang: ["en", "de", "ja"],
  action: ["approve", "reject", "dismiss"],
  kind: ["approval,question", "proposal"],
  limit: ["1", "200"],
  offset: ["0", "1"],
  path: ["notes.md", "folder"],
  "payload{}": ["id", "title"],
  proposedBy: ["operator", "agent:main"],
  query: ["plain"],
  schedule: ["0 7 * * *", "*/5 * * * *"],
  section: ["plain"],
  sessionKey: ["agent:main:main"],
  title: ["plain"],
  to: ["2026-05-05"],
  workdir: ["/tmp", "/"]
}
const ROUNDS = fuzzRounds(20)

const document = openApiDocument("svc_session", "")
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
        pushAllowedOrigins: [NOWHERE],
        freeBaseUrl: NOWHERE.replace("http", "ws")
      })
      const made = { fuzz: new Fuzz(), known: new Known(WORDS), components }
      const understood = new Set<Operation>()
      const statuses = new Map<number, number>()
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const operation of operations) {
          const { label, isAlone, status, text } = yield* Effect.promise(() => sendFuzz(made, ports.http, operation))
          if (!MISUNDERSTOOD.has(status)) understood.add(operation)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500) assert.match(text, NAMED_FAULT, label)
          if (isAlone) assert.notStrictEqual(status, 429, label)
          for (const secret of [folder, "token-nobody-may-see", "node_modules", "    at "]) {
            assert.notInclude(text, secret, label)
          }
        }
      }
      const missed = operations.filter((operation) => !understood.has(operation))
      if (IS_LONG_RUN) {
        const sent = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`)
        console.log(`${operations.length * ROUNDS} requests, seed ${SEED}; ${sent.join(", ")}`)
        console.log(`understood no request: ${missed.map(({ method, path }) => `${method} ${path}`).join(", ")}`)
      }
      // It got everywhere: answers, refusals and faults of the gateway that is not there.
      for (const status of [200, 400, 404, 502]) assert.isAbove(statuses.get(status) ?? 0, 0, String(status))
      assert.isBelow(missed.length, operations.length / 4)
    }).pipe(
      Effect.scoped,
      Effect.provide(NodeServices.layer),
      Effect.provideService(References.MinimumLogLevel, "None")
    ),
  60_000 + ROUNDS * 15_000
)
