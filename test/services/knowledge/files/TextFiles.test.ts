import { execFileSync, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { memoryOutline } from "../../../../src/contract/memory/memoryMarkdown.ts"
import { TextFiles } from "../../../../src/services/knowledge/files/TextFiles.ts"
import { fileServices, temporaryFolder } from "../../../support/fileServices.ts"

const EDITOR = fileURLToPath(new URL("../../../support/editForever.ts", import.meta.url))

const withFiles = <A, E>(body: (folder: string) => Effect.Effect<A, E, TextFiles | FileSystem.FileSystem>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    return yield* body(folder).pipe(Effect.provide(fileServices(folder)))
  }).pipe(Effect.scoped)

/** Runs the editor until it has stored that many edits, then kills it; answers the last number it acknowledged. */
const editAndKill = (path: string, start: number, edits: number) =>
  Effect.callback<number>((resume) => {
    const child = spawn(process.execPath, [EDITOR, path, String(start)], { stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk
      if (output.split("\n").length > edits) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(Number(output.trim().split("\n").at(-1)))))
  })

describe("TextFiles", () => {
  it.effect(
    "kill -9 in the middle of edits loses no acknowledged one and leaves no half file",
    () =>
      withFiles((folder) =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const path = `${folder}/notes/MEMORY.md`
          let next = 0
          for (let round = 0; round < 8; round++) {
            const acknowledged = yield* editAndKill(path, next, 1 + round * 3)
            const text = yield* fs.readFileString(path)
            const items = memoryOutline(text).filter((entry) => entry.type === "item")
            assert.isAtLeast(items.length, acknowledged + 1)
            assert.isTrue(text.endsWith("x\n"))
            items.forEach((item, index) => {
              assert.isTrue(item.text.startsWith(`fact ${index} `))
            })
            next = items.length
          }
        })
      ),
    60_000
  )

  it.effect("a byte order mark and every other byte survive an edit", () =>
    withFiles((folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const files = yield* TextFiles
        const path = `${folder}/a.md`
        yield* fs.writeFileString(path, "\uFEFFone\r\n🫖\u0000end")
        yield* files.edit(path, "a.md", (text) => Effect.succeed({ text: `${text}!`, value: undefined }))
        assert.strictEqual(
          Buffer.from(yield* fs.readFile(path)).toString("hex"),
          Buffer.from("\uFEFFone\r\n🫖\u0000end!").toString("hex")
        )
      })
    )
  )

  it.effect("what is no file, no text or no longer readable is refused with a sentence and never blocks", () =>
    withFiles((folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const files = yield* TextFiles
        execFileSync("mkfifo", [`${folder}/pipe.md`])
        yield* fs.makeDirectory(`${folder}/folder.md`)
        yield* fs.writeFile(`${folder}/latin.md`, new Uint8Array([0x61, 0xe9, 0x0a]))
        const messages = yield* Effect.forEach(["pipe.md", "folder.md", "latin.md"], (name) =>
          files.read(`${folder}/${name}`, name).pipe(
            Effect.flip,
            Effect.map((error) => error.message)
          )
        )
        assert.deepStrictEqual(messages, [
          "pipe.md isn't a file: move it out of the way",
          "folder.md isn't a file: move it out of the way",
          "latin.md isn't UTF-8 text: convert it first, so that nothing is lost"
        ])
        const changed = yield* files
          .edit(`${folder}/latin.md`, "latin.md", () => Effect.succeed({ text: "new", value: undefined }))
          .pipe(Effect.flip)
        assert.strictEqual(changed._tag, "StorageFailure")
        assert.strictEqual((yield* fs.readFile(`${folder}/latin.md`)).length, 3)
      })
    )
  )

  it.effect("a folder that cannot be written is reported without its path, and the old text stays", () =>
    withFiles((folder) =>
      Effect.gen(function* () {
        const files = yield* TextFiles
        // A file where a folder should be refuses even root, which permissions do not.
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(`${folder}/blocked`, "in the way")
        const error = yield* files
          .edit(`${folder}/blocked/a.md`, "a.md", () => Effect.succeed({ text: "x", value: undefined }))
          .pipe(Effect.flip)
        assert.strictEqual(error._tag, "StorageFailure")
        assert.notInclude(error.message, folder)
        assert.strictEqual(yield* fs.readFileString(`${folder}/blocked`), "in the way")
      })
    )
  )

  it.effect("20 parallel edits of one file all count", () =>
    withFiles((folder) =>
      Effect.gen(function* () {
        const files = yield* TextFiles
        const path = `${folder}/count`
        yield* Effect.forEach(
          Array.from({ length: 20 }),
          () =>
            files.edit(path, "count", (text) =>
              Effect.succeed({ text: String(Number(text ?? 0) + 1), value: undefined })
            ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(yield* files.read(path, "count"), "20")
      })
    )
  )
})
