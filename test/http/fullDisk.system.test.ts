import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../support/fileServices.ts"
import { canMount, ON_DISK_MS, runOnDisk, statusOf, toldAnswers } from "../support/ownMounts.ts"

const CHANGES = [
  "PUT /api/workspace/soul",
  "POST /api/memories",
  "PUT /api/memories/section",
  "POST /api/files/write",
  "POST /api/files/delete",
  "POST /api/agentlog",
  "POST /api/kanban/tasks"
]

it.live.skipIf(!canMount)(
  "on a full disk every change is refused with a sentence, what was there is read, and with room all goes on (needs mounts of its own)",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const ended = runOnDisk("small", folder, "./fullDisk.ts")
      const answers = toldAnswers(ended.stdout)
      const full = answers.slice(0, CHANGES.length)
      const reads = answers.slice(CHANGES.length, -CHANGES.length - 1)
      assert.deepStrictEqual(
        full.map(statusOf),
        CHANGES.map((change) => `${change} 500`),
        ended.stdout + ended.stderr
      )
      for (const answer of full) {
        assert.match(answer, /"error":"(storage|store)_failure","details":"[^"]*disk/)
        assert.notInclude(answer, folder)
      }
      const contents = reads.map((line) => line.slice(statusOf(line).length + 1))
      assert.deepStrictEqual(
        reads.map(statusOf).map((line) => line.split(" ")[2]),
        ["200", "200", "200", "200", "200", "503", "200"]
      )
      assert.include(contents[0], '"content":"calm\\n"')
      assert.include(contents[1], '"old"')
      assert.notInclude(contents[1], "new")
      assert.notInclude(contents[2], ".tmp")
      assert.notInclude(contents[2], "new.md")
      assert.include(contents[2], "TOOLS.md")
      assert.strictEqual(contents[3], "[]")
      assert.include(contents[4], '"total":0')
      assert.include(contents[5], '{"name":"store","ok":false,"required":true}')
      assert.match(contents[6] ?? "", /"title":"Console's folder","state":"problem","detail":"Its disk is full/)
      assert.include(answers.at(-CHANGES.length - 1), "GET /readyz 200")
      const afterwards = answers.slice(-CHANGES.length).map((line) => statusOf(line).split(" ")[2])
      assert.deepStrictEqual(afterwards, ["200", "200", "200", "200", "200", "200", "201"], ended.stdout)
    }).pipe(Effect.scoped),
  ON_DISK_MS
)
