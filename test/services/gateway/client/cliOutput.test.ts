import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { failedCallText, jsonObjectsIn } from "../../../../src/services/gateway/client/GatewayCli.ts"

describe("jsonObjectsIn", () => {
  it("finds the object behind and before prose, also where the prose has braces", () => {
    const json = '{\n  "models": [{"key": "a/b", "name": "curly } brace \\" {"}]\n}'
    for (const output of [
      json,
      `warning: update available\n${json}\n`,
      `[plugins] loaded {memory} from {core}\n${json}\nbye`,
      `open { never closed in prose\n${json}`
    ]) {
      assert.deepStrictEqual(jsonObjectsIn(output).at(-1), { models: [{ key: "a/b", name: 'curly } brace " {' }] })
    }
  })

  it("finds none in prose, in half an object and in nothing", () => {
    for (const output of ["", "nothing here", '{"models": [', "{not json}", "[1, 2]", "{".repeat(100_000)]) {
      assert.deepStrictEqual(jsonObjectsIn(output), [])
    }
  })

  it.effect.prop(
    "gives back every object that is printed with lines of prose between",
    { objects: Schema.Array(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Int, Schema.Boolean]))) },
    ({ objects }) =>
      Effect.sync(() => {
        const output = objects.map((object) => `some prose\n${JSON.stringify(object, null, 2)}\n`).join("more\n")
        assert.deepStrictEqual(
          jsonObjectsIn(output),
          objects.map((object) => JSON.parse(JSON.stringify(object)))
        )
      })
  )
})

describe("failedCallText", () => {
  it("is what the gateway said, without the tool's own words", () => {
    assert.strictEqual(
      failedCallText("warning\nGateway call failed: GatewayClientRequestError: Error: unknown cron job id: nope\n"),
      "unknown cron job id: nope"
    )
    assert.strictEqual(failedCallText("Gateway call failed: unknown method: x"), "unknown method: x")
    assert.isUndefined(failedCallText("something else"))
  })
})
