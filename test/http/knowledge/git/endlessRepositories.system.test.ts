import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { git, makeRepository } from "../../../support/gitRepositories.ts"
import { ownTime } from "../../../support/ownTime.ts"
import { followMemory } from "../../../support/processMemory.ts"
import { serveApp } from "../../../support/serveApp.ts"

const LONGEST_ANSWER_MS = 15_000
const LONGEST_READ_MS = 2500
const MOST_MEMORY = 200 * 1024 * 1024
const GIGABYTES = 3 * 1024 * 1024 * 1024

const State = Schema.Struct({ branch: Schema.NullOr(Schema.String), dirty: Schema.Boolean })
const Failure = Schema.Struct({ error: Schema.String, details: Schema.String })
const isAnswer = Schema.is(Schema.Union([State, Failure]))

/** Puts something in the place of a file. */
type Put = (path: string) => void

const PUTS: Readonly<Record<string, Put>> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to an endless file": (path) => symlinkSync("/dev/zero", path),
  "3 GB": (path) => {
    writeFileSync(path, "")
    truncateSync(path, GIGABYTES)
  }
}

const looseObject = (repository: string): string => {
  const hash = git(repository, "rev-parse", "HEAD^{tree}").trim()
  return `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`
}

/** Files that git, or the console, reads of a repository. */
const PLACES: ReadonlyArray<string | ((repository: string) => string)> = [
  ".git",
  ".git/HEAD",
  ".git/config",
  ".git/index",
  ".git/commondir",
  ".git/refs/heads/main",
  ".git/packed-refs",
  ".git/info/exclude",
  ".git/objects/info/alternates",
  looseObject,
  ".gitattributes",
  ".gitignore",
  ".gitmodules",
  "inside/.git",
  "inside/.git/HEAD",
  "a.txt"
]

/** The app behind a port, with a file that others read meanwhile. */
const makeServed = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const base = join(folder, "base")
  const files = join(folder, "files")
  for (const path of [join(base, "console"), files]) mkdirSync(path, { recursive: true })
  writeFileSync(join(files, "a.md"), "hello")
  const { port } = yield* serveApp({ installDir: join(base, "console"), fileBrowserRoot: files })
  const now = yield* ownTime
  let requests = 0
  const ask = (path: string, init: RequestInit = {}) => {
    requests += 1
    const peer = `10.1.${Math.floor(requests / 250)}.${requests % 250}`
    return Effect.promise(async () => {
      const start = now()
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { "x-forwarded-for": peer } })
      const body: unknown = await response.json()
      return { status: response.status, body, took: now() - start }
    })
  }
  const register = (workdir: string) =>
    ask("/api/git-info/workdir", { method: "POST", body: JSON.stringify({ sessionKey: workdir, workdir }) })
  const answer = (workdir: string) => ask(`/api/git-info?sessionKey=${encodeURIComponent(workdir)}`)
  return { base, register, answer, read: Effect.suspend(() => ask("/api/files/read?path=a.md")) }
})

/** Registers and looks at repositories, two at a time, while somebody else reads a file again and again. */
const look = Effect.fnUntraced(function* (
  { register, answer, read }: Effect.Success<typeof makeServed>,
  repositories: ReadonlyArray<readonly [name: string, folder: string]>
) {
  const slowest = { read: 0 }
  for (const [name, folder] of repositories) assert.strictEqual((yield* register(folder)).status, 200, name)
  assert.strictEqual((yield* read).status, 200)
  const memory = yield* followMemory
  const reading = Effect.forever(
    Effect.gen(function* () {
      const { status, took } = yield* read
      assert.strictEqual(status, 200)
      slowest.read = Math.max(slowest.read, took)
      yield* Effect.sleep("20 millis")
    })
  )
  const looking = Effect.forEach(
    repositories,
    ([name, folder]) => Effect.map(answer(folder), (found) => ({ name, ...found })),
    { concurrency: 2 }
  )
  const answers = yield* Effect.raceFirst(looking, reading)
  return { answers, slowestRead: slowest.read, memory: memory() }
})

