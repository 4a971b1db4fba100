import { rmSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { git } from "../../../support/update/product.ts"
import { assertFailed, unchanged } from "../../../support/update/ranUpdate.ts"
import { runUpdate } from "../../../support/update/runUpdate.ts"
import { publish, sourceOf } from "../../../support/update/signedTags.ts"
import { makeUpdateHome, type UpdateHome } from "../../../support/update/updateHome.ts"

/** Makes a version on a branch of its own, from a commit on or of no history at all; its tag alone is published. */
const releaseBeside = (home: UpdateHome, version: string, branch: string, from: string | undefined) => {
  const source = sourceOf(home)
  const here = git(source, "branch", "--show-current")
  if (from === undefined) git(source, "checkout", "--quiet", "--orphan", branch)
  else git(source, "checkout", "--quiet", "-B", branch, from)
  git(source, "commit", "--quiet", "--allow-empty", "--message", `${version} of ${branch}`)
  git(source, "tag", "--annotate", `v${version}`, "--message", version)
  git(source, "checkout", "--quiet", "--force", here)
  publish(home, `refs/tags/v${version}`, `v${version}`)
}

const push = (home: UpdateHome, ...branches: ReadonlyArray<string>) =>
  git(sourceOf(home), "push", "--quiet", "--force", "origin", ...branches)

/** Sees that a version is refused, whether it's asked for or only looked at, and that nothing of it was run or kept. */
const refuses = (home: UpdateHome, version: string, ...parts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    // Anything that would install it stops the update for good.
    home.programs.stopAt("before npm ci")
    home.programs.stopAt("before git worktree add")
    const tags = home.git("tag")
    for (const dryRun of [true, false]) {
      const ran = yield* unchanged(home, runUpdate(home, { version, dryRun }))
      assertFailed(ran, "resolution", ...parts)
    }
    assert.strictEqual(home.git("tag"), tags)
    home.programs.goOn("before npm ci")
    home.programs.goOn("before git worktree add")
  })

const takes = (home: UpdateHome, version: string) =>
  Effect.gen(function* () {
    const ran = yield* runUpdate(home, { version: `v${version}` })
    assert.strictEqual(ran.outcome, "done", ran.told)
    assert.strictEqual(yield* home.runningVersion, version)
  })

describe("a version that isn't on the branch this installation follows is refused", () => {
  it.live("of an unrelated history, also as the latest one", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      releaseBeside(home, "9.0.0", "unrelated", undefined)
      yield* refuses(home, "v9.0.0", "v9.0.0 isn't on main")
      assertFailed(yield* unchanged(home, runUpdate(home)), "resolution", "v9.0.0 isn't on main")
      yield* takes(home, "1.1.0")
    })
  )

  it.live("of a side branch, published with its branch or without, before an update and after it", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      releaseBeside(home, "1.2.0", "side", "v1.1.0")
      yield* refuses(home, "v1.2.0", "v1.2.0 isn't on main")
      push(home, "side")
      yield* refuses(home, "v1.2.0", "v1.2.0 isn't on main")
      yield* takes(home, "1.1.0")
      // Now no branch is checked out, and the side branch has the version in place too.
      assert.throws(() => home.git("symbolic-ref", "HEAD"))
      yield* refuses(home, "v1.2.0", "v1.2.0 isn't on main")
    })
  )

  it.live("in place of one that was on it: a tag that was moved", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      releaseBeside(home, "1.2.0", "side", "v1.1.0")
      publish(home, "refs/tags/v1.2.0", "v1.1.0")
      yield* refuses(home, "v1.1.0", "v1.1.0 isn't on main")
    })
  )

  it.live("once it was moved while the update looks at it", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("after git ls-remote")
      const update = yield* Effect.forkChild(runUpdate(home))
      yield* home.stopped
      releaseBeside(home, "1.2.0", "unrelated", undefined)
      publish(home, "refs/tags/v1.2.0", "v1.1.0")
      home.programs.goOn("after git ls-remote")
      home.programs.resume()
      assertFailed(yield* Fiber.join(update), "resolution", "v1.1.0 was changed on the git remote just now")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("of a checkout without the whole history", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.release("1.2.0")
      const dotEnv = home.dotEnv()
      assert.isAbove(dotEnv.length, 0)
      makeShallow(home)
      releaseBeside(home, "9.0.0", "unrelated", undefined)
      home.release("1.3.0")
      yield* takes(home, "1.3.0")
      assert.strictEqual(home.git("rev-parse", "--is-shallow-repository"), "true")
      yield* refuses(home, "v9.0.0", "v9.0.0 isn't on main")
      yield* takes(home, "1.1.0")
    })
  )
})

