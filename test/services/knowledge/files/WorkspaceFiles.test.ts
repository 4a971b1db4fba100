import { execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, PubSub, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { MAX_TREE_NODES } from "../../../../src/contract/limits.ts"
import { WorkspaceFiles } from "../../../../src/services/knowledge/files/WorkspaceFiles.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import type { FileError } from "../../../../src/services/platform/storage/fileErrors.ts"
import { PathLocks } from "../../../../src/services/platform/storage/PathLocks.ts"
import { fileServices, temporaryFolder } from "../../../support/fileServices.ts"

const PROCESS = fileURLToPath(new URL("../../../support/useFiles.ts", import.meta.url))

const withFiles = <A, E>(
  body: (workspace: string) => Effect.Effect<A, E, WorkspaceFiles | EventBus | PathLocks>,
  place: typeof temporaryFolder = temporaryFolder
) =>
  Effect.gen(function* () {
    const folder = yield* place
    const workspace = join(folder, "gateway", "workspace")
    mkdirSync(workspace, { recursive: true })
    const layer = WorkspaceFiles.layer.pipe(
      Layer.provideMerge(EventBus.layer),
      Layer.provideMerge(fileServices(folder))
    )
    return yield* body(workspace).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)

/** In memory where the system offers that, for tests with very many files. */
const memoryFolder = existsSync("/dev/shm")
  ? Effect.acquireRelease(
      Effect.sync(() => mkdtempSync("/dev/shm/agent-console-")),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
  : temporaryFolder

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.as("ok"),
    Effect.catch((error) => Effect.succeed(error._tag))
  )

/** Saves until it's killed after a number of saves; returns the number of the last acknowledged one. */
const saveAndKill = (root: string, count: number) =>
  Effect.callback<number>((resume) => {
    const child = spawn(process.execPath, [PROCESS, root, "saves"], { stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk
      if (output.split("\n").length > count) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(Number(output.trim().split("\n").at(-1)))))
  })

describe("WorkspaceFiles", () => {
  it.effect("lists what has a name that can't be used from here, with the reason", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        const raw = (...bytes: ReadonlyArray<number>) =>
          Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(bytes), Buffer.from("a.txt")])
        for (const name of ["back\\slash.txt", "%00.txt", "50%.txt", "real \ufffd.txt", "plain.txt"])
          writeFileSync(`${workspace}/${name}`, name)
        writeFileSync(raw(0xff), "1")
        writeFileSync(raw(0xfe), "2")
        writeFileSync(raw(0xc3, 0xa9, 0xff), "3")
        mkdirSync(`${workspace}/odd\\folder`)
        writeFileSync(`${workspace}/odd\\folder/inside.txt`, "")
        const { nodes } = yield* files.tree("", 9)
        assert.deepStrictEqual(
          nodes.map(({ name, unusable = "" }) => [name, unusable.split(":")[0]]),
          [
            ["odd\\folder", "its name has a backslash, which other systems take for a folder"],
            ["%00.txt", "its name has escaped signs, such as %00 or %2F, that could lead elsewhere"],
            ["50%.txt", ""],
            ["\\xfea.txt", "its name has bytes that are no text"],
            ["\\xffa.txt", "its name has bytes that are no text"],
            ["back\\slash.txt", "its name has a backslash, which other systems take for a folder"],
            ["plain.txt", ""],
            ["real \ufffd.txt", ""],
            ["é\\xffa.txt", "its name has bytes that are no text"]
          ]
        )
        assert.strictEqual(new Set(nodes.map(({ path }) => path)).size, nodes.length)
        assert.strictEqual((yield* files.read("real \ufffd.txt")).content, "real \ufffd.txt")
      })
    )
  )

  it.effect("of 20 parallel writers with one mtime exactly one wins, and the file is whole", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        let mtime = yield* files.write("a.md", "start", 0)
        for (let round = 0; round < 5; round += 1) {
          const contents = Array.from({ length: 20 }, (_, writer) => `${round}-${writer} `.repeat(5000))
          const outcomes = yield* Effect.forEach(contents, (content) => tagOf(files.write("a.md", content, mtime)), {
            concurrency: "unbounded"
          })
          assert.strictEqual(outcomes.filter((outcome) => outcome === "ok").length, 1)
          assert.strictEqual(outcomes.filter((outcome) => outcome === "FileConflict").length, 19)
          const now = yield* files.read("a.md")
          assert.strictEqual(now.content, contents[outcomes.indexOf("ok")])
          assert.isAbove(now.mtime, mtime)
          mtime = now.mtime
        }
        assert.deepStrictEqual(readdirSync(workspace), ["a.md"])
        const made = yield* Effect.forEach([..."12345678"], (text) => tagOf(files.write("new.md", text, 0)), {
          concurrency: "unbounded"
        })
        assert.strictEqual(made.filter((outcome) => outcome === "ok").length, 1)
      })
    )
  )

  it.effect("a move or a deletion waits for the save under way, which then cannot bring the old path back", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        const locks = yield* PathLocks
        symlinkSync("real.md", join(workspace, "link.md"))
        const leave: Readonly<Record<string, Effect.Effect<unknown, FileError>>> = {
          "a.md": files.move("a.md", "moved/a.md"),
          "b.md": files.rename("b.md", "c.md"),
          "d.md": files.remove("d.md"),
          "real.md": files.remove("link.md")
        }
        mkdirSync(join(workspace, "moved"))
        for (const [name, step] of Object.entries(leave)) {
          writeFileSync(join(workspace, name), name)
          const isThere = () => readdirSync(workspace).includes(name === "real.md" ? "link.md" : name)
          const leaving = yield* locks.withLock(join(workspace, name))(
            Effect.gen(function* () {
              const fiber = yield* Effect.forkChild(step, { startImmediately: true })
              // Many times what the step needs when nobody keeps it waiting.
              for (let other = 0; other < 5; other += 1) {
                yield* files.write("other.md", "", 0)
                yield* files.move("other.md", `moved/${name}-${other}.md`)
              }
              assert.isTrue(isThere(), name)
              return fiber
            })
          )
          yield* Fiber.join(leaving)
          assert.isFalse(isThere(), name)
        }
        const undo = (yield* files.remove("c.md")) ?? ""
        const restoring = yield* locks.withLock(join(workspace, "c.md"))(
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(files.restore(undo), { startImmediately: true })
            for (let other = 5; other < 10; other += 1) yield* files.write(`moved/${other}.md`, "", 0)
            assert.notInclude(readdirSync(workspace), "c.md")
            return fiber
          })
        )
        assert.strictEqual(yield* Fiber.join(restoring), "c.md")
      })
    )
  )

  it.effect("a file with a time in the future, or of 1970, is saved like any other", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        writeFileSync(join(workspace, "a.md"), "")
        utimesSync(join(workspace, "a.md"), 4_000_000_000, 4_000_000_000)
        const saved = yield* files.write("a.md", "1", 4_000_000_000_000)
        assert.strictEqual(saved, 4_000_000_000_001)
        assert.strictEqual((yield* files.read("a.md")).mtime, saved)
        utimesSync(join(workspace, "a.md"), 0, 0)
        assert.strictEqual(yield* tagOf(files.write("a.md", "2", 0)), "FileConflict")
        assert.isAbove(yield* files.write("a.md", "2", (yield* files.read("a.md")).mtime), 1)
      })
    )
  )

  it.effect(
    "kill -9 during saves loses no acknowledged one and leaves no incomplete file",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        writeFileSync(join(root, "a.md"), "0 ")
        for (let round = 0; round < 3; round += 1) {
          const told = yield* saveAndKill(root, 1 + round * 4)
          const text = readFileSync(join(root, "a.md"), "utf8")
          const number = Number(text.split(" ")[0])
          assert.isAtLeast(number, told)
          assert.strictEqual(text, `${number} `.repeat(20_000))
        }
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect("a file that is replaced while it is read is the old one or the new one, whole", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        const path = join(workspace, "a.md")
        const texts = ["old ".repeat(100_000), "newer ".repeat(100_000)]
        writeFileSync(path, texts[0] ?? "")
        const open = yield* files.open("a.md")
        for (let round = 0; round < 20; round += 1) {
          const reading = yield* Effect.forkChild(files.read("a.md"), { startImmediately: true })
          writeFileSync(`${path}.next`, texts[(round + 1) % 2] ?? "")
          renameSync(`${path}.next`, path)
          assert.include(texts, (yield* Fiber.join(reading)).content)
        }
        const bytes = yield* Stream.runFold(
          open.bytes(0, open.size),
          () => 0,
          (sum, chunk) => sum + chunk.length
        )
        assert.strictEqual(bytes, (texts[0] ?? "").length)
        writeFileSync(path, "shorter")
        const cut = yield* files.open("a.md")
        writeFileSync(path, "")
        assert.strictEqual(yield* tagOf(Stream.runDrain(cut.bytes(0, cut.size))), "StorageFailure")
      }).pipe(Effect.scoped)
    )
  )

  it.effect("refuses FIFOs, sockets and devices without waiting for them, and leaves them out of the tree", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        execFileSync("mkfifo", [join(workspace, "fifo")])
        const server = createServer()
        yield* Effect.acquireRelease(
          Effect.callback<void>((resume) => {
            server.listen(join(workspace, "socket"), () => resume(Effect.void))
          }),
          () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
        )
        symlinkSync("/dev/zero", join(workspace, "device"))
        symlinkSync("fifo", join(workspace, "link"))
        for (const name of ["fifo", "socket", "device", "link"]) {
          assert.strictEqual(yield* tagOf(files.read(name)), "FileRefused", name)
          assert.strictEqual(yield* tagOf(files.open(name).pipe(Effect.scoped)), "FileRefused", name)
          assert.strictEqual(yield* tagOf(files.write(name, "", 0)), "FileRefused", name)
          assert.strictEqual(yield* tagOf(files.tree(name, 1)), name === "device" ? "FileRefused" : "FileMissing", name)
        }
        assert.deepStrictEqual(yield* files.tree("", 9), { nodes: [], isCut: false })
      }).pipe(Effect.scoped)
    )
  )

  it.effect(
    "a folder of 100,000 files is shown up to the limit, which is reported, and the process stays responsive",
    () =>
      withFiles(
        (workspace) =>
          Effect.gen(function* () {
            const files = yield* WorkspaceFiles
            mkdirSync(join(workspace, "many"))
            execFileSync("sh", ["-c", "seq -f f%.0f 0 99999 | xargs touch"], { cwd: join(workspace, "many") })
            writeFileSync(join(workspace, "z.md"), "near")
            let turns = 0
            const counting = setInterval(() => {
              turns += 1
            }, 1)
            const tree = yield* files.tree("", 9)
            clearInterval(counting)
            assert.isTrue(tree.isCut)
            assert.deepStrictEqual(
              tree.nodes.map(({ name, truncated }) => ({ name, truncated })),
              [
                { name: "many", truncated: true },
                { name: "z.md", truncated: undefined }
              ]
            )
            assert.strictEqual(tree.nodes[0]?.children?.length, MAX_TREE_NODES - 2)
            assert.isAbove(turns, 3)
            const nearby = yield* files.tree("", 1)
            assert.isFalse(nearby.isCut)
            assert.strictEqual((yield* files.read("many/f99999")).content, "")
          }),
        memoryFolder
      ),
    60_000
  )

  it.effect("names what is wrong with files it may not read and folders it may not change, without their place", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      chmodSync(root, 0o755)
      mkdirSync(join(root, "locked"))
      writeFileSync(join(root, "secret.md"), "secret")
      chmodSync(join(root, "secret.md"), 0o000)
      chmodSync(join(root, "locked"), 0o555)
      // The superuser may read everything: the process that tries is somebody else then.
      const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
      const output = execFileSync(process.execPath, [PROCESS, root, "tries", "secret.md", "locked"], {
        ...somebody,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"]
      })
      const denied = "StorageFailure no permission: check the permissions of the file and its folder"
      const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))
      const lines = yield* Effect.forEach(output.trim().split("\n"), (line) => decode(line))
      assert.strictEqual(lines[0]?.read, denied)
      assert.strictEqual(lines[1]?.write, denied)
      assert.isFalse(output.includes(root))
      assert.strictEqual(statSync(join(root, "secret.md")).size, 6)
    }).pipe(Effect.scoped)
  )

  it.effect("publishes its own changes where nothing is watched, and leaves the rest to the watcher", () =>
    withFiles(() =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        const subscription = yield* Effect.flatMap(EventBus, (events) => events.subscribe)
        yield* files.makeFolder("notes")
        yield* files.write("watched.md", "", 0)
        const saved = yield* files.write("notes/a.md", "", 0)
        yield* files.rename("notes/a.md", "b.md")
        yield* files.remove("notes/b.md")
        const told = yield* PubSub.takeAll(subscription)
        const gone = (path: string) => ({ path, mtime: 0 })
        assert.isTrue(told.every(({ event }) => event === "file.changed"))
        assert.deepStrictEqual(
          told.map(({ data }) => data),
          [
            { path: "notes/a.md", mtime: saved },
            gone("notes/a.md"),
            { path: "notes/b.md", mtime: saved },
            gone("notes/b.md")
          ]
        )
      }).pipe(Effect.scoped)
    )
  )

  it.effect("keeps deleted things for 30 days", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        const drop = (name: string) => {
          writeFileSync(join(workspace, name), name)
          return files.remove(name)
        }
        const first = yield* drop("first")
        yield* TestClock.adjust("29 days")
        const second = yield* drop("second")
        assert.strictEqual(yield* files.restore(first ?? ""), "first")
        const third = yield* files.remove("first")
        yield* TestClock.adjust("30 days")
        yield* drop("fourth")
        assert.strictEqual(yield* tagOf(files.restore(second ?? "")), "ok")
        yield* TestClock.adjust("1 day")
        yield* drop("fifth")
        assert.strictEqual(yield* tagOf(files.restore(third ?? "")), "FileMissing")
      })
    )
  )

  it.effect("lists the trash, latest first, without damaged or foreign entries", () =>
    withFiles((workspace) =>
      Effect.gen(function* () {
        const files = yield* WorkspaceFiles
        assert.deepStrictEqual(yield* files.trash, [])
        const drop = (name: string) => {
          writeFileSync(join(workspace, name), name)
          return files.remove(name)
        }
        const first = yield* drop("first")
        yield* TestClock.adjust(1000)
        const second = yield* drop("second")
        const damaged = yield* drop("damaged")
        writeFileSync(join(workspace, ".trash", damaged ?? "", "origin.json"), "{")
        writeFileSync(join(workspace, ".trash", "a note"), "mine")
        assert.deepStrictEqual(yield* files.trash, [
          { undo: second ?? "", path: "second", deletedAt: 1000 },
          { undo: first ?? "", path: "first", deletedAt: 0 }
        ])
        yield* files.restore(second ?? "")
        assert.deepStrictEqual(
          (yield* files.trash)?.map(({ path }) => path),
          ["first"]
        )
      })
    )
  )
})