const check = ({ answers, slowestRead, memory }: Effect.Success<ReturnType<typeof look>>) => {
  for (const { name, status, body, took } of answers) {
    assert.isTrue(isAnswer(body), `${name}: ${JSON.stringify(body)}`)
    assert.include([200, 500], status, name)
    assert.isBelow(took, LONGEST_ANSWER_MS, name)
  }
  assert.isBelow(slowestRead, LONGEST_READ_MS)
  assert.isBelow(memory, MOST_MEMORY)
}

const ownFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("agent-console-git-"))

describe.skipIf(process.platform !== "linux")("endless repositories (needs Linux)", () => {
  for (const [what, put] of Object.entries(PUTS)) {
    it.live(
      `${what} in the place of any file gets an answer, and holds up nobody`,
      () =>
        Effect.gen(function* () {
          const served = yield* makeServed
          const repositories = PLACES.map((place, index) => {
            const repository = makeRepository(join(served.base, `repository-${index}`))
            const name = typeof place === "string" ? place : place(repository)
            const path = join(repository, name)
            rmSync(path, { recursive: true, force: true })
            mkdirSync(dirname(path), { recursive: true })
            if (name === "inside/.git/HEAD") for (const one of ["objects", "refs"]) mkdirSync(join(dirname(path), one))
            put(path)
            return [name, repository] as const
          })
          const found = yield* look(served, repositories)
          check(found)
        }),
      120_000
    )
  }

  it.live(
    "huge settings, indexes and patterns get an answer, and so do many at once",
    () =>
      Effect.gen(function* () {
        const served = yield* makeServed
        const make: Readonly<Record<string, (repository: string) => void>> = {
          "settings of 1.9 MB": (repository) =>
            writeFileSync(join(repository, ".git/config"), `[x]\n${"\ta = b\n".repeat(280_000)}`),
          "a setting of 1.9 MB": (repository) =>
            writeFileSync(join(repository, ".git/config"), `[core]\n\teditor = ${"\\\\".repeat(950_000)}\n`),
          "settings of 30 MB": (repository) =>
            writeFileSync(join(repository, ".git/config"), `[x "${"y".repeat(30_000_000)}"]\n`),
          "an index of 30 MB that isn't one": (repository) =>
            writeFileSync(join(repository, ".git/index"), "link\0\0\0\x20".repeat(3_750_000)),
          "branches of 60 MB": (repository) => {
            rmSync(join(repository, ".git/refs/heads/main"))
            writeFileSync(join(repository, ".git/packed-refs"), " refs/heads/main\n".repeat(3_500_000))
          },
          "patterns of 80 MB": (repository) =>
            writeFileSync(join(repository, ".gitignore"), "a?b*c\n".repeat(13_000_000)),
          "attributes of 80 MB": (repository) =>
            writeFileSync(join(repository, ".gitattributes"), "*.txt text\n".repeat(7_500_000)),
          "a plain one": () => undefined
        }
        const repositories = Object.entries(make).map(([name, change], index) => {
          const repository = makeRepository(join(served.base, `repository-${index}`))
          change(repository)
          return [name, repository] as const
        })
        const found = yield* look(served, repositories)
        check(found)
        const plain = found.answers.find(({ name }) => name === "a plain one")
        assert.deepStrictEqual(plain?.body, { branch: "main", dirty: false })
        const large = found.answers.find(({ name }) => name === "settings of 1.9 MB")
        assert.deepStrictEqual(large?.body, { branch: "main", dirty: false })
      }),
    120_000
  )

  it.live(
    "many that hang at once get an answer, and nothing is left behind",
    () =>
      Effect.gen(function* () {
        const served = yield* makeServed
        const before = ownFolders()
        const repositories = Array.from({ length: 12 }, (_, index) => {
          const repository = makeRepository(join(served.base, `repository-${index}`))
          execFileSync("mkfifo", [join(repository, ".gitignore")])
          return repository
        })
        for (const repository of repositories) yield* served.register(repository)
        const answers = yield* Effect.forEach(repositories, served.answer, { concurrency: "unbounded" })
        for (const { status, body, took } of answers) {
          assert.strictEqual(status, 500)
          assert.isTrue(isAnswer(body), JSON.stringify(body))
          assert.isBelow(took, LONGEST_ANSWER_MS)
        }
        assert.deepStrictEqual(
          ownFolders().filter((name) => !before.includes(name)),
          []
        )
      }),
    120_000
  )
})
