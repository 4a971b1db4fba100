import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { olderGeneration } from "../../older/olderGeneration.ts"
import { invalidRequest } from "../../src/wire/GatewayRefusal.ts"
import { paramIssues } from "../../src/wire/paramIssues.ts"

const Params = Schema.Struct({
  key: Schema.String,
  kind: Schema.optionalKey(Schema.Literals(["a", "b"])),
  count: Schema.optionalKey(Schema.Int),
  inner: Schema.optionalKey(Schema.Struct({ name: Schema.String }))
})
const decode = Schema.decodeUnknownResult(Params, { errors: "all", onExcessProperty: "error" })

const said = (value: unknown) => {
  const decoded = decode(value)
  return Result.isFailure(decoded) ? paramIssues(decoded.failure.issue) : ""
}

describe("paramIssues", () => {
  it("names missing and unknown fields, missing ones first", () => {
    assert.strictEqual(said({ x: 1 }), "must have required property 'key'; at root: unexpected property 'x'")
    assert.strictEqual(
      said({ key: "k", inner: { other: 1 } }),
      "at /inner: must have required property 'name'; at /inner: unexpected property 'other'"
    )
  })

  it("says which type is wanted", () => {
    assert.strictEqual(said({ key: 1 }), "at /key: must be string")
    assert.strictEqual(said({ key: "k", inner: "text" }), "at /inner: must be object")
    assert.strictEqual(said("text"), "must be object")
  })

  it("each generation has its own words for a closed list", () => {
    assert.strictEqual(said({ key: "k", kind: "c" }), "at /kind: must be equal to one of the allowed values")
    assert.strictEqual(
      olderGeneration.refusal(invalidRequest(said({ key: "k", kind: "c" }))).message,
      "at /kind: must be equal to constant; at /kind: must match a schema in anyOf"
    )
  })
})
