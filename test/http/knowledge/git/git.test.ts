import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeApp } from "../../../support/makeApp.ts"
import { TRAVERSAL_SPELLINGS } from "../../../support/traversalSpellings.ts"

const run = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })

const makeRepository = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  run(folder, "init", "--quiet", "--initial-branch=main")
  writeFileSync(join(folder, "a.txt"), "a")
  run(folder, "add", ".")
  run(folder, "commit", "--quiet", "-m", "One")
  return folder
}

/** The console is started in `base/console`, so that everything in `base` may be registered. */
const makeGit = Effect.fnUntraced(function* (settings: { readonly workspaceRoot?: string } = {}) {
  const folder = yield* temporaryFolder
  const base = join(folder, "base")
  mkdirSync(join(base, "console"), { recursive: true })
  const app = yield* makeApp({ settings: { installDir: join(base, "console"), ...settings } })
  let requests = 0
  const ask = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    requests += 1
    const init = { method, peer: `10.0.0.${requests}`, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = yield* app.request(path, init)
    return { status: response.status, body: yield* app.json(response) }
  })
  const register = (sessionKey: string, workdir: string) =>
    ask("POST", "/api/git-info/workdir", { sessionKey, workdir }).pipe(Effect.map(({ status }) => status))
  const state = (sessionKey?: string) =>
    ask("GET", `/api/git-info${sessionKey === undefined ? "" : `?sessionKey=${encodeURIComponent(sessionKey)}`}`).pipe(
      Effect.map(({ body }) => body)
    )
  return { folder, base, ask, register, state }
})

describe("git", () => {
  it.effect("tells branch and state of where the console was started, and of a session's own directory", () =>
    Effect.gen(function* () {
      const { base, ask, register, state } = yield* makeGit()
      assert.deepStrictEqual(yield* state(), { branch: null, dirty: false })
      const project = makeRepository(join(base, "project"))
      assert.strictEqual(yield* register("agent:main:main", project), 200)
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch: "main", dirty: false })
      writeFileSync(join(project, "new.txt"), "new")
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch: "main", dirty: true })
      run(project, "checkout", "--quiet", "-b", "feature/über")
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch: "feature/über", dirty: true })
      run(project, "add", ".")
      run(project, "commit", "--quiet", "-m", "Two")
      run(project, "checkout", "--quiet", "--detach")
      const branch = run(project, "rev-parse", "--short=7", "HEAD").trim()
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch, dirty: false })
      assert.deepStrictEqual(yield* state("another"), { branch: null, dirty: false })
      makeRepository(join(base, "console"))
      assert.deepStrictEqual(yield* state(), { branch: "main", dirty: false })
      const gone = yield* ask("DELETE", "/api/git-info/workdir", { sessionKey: "agent:main:main" })
      assert.deepStrictEqual(gone, { status: 200, body: { ok: true } })
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch: "main", dirty: false })
      yield* register("hour", join(base, "project"))
      assert.deepStrictEqual(yield* state("hour"), { branch, dirty: false })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* state("hour"), { branch: "main", dirty: false })
    })
  )

  it.effect("registers only what is inside the base, by where links really lead; 403 else", () =>
    Effect.gen(function* () {
      const { folder, base, ask, register, state } = yield* makeGit()
      const outside = makeRepository(join(folder, "outside"))
      mkdirSync(join(folder, "based"))
      symlinkSync(outside, join(base, "link"))
      writeFileSync(join(base, "file"), "")
      assert.strictEqual(yield* register("s", outside), 403)
      assert.strictEqual(yield* register("s", join(folder, "based")), 403)
      assert.strictEqual(yield* register("s", `${base}/../outside`), 403)
      assert.strictEqual(yield* register("s", join(base, "link")), 403)
      assert.strictEqual(yield* register("s", "/"), 403)
      assert.strictEqual(yield* register("s", join(base, "none")), 404)
      assert.strictEqual(yield* register("s", join(base, "file")), 400)
      assert.strictEqual(yield* register("", base), 400)
      assert.strictEqual(yield* register("s", ""), 400)
      assert.strictEqual((yield* ask("POST", "/api/git-info/workdir", { sessionKey: "s" })).status, 400)
      for (const spelling of TRAVERSAL_SPELLINGS) {
        const status = yield* register("s", spelling)
        assert.include([400, 403, 404], status, JSON.stringify(spelling).slice(0, 60))
      }
      const inside = makeRepository(join(base, "inside"))
      assert.strictEqual(yield* register("s", inside), 200)
      renameSync(inside, join(base, "moved"))
      symlinkSync(outside, inside)
      assert.deepStrictEqual(yield* state("s"), { branch: null, dirty: false })
    })
  )

  it.effect("keeps to WORKSPACE_ROOT where it is set, and allows linked working trees where it is not", () =>
    Effect.gen(function* () {
      const place = yield* temporaryFolder
      const strict = yield* makeGit({ workspaceRoot: place })
      mkdirSync(join(place, "in"))
      assert.strictEqual(yield* strict.register("s", join(place, "in")), 200)
      assert.strictEqual(yield* strict.register("s", join(strict.base, "console")), 403)
      const open = yield* makeGit()
      const elsewhere = join(yield* temporaryFolder, "linked")
      assert.strictEqual(yield* open.register("s", place), 403)
      makeRepository(join(open.base, "console"))
      run(join(open.base, "console"), "worktree", "add", "--quiet", "-b", "linked", elsewhere)
      assert.strictEqual(yield* open.register("s", elsewhere), 200)
      assert.deepStrictEqual(yield* open.state("s"), { branch: "linked", dirty: false })
    })
  )

  it.effect("starts no program a repository names, and finds no repository above the base", () =>
    Effect.gen(function* () {
      const { folder, base, register, state } = yield* makeGit()
      const project = makeRepository(join(base, "project"))
      const trap = join(folder, "trap")
      const marker = join(folder, "sprung")
      writeFileSync(trap, `#!/bin/sh\ntouch '${marker}'\ncat\n`)
      chmodSync(trap, 0o755)
      writeFileSync(join(project, ".gitattributes"), "*.txt filter=evil\n*.md filter=a=b\n")
      for (const key of ["core.fsmonitor", "core.sshCommand", "filter.evil.clean", "filter.a=b.clean"]) {
        run(project, "config", key, trap)
      }
      run(project, "config", "filter.evil.required", "true")
      writeFileSync(join(project, ".git/hooks/post-index-change"), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 })
      // Another time but the same content: git has to look inside, through the filter.
      utimesSync(join(project, "a.txt"), 1, 1)
      assert.strictEqual(yield* register("s", project), 200)
      assert.deepStrictEqual(yield* state("s"), { branch: "main", dirty: true })
      assert.isFalse(existsSync(marker))
      run(project, "status")
      assert.isTrue(existsSync(marker), "the trap works where nothing keeps it shut")
      makeRepository(folder)
      mkdirSync(join(base, "plain"))
      const strict = yield* makeGit({ workspaceRoot: base })
      assert.strictEqual(yield* strict.register("s", join(base, "plain")), 200)
      assert.deepStrictEqual(yield* strict.state("s"), { branch: null, dirty: false })
    })
  )
})
