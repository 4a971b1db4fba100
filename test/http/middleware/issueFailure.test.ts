import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { issueFailure } from "../../../src/http/middleware/errors.ts"

const sentence = (schema: Schema.Decoder<unknown>, input: unknown) =>
  Effect.map(Effect.flip(Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })(input)), issueFailure)

const Card = Schema.Struct({
  title: Schema.optionalKey(Schema.String),
  labels: Schema.optionalKey(Schema.Array(Schema.String)),
  done: Schema.optionalKey(Schema.Boolean),
  note: Schema.optionalKey(Schema.NullOr(Schema.String)),
  order: Schema.optionalKey(Schema.Finite),
  share: Schema.optionalKey(Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  count: Schema.optionalKey(Schema.Int),
  code: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d+$/))),
  name: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(3))),
  kind: Schema.optionalKey(Schema.Literals(["create", "update"])),
  only: Schema.optionalKey(Schema.Literal("replace")),
  own: Schema.optionalKey(Schema.String.annotate({ message: "must be a colour" })),
  patch: Schema.optionalKey(Schema.Struct({ job: Schema.String }))
})

describe("what a request did wrong", () => {
  it.effect.each([
    [{ title: 7 }, "title: must be text"],
    [{ labels: "a" }, "labels: must be a list"],
    [{ labels: ["a", 2] }, "labels.1: must be text"],
    [{ done: 1 }, "done: must be true or false"],
    [{ note: 1 }, "note: must be text or null"],
    [{ order: "x" }, "order: must be a number"],
    [{ share: 2 }, "share: must be between 0 and 1"],
    [{ count: 1.5 }, "count: must be a whole number"],
    [{ code: "x" }, "code: isn't in the right form"],
    [{ name: "long" }, "name: must have a length of at most 3"],
    [{ kind: "x" }, "kind: must be one of: create, update"],
    [{ only: "x" }, 'only: must be "replace"'],
    [{ own: 1 }, "own: must be a colour"],
    [{ patch: {} }, "patch.job: is required"],
    [{ patch: 5 }, "patch: must be an object"],
    [{ more: 5 }, "more: isn't known here"],
    [[], "the body must be an object"],
    [7, "the body must be an object"]
  ] as const)("%j", ([input, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* sentence(Card, input)).message, expected)
    })
  )
})
