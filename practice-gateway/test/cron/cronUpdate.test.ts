import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { practiceGateway } from "../../older/practiceGateway.ts"
import { operator } from "../operator.ts"

const JOB = {
  name: "Job",
  schedule: { kind: "every", everyMs: 3_600_000 },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "x", model: "demo/swift", thinking: "low" },
  delivery: { mode: "announce", channel: "last" }
}

describe("cron.update merges into the job", () => {
  for (const generation of ["new", "old"] as const)
    it.live(`as gateways of the ${generation} generation do`, () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        const { id } = yield* link.call("cron.add", JOB)
        const update = (patch: object) => link.call("cron.update", { id, patch })
        const changed = yield* update({ payload: { kind: "agentTurn", message: "y" }, delivery: { mode: "none" } })
        assert.deepInclude(changed.payload, { message: "y", model: "demo/swift", thinking: "low" })
        assert.deepStrictEqual(changed.delivery, { mode: "none", channel: "last" })
        const taken = yield* update({ payload: { kind: "agentTurn", model: null } })
        const { model, thinking, message } = JSON.parse(JSON.stringify(taken.payload))
        assert.deepStrictEqual([message, thinking], ["y", "low"])
        assert.strictEqual(model, generation === "new" ? undefined : "demo/swift")
      }).pipe(Effect.provide(practiceGateway({ generation, seed: false, tokenMs: 0 })), Effect.scoped)
    )
})
