import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../support/fileServices.ts"
import { canMount, ON_DISK_MS, runOnDisk, statusOf, toldAnswers } from "../support/ownMounts.ts"

it.live.skipIf(!canMount)(
  "on a read-only disk everything is read, changes are refused with a sentence, nothing is lost (needs mounts of its own)",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      mkdirSync(`${folder}/workspace/memory`, { recursive: true })
      writeFileSync(`${folder}/workspace/SOUL.md`, "calm\n")
      writeFileSync(`${folder}/workspace/MEMORY.md`, "## General\n- old\n")
      const ended = runOnDisk("readOnly", folder, "./readOnlyDisk.ts")
      const answers = toldAnswers(ended.stdout)
      assert.deepStrictEqual(
        answers.map(statusOf),
        [
          "GET /api/workspace/soul 200",
          "GET /api/memories 200",
          "GET /api/files/tree 200",
          "PUT /api/workspace/soul 500",
          "POST /api/memories 500",
          "PUT /api/memories/section 500",
          "DELETE /api/memories 500",
          "POST /api/files/write 500",
          "POST /api/files/mkdir 500",
          "POST /api/files/delete 500"
        ],
        ended.stdout + ended.stderr
      )
      for (const answer of answers.filter((line) => line.includes(" 500 "))) {
        assert.include(answer, '"details":')
        assert.notInclude(answer, folder)
      }
      assert.strictEqual(readFileSync(`${folder}/workspace/SOUL.md`, "utf8"), "calm\n")
      assert.strictEqual(readFileSync(`${folder}/workspace/MEMORY.md`, "utf8"), "## General\n- old\n")
    }).pipe(Effect.scoped),
  ON_DISK_MS
)