/** Makes the checkout know nothing but its newest commit. */
const makeShallow = (home: UpdateHome) => {
  const url = `file://${home.git("remote", "get-url", "origin")}`
  home.git("remote", "set-url", "origin", url)
  home.git("fetch", "--quiet", "--depth", "1", "origin", "main")
  home.git("reset", "--quiet", "--hard", "FETCH_HEAD")
  for (const tag of home.git("tag").split("\n")) home.git("tag", "--delete", tag)
  home.git("update-ref", "refs/remotes/origin/main", "HEAD")
  rmSync(`${home.directory}/.git/logs`, { recursive: true })
  home.git("gc", "--quiet", "--prune=now")
  assert.strictEqual(home.git("rev-list", "--all").split("\n").length, 1)
}

describe("the branch that an installation follows", () => {
  it.live("is the one that's checked out, and later the only one that has the version in place", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      const source = sourceOf(home)
      git(source, "checkout", "--quiet", "-b", "maintenance")
      push(home, "maintenance")
      git(source, "checkout", "--quiet", "main")
      home.release("2.0.0")
      home.git("fetch", "--quiet", "origin")
      home.git("checkout", "--quiet", "maintenance")
      releaseOn(home, "maintenance", "1.0.1")
      releaseOn(home, "maintenance", "1.0.2")
      yield* refuses(home, "v2.0.0", "v2.0.0 isn't on maintenance")
      yield* takes(home, "1.0.1")
      assert.throws(() => home.git("symbolic-ref", "HEAD"))
      yield* takes(home, "1.0.2")
      // Others have it too: which one was meant is for a person to say.
      git(source, "branch", "other", "v1.0.2")
      push(home, "other")
      releaseOn(home, "maintenance", "1.0.3")
      yield* refuses(home, "v1.0.3", "v1.0.3 isn't on main", "check that one out")
      home.git("fetch", "--quiet", "origin")
      home.git("checkout", "--quiet", "maintenance")
      yield* takes(home, "1.0.3")
    })
  )

  it.live("is the main one for commits of one's own", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.git("checkout", "--quiet", "--detach")
      home.git("commit", "--quiet", "--allow-empty", "--message", "mine")
      releaseBeside(home, "1.2.0", "side", "v1.1.0")
      push(home, "side")
      yield* refuses(home, "v1.2.0", "v1.2.0 isn't on main")
      yield* takes(home, "1.1.0")
    })
  )

  it.live("may be unknown, where the remote has no main one", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      git(home.git("remote", "get-url", "origin"), "symbolic-ref", "HEAD", "refs/heads/none")
      // Its branch says it.
      yield* takes(home, "1.1.0")
      home.release("1.2.0")
      // The only branch there is says it.
      yield* takes(home, "1.2.0")
      push(home, "main:other")
      home.release("1.3.0")
      yield* refuses(home, "v1.3.0", "couldn't tell which branch")
    })
  )
})

/** Makes a version on a branch of the repository. */
const releaseOn = (home: UpdateHome, branch: string, version: string) => {
  const source = sourceOf(home)
  git(source, "checkout", "--quiet", branch)
  home.release(version)
  push(home, branch)
  git(source, "checkout", "--quiet", "main")
}
