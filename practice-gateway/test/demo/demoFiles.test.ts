import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AgentLogEntry } from "../../../src/contract/schema/knowledge.ts"
import { demoFiles, demoLog } from "../../src/demo/demoFiles.ts"

it.effect("the demonstration's log is one that the console reads, the oldest entry first and none of the future", () =>
  Effect.gen(function* () {
    const now = Date.UTC(2026, 10, 20)
    const entries = yield* Schema.decodeUnknownEffect(Schema.Array(AgentLogEntry))(demoLog(now))
    const times = entries.map(({ ts }) => ts)
    assert.deepStrictEqual(
      times,
      times.toSorted((left, right) => left - right)
    )
    assert.isBelow(times.at(-1) ?? now, now)
  })
)

it("the demonstration's files are what their endings say", () => {
  const files = demoFiles("2026-11-20")
  assert.isDefined(files["workspace/memory/2026-11-20.md"])
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith(".json")) assert.isObject(JSON.parse(text))
    if (path.endsWith(".svg")) assert.isTrue(text.startsWith("<svg "))
  }
})
