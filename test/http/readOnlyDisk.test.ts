import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../support/fileServices.ts"

const SCRIPT = fileURLToPath(new URL("../support/readOnlyDisk.ts", import.meta.url))
const DEFINES = new URL("../support/sourceDefines.mjs", import.meta.url).href

/** Makes one folder read-only for one process tree. */
const MOUNTED = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
const readOnly = (folder: string, command: ReadonlyArray<string>) =>
  spawnSync("unshare", ["-Urm", "sh", "-c", MOUNTED, "sh", folder, ...command], { encoding: "utf8", timeout: 14_000 })

const canMount = spawnSync("unshare", ["-Urm", "true"]).status === 0
if (!canMount) console.log("skipped: this system lets no process have mounts of its own (unshare -Urm)")

it.live.skipIf(!canMount)(
  "on a read-only disk everything is read, changes are refused with a sentence, nothing is lost",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      mkdirSync(`${folder}/workspace/memory`, { recursive: true })
      writeFileSync(`${folder}/workspace/SOUL.md`, "calm\n")
      writeFileSync(`${folder}/workspace/MEMORY.md`, "## General\n- old\n")
      const ended = readOnly(folder, [process.execPath, "--import", DEFINES, SCRIPT, folder])
      const lines = ended.stdout.trim().split("\n")
      const answers = lines.filter((line) => /^(GET|PUT|POST|DELETE) \//.test(line))
      assert.deepStrictEqual(
        answers.map((line) => line.split(" ").slice(0, 3).join(" ")),
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
    }).pipe(Effect.scoped)
)
