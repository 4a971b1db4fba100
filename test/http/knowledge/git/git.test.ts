import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeGitApp } from "../../../support/gitApp.ts"
import { git, makeRepository } from "../../../support/gitRepositories.ts"
import { TRAVERSAL_SPELLINGS } from "../../../support/traversalSpellings.ts"

describe("git", () => {
  it.effect("returns branch and state of the console's directory, and of a session's own directory", () =>
    Effect.gen(function* () {
      const { base, ask, register, state } = yield* makeGitApp()
      assert.deepStrictEqual(yield* state(), { branch: null, dirty: false })
      const project = makeRepository(join(base, "project"))
      assert.strictEqual(yield* register("agent:main:main", project), 200)
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch: "main", dirty: false })
      writeFileSync(join(project, "new.txt"), "new")
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch: "main", dirty: true })
      git(project, "checkout", "--quiet", "-b", "feature/über")
      assert.deepStrictEqual(yield* state("agent:main:main"), { branch: "feature/über", dirty: true })
      git(project, "add", ".")
      git(project, "commit", "--quiet", "-m", "Two")
      git(project, "checkout", "--quiet", "--detach")
      const branch = git(project, "rev-parse", "--short=7", "HEAD").trim()
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
      const { folder, base, ask, register, state } = yield* makeGitApp()
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
      const strict = yield* makeGitApp({ workspaceRoot: place })
      mkdirSync(join(place, "in"))
      assert.strictEqual(yield* strict.register("s", join(place, "in")), 200)
      assert.strictEqual(yield* strict.register("s", join(strict.base, "console")), 403)
      const open = yield* makeGitApp()
      const elsewhere = join(yield* temporaryFolder, "linked")
      assert.strictEqual(yield* open.register("s", place), 403)
      makeRepository(join(open.base, "console"))
      git(join(open.base, "console"), "worktree", "add", "--quiet", "-b", "linked", elsewhere)
      assert.strictEqual(yield* open.register("s", elsewhere), 200)
      assert.deepStrictEqual(yield* open.state("s"), { branch: "linked", dirty: false })
    })
  )

  it.effect("starts no program a repository names, and finds no repository above the base", () =>
    Effect.gen(function* () {
      const { folder, base, register, state } = yield* makeGitApp()
      const project = makeRepository(join(base, "project"))
      const trap = join(folder, "trap")
      const marker = join(folder, "sprung")
      writeFileSync(trap, `#!/bin/sh\ntouch '${marker}'\ncat\n`)
      chmodSync(trap, 0o755)
      writeFileSync(join(project, ".gitattributes"), "*.txt filter=evil\n*.md filter=a=b\n")
      for (const key of ["core.fsmonitor", "core.sshCommand", "filter.evil.clean", "filter.a=b.clean"]) {
        git(project, "config", key, trap)
      }
      git(project, "config", "filter.evil.required", "true")
      writeFileSync(join(project, ".git/hooks/post-index-change"), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 })
      // Another time but the same content: git has to look inside, through the filter.
      utimesSync(join(project, "a.txt"), 1, 1)
      assert.strictEqual(yield* register("s", project), 200)
      assert.deepStrictEqual(yield* state("s"), { branch: "main", dirty: true })
      assert.isFalse(existsSync(marker))
      git(project, "status")
      assert.isTrue(existsSync(marker), "the trap works where nothing keeps it shut")
      makeRepository(folder)
      mkdirSync(join(base, "plain"))
      const strict = yield* makeGitApp({ workspaceRoot: base })
      assert.strictEqual(yield* strict.register("s", join(base, "plain")), 200)
      assert.deepStrictEqual(yield* strict.state("s"), { branch: null, dirty: false })
    })
  )
})
