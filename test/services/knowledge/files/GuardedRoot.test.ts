import { spawn } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { holdFileAt, makeGuardedRoot } from "../../../../src/services/knowledge/files/GuardedRoot.ts"
import { createFileAtomic, writeFileAtomic } from "../../../../src/services/platform/storage/atomicFile.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"

const makeFolders = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const [root, outside] = [join(folder, "root"), join(folder, "outside")]
  mkdirSync(join(root, "notes"), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(root, "notes", "a.md"), "inside")
  writeFileSync(join(outside, "a.md"), "outside")
  return { root, outside }
})

/** Swaps `notes` for a link to the outside and back, as fast as it can, until the scope closes. */
const swapper = (root: string, outside: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof spawn>>((resume) => {
      const script = `
        const fs = require("node:fs")
        const [root, outside] = process.argv.slice(1)
        fs.symlinkSync(outside, root + "/link")
        process.stdout.write("ready")
        for (;;) {
          fs.renameSync(root + "/notes", root + "/real")
          fs.renameSync(root + "/link", root + "/notes")
          fs.renameSync(root + "/notes", root + "/link")
          fs.renameSync(root + "/real", root + "/notes")
        }`
      const child = spawn(process.execPath, ["-e", script, root, outside], { stdio: ["ignore", "pipe", "ignore"] })
      child.stdout.once("data", () => resume(Effect.succeed(child)))
    }),
    (child) =>
      Effect.callback<void>((resume) => {
        child.once("close", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )

/** Both ways the guard works; the second is that of systems without `/proc/self/fd`, forced here. */
const WAYS = [
  { name: "by descriptor paths", byDescriptor: process.platform === "linux" },
  { name: "by comparing real paths", byDescriptor: false }
]

describe("GuardedRoot", () => {
  it.effect("never reads or writes outside while a folder is swapped for a link", () =>
    Effect.gen(function* () {
      const { root, outside } = yield* makeFolders
      const guard = makeGuardedRoot(root)
      yield* swapper(root, outside)
      const seen: Record<string, number> = {}
      const count = (name: string) => {
        seen[name] = (seen[name] ?? 0) + 1
      }
      for (let round = 0; round < 400; round += 1) {
        const text = yield* guard.file(["notes", "a.md"]).pipe(
          Effect.flatMap(({ handle }) => Effect.promise(() => handle.readFile("utf8"))),
          Effect.scoped,
          Effect.result
        )
        count(Result.isSuccess(text) ? text.success : text.failure._tag)
        const written = yield* guard.target(["notes", `made-${round % 10}`]).pipe(
          Effect.flatMap((entry) =>
            round % 2 === 0 ? createFileAtomic(entry.at, "x") : writeFileAtomic(entry.at, "y", { isResolved: true })
          ),
          Effect.scoped,
          Effect.result
        )
        count(Result.isSuccess(written) ? "written" : "not written")
        const listed = yield* guard.folder(["notes"]).pipe(Effect.scoped, Effect.result)
        if (Result.isSuccess(listed)) assert.isTrue(listed.success.real.startsWith(`${root}/`))
      }
      assert.isUndefined(seen.outside)
      assert.isAbove(seen.inside ?? 0, 0, JSON.stringify(seen))
      assert.isAbove(seen.written ?? 0, 0, JSON.stringify(seen))
      assert.strictEqual(readFileSync(join(outside, "a.md"), "utf8"), "outside")

      assert.deepStrictEqual(readdirSync(outside), ["a.md"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect.runIf(process.platform === "linux")(
    "a folder that is held stays the same folder when its name is taken over (needs Linux)",
    () =>
      Effect.gen(function* () {
        const { root, outside } = yield* makeFolders
        const entry = yield* makeGuardedRoot(root).target(["notes", "new.md"])
        renameSync(join(root, "notes"), join(root, "moved"))
        symlinkSync(outside, join(root, "notes"))
        yield* createFileAtomic(entry.at, "new")
        assert.strictEqual(readFileSync(join(root, "moved", "new.md"), "utf8"), "new")
        assert.throws(() => readFileSync(join(outside, "new.md")))
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect.each(WAYS)("follows links inside the root and circles of them to an end, $name", ({ byDescriptor }) =>
    Effect.gen(function* () {
      const { root, outside } = yield* makeFolders
      symlinkSync("notes", join(root, "again"))
      symlinkSync(join(outside, "a.md"), join(root, "out.md"))
      symlinkSync("round-b", join(root, "round-a"))
      symlinkSync("round-a", join(root, "round-b"))
      symlinkSync("../root/notes/a.md", join(root, "detour.md"))
      symlinkSync(outside, join(root, "out"))
      const guard = makeGuardedRoot(root, byDescriptor)
      const tagOf = (...segments: ReadonlyArray<string>) =>
        guard.file(segments).pipe(
          Effect.map(() => "file"),
          Effect.catch((error) => Effect.succeed(error._tag)),
          Effect.scoped
        )
      assert.strictEqual(yield* tagOf("again", "a.md"), "file")
      assert.strictEqual(yield* tagOf("detour.md"), "file")
      assert.strictEqual(yield* tagOf("out.md"), "FileRefused")
      assert.strictEqual(yield* tagOf("out", "a.md"), "FileRefused")
      assert.strictEqual(yield* tagOf("round-a"), "FileRefused")
      assert.strictEqual(yield* tagOf("notes"), "FileRefused")
      assert.strictEqual(yield* tagOf("notes", "a.md", "b"), "FileMissing")
      const writable = (...segments: ReadonlyArray<string>) =>
        guard.target(segments).pipe(
          Effect.map(({ real }) => real),
          Effect.catch((error) => Effect.succeed(error._tag)),
          Effect.scoped
        )
      assert.strictEqual(yield* writable("again", "new.md"), join(root, "notes", "new.md"))
      assert.strictEqual(yield* writable("detour.md"), join(root, "notes", "a.md"))
      assert.strictEqual(yield* writable("out", "new.md"), "FileRefused")
      assert.strictEqual(yield* writable("out.md"), "FileRefused")
      assert.strictEqual(yield* tagOf(), "FileRefused")
    }).pipe(Effect.scoped)
  )

  it.effect("without descriptor paths, as on macOS, a folder that became a link before the opening is refused", () =>
    Effect.gen(function* () {
      const { root, outside } = yield* makeFolders
      const { real, isAllowed } = yield* makeGuardedRoot(root, false).resolve(["notes", "a.md"])
      const opened = () => holdFileAt(real, isAllowed, false).pipe(Effect.scoped, Effect.result)
      assert.isTrue(Result.isSuccess(yield* opened()))
      renameSync(join(root, "notes"), join(root, "moved"))
      symlinkSync(outside, join(root, "notes"))
      const refused = yield* opened()
      assert.strictEqual(Result.isFailure(refused) ? refused.failure._tag : "opened", "FileRefused")
    }).pipe(Effect.scoped)
  )
})
