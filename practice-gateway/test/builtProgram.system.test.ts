import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { build, type Rollup } from "vite"
import { olderGeneration } from "../older/olderGeneration.ts"
import { newerGeneration } from "../src/newerGeneration.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

it("the built program has the practice gateway for its demo, and nothing of the older generation", async () => {
  const built = await build({ root, logLevel: "error", build: { write: false } })
  const outputs = [built]
    .flat()
    .flatMap((one): Rollup.RollupOutput["output"][number][] => ("output" in one ? one.output : []))
  const chunks = outputs.flatMap((one) => (one.type === "chunk" ? [one] : []))
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  assert.isTrue(modules.some((id) => id.includes("/practice-gateway/src/")))
  assert.deepStrictEqual(
    modules.filter((id) => /\/practice-gateway\/(?:older|test)\//.test(id)),
    []
  )
  const code = chunks.map((chunk) => chunk.code).join("\n")
  assert.include(code, newerGeneration.version)
  for (const marker of [olderGeneration.version, "Sender (untrusted metadata)", "unknown agent id", "429 the demo"])
    assert.notInclude(code, marker)
})
