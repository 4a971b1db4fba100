import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGitApp } from "../../../support/gitApp.ts"
import { git, makeRepository, makeTrap } from "../../../support/gitRepositories.ts"

/** Makes a repository hostile; `trap` is a program that must not be started, named with a word of its own. */
type Make = (repository: string, trap: string, beside: string) => unknown

const config = (repository: string, ...settings: ReadonlyArray<readonly [key: string, value: string]>) => {
  for (const [key, value] of settings) git(repository, "config", key, value)
}

const attributes = (repository: string, line: string) => {
  writeFileSync(join(repository, ".gitattributes"), `${line}\n`)
  git(repository, "add", ".gitattributes")
  git(repository, "commit", "--quiet", "--message", "Attributes")
}

/** Same content, other time: git has to look inside. */
const touch = (repository: string) => utimesSync(join(repository, "a.txt"), 1, 1)

const long = (letter: string) => letter.repeat(100_000)

const PROGRAMS: Readonly<Record<string, Make>> = {
  "filter.*.clean": (repository, trap) => {
    attributes(repository, "*.txt filter=evil")
    config(repository, ["filter.evil.clean", trap], ["filter.evil.required", "true"])
  },
  "a filter after 13 names of 100,000 characters": (repository, trap) => {
    attributes(repository, "*.txt filter=evil")
    const names = [..."abcdefghijklm"].map((letter) => `[filter "${long(letter)}"]\n\tclean = true\n`)
    writeFileSync(
      join(repository, ".git/config"),
      `[core]\n\trepositoryformatversion = 0\n${names.join("")}[filter "evil"]\n\tclean = "${trap}"\n`
    )
  },
  "filter.*.process": (repository, trap) => {
    attributes(repository, "*.txt filter=evil")
    config(repository, ["filter.evil.process", trap])
  },
  "a filter of the committed attributes and info/attributes": (repository, trap) => {
    mkdirSync(join(repository, ".git/info"), { recursive: true })
    writeFileSync(join(repository, ".git/info/attributes"), "[attr]bad filter=evil\n*.txt bad\n")
    config(repository, ["filter.evil.clean", trap])
  },
  "a filter in config.worktree": (repository, trap) => {
    attributes(repository, "*.txt filter=evil")
    config(repository, ["core.repositoryformatversion", "1"], ["extensions.worktreeConfig", "true"])
    writeFileSync(join(repository, ".git/config.worktree"), `[filter "evil"]\n\tclean = "${trap}"\n`)
  },
  "a filter in an included file": (repository, trap) => {
    attributes(repository, "*.txt filter=evil")
    writeFileSync(join(repository, "more"), `[filter "evil"]\n\tclean = "${trap}"\n`)
    config(repository, ["include.path", "../more"], ["includeIf.gitdir:/.path", join(repository, "more")])
  },
  "core.fsmonitor": (repository, trap) =>
    config(repository, ["core.fsmonitor", trap], ["core.fsmonitorHookVersion", "2"]),
  "core.sshCommand and credential.helper": (repository, trap) =>
    config(repository, ["core.sshCommand", trap], ["credential.helper", `!${trap}`], ["core.askPass", trap]),
  "diff.external and textconv": (repository, trap) => {
    attributes(repository, "*.txt diff=evil")
    config(repository, ["diff.external", trap], ["diff.evil.textconv", trap], ["diff.evil.command", trap])
  },
  "core.pager, core.editor and an alias": (repository, trap) =>
    config(
      repository,
      ["core.pager", trap],
      ["pager.status", trap],
      ["core.editor", trap],
      ["alias.status", `!${trap}`]
    ),
  "hooks, and core.hooksPath": (repository, trap) => {
    mkdirSync(join(repository, ".git/hooks"), { recursive: true })
    for (const name of ["post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc"]) {
      writeFileSync(join(repository, ".git/hooks", name), `#!/bin/sh\nexec "${trap}" hook\n`, { mode: 0o755 })
    }
    config(repository, ["core.hooksPath", join(repository, ".git/hooks")])
  },
  "gpg.program, alternate refs and the pack's hook": (repository, trap) =>
    config(
      repository,
      ["gpg.program", trap],
      ["log.showSignature", "true"],
      ["core.alternateRefsCommand", trap],
      ["uploadpack.packObjectsHook", trap],
      ["status.submoduleSummary", "true"],
      ["core.gitProxy", trap]
    ),
  "a partial clone whose objects come from ext::": (repository, trap) => {
    config(
      repository,
      ["core.repositoryformatversion", "1"],
      ["extensions.partialClone", "evil"],
      ["remote.evil.url", `ext::${trap} ext`],
      ["remote.evil.promisor", "true"],
      ["protocol.ext.allow", "always"]
    )
    const tree = git(repository, "rev-parse", "HEAD^{tree}").trim()
    const blob = git(repository, "rev-parse", "HEAD:a.txt").trim()
    for (const hash of [tree, blob]) rmSync(join(repository, ".git/objects", hash.slice(0, 2), hash.slice(2)))
    rmSync(join(repository, ".git/index"))
  },
  "a submodule with a filter and a monitor": (repository, trap, beside) => {
    makeRepository(beside)
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", beside, "sub")
    git(repository, "commit", "--quiet", "--message", "Sub")
    const sub = join(repository, "sub")
    attributes(sub, "*.txt filter=evil")
    config(sub, ["filter.evil.clean", trap], ["core.fsmonitor", trap])
    config(
      repository,
      ["submodule.sub.ignore", "none"],
      ["diff.ignoreSubmodules", "none"],
      ["submodule.recurse", "true"]
    )
    writeFileSync(join(repository, ".git/modules/sub/hooks/post-index-change"), `#!/bin/sh\n"${trap}"\n`, {
      mode: 0o755
    })
    touch(sub)
  },
  "a submodule looked at itself": (repository, trap, beside) => {
    makeRepository(beside)
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", beside, "sub")
    const sub = join(repository, "sub")
    attributes(sub, "*.txt filter=evil")
    config(sub, ["filter.evil.clean", trap], ["core.fsmonitor", trap])
    touch(sub)
    return sub
  },
  "a repository inside, not added, with programs of its own": (repository, trap) => {
    const inside = makeRepository(join(repository, "inside"))
    attributes(inside, "*.txt filter=evil")
    config(inside, ["filter.evil.clean", trap], ["core.fsmonitor", trap])
    touch(inside)
  },
  "a linked working tree with settings of its own": (repository, trap, beside) => {
    git(repository, "worktree", "add", "--quiet", "-b", "linked", beside)
    attributes(beside, "*.txt filter=evil")
    config(repository, ["core.repositoryformatversion", "1"], ["extensions.worktreeConfig", "true"])
    git(beside, "config", "--worktree", "filter.evil.clean", trap)
    touch(beside)
    return beside
  },
  "a program called git, and git's helpers": (repository, trap) => {
    for (const name of ["git", "git-status", "sh"])
      writeFileSync(join(repository, name), `#!/bin/sh\n"${trap}"\n`, { mode: 0o755 })
  }
}

describe("hostile repositories", () => {
  it.effect(
    "start no program they name",
    () =>
      Effect.gen(function* () {
        const { folder, base, answer, register } = yield* makeGitApp()
        const { trap, whatSprang } = makeTrap(folder)
        for (const [index, [name, make]] of Object.entries(PROGRAMS).entries()) {
          const repository = makeRepository(join(base, `repository-${index}`))
          const made = make(repository, trap, join(base, `beside-${index}`))
          touch(repository)
          const place = typeof made === "string" && made.startsWith(base) ? made : repository
          rmSync(join(folder, "sprung"), { recursive: true })
          mkdirSync(join(folder, "sprung"))
          assert.strictEqual(yield* register(name, place), 200)
          const { status, body } = yield* answer(name)
          assert.deepStrictEqual(whatSprang(), [], name)
          assert.strictEqual(status, 200, name)
          assert.hasAllKeys(body, ["branch", "dirty"], name)
        }
      }),
    120_000
  )

  it.effect(
    "say the same with the programs as without",
    () =>
      Effect.gen(function* () {
        const { folder, base, stateOf } = yield* makeGitApp()
        const { trap, whatSprang } = makeTrap(folder)
        const repository = makeRepository(join(base, "repository"))
        attributes(repository, "*.txt filter=evil")
        config(repository, ["filter.evil.clean", trap], ["core.fsmonitor", trap], ["core.worktree", folder])
        touch(repository)
        assert.deepStrictEqual(yield* stateOf(repository), { branch: "main", dirty: false })
        writeFileSync(join(repository, "a.txt"), "b")
        assert.deepStrictEqual(yield* stateOf(repository), { branch: "main", dirty: true })
        assert.deepStrictEqual(whatSprang(), [])
      }),
    120_000
  )

  it.effect(
    "start nothing while their settings change all the time",
    () =>
      Effect.gen(function* () {
        const { folder, base, register, answer } = yield* makeGitApp()
        const { trap, whatSprang } = makeTrap(folder)
        const repository = makeRepository(join(base, "repository"))
        attributes(repository, "*.txt filter=evil")
        const harmless = "[core]\n\trepositoryformatversion = 0\n"
        const settings = [
          harmless,
          `${harmless}[filter "evil"]\n\tclean = "${trap}"\n[core]\n\tfsmonitor = "${trap}"\n`
        ]
        let turns = 0
        const turning = setInterval(() => {
          turns += 1
          writeFileSync(join(repository, ".git/config"), settings[turns % 2] ?? "")
        }, 1)
        yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(turning)))
        assert.strictEqual(yield* register("s", repository), 200)
        for (let round = 0; round < 10; round += 1) {
          touch(repository)
          const { status } = yield* answer("s")
          assert.strictEqual(status, 200)
        }
        assert.isAbove(turns, 10)
        assert.deepStrictEqual(whatSprang(), [])
      }),
    120_000
  )

  it.effect(
    "reveal nothing of the target of a .git file or a link",
    () =>
      Effect.gen(function* () {
        const { folder, base, answer, register } = yield* makeGitApp()
        const outside = makeRepository(join(folder, "outside"))
        git(outside, "checkout", "--quiet", "-b", "secret-branch")
        git(outside, "worktree", "add", "--quiet", "-b", "secret-linked", join(folder, "outside-linked"))
        const hash = git(outside, "rev-parse", "HEAD").trim()
        writeFileSync(join(folder, "secret"), "ref: refs/heads/secret-branch\n")
        writeFileSync(join(folder, "secret-hash"), `${hash}\n`)
        const head =
          (name: string): Make =>
          (repository) => {
            rmSync(join(repository, ".git", name), { recursive: true })
            symlinkSync(
              name === "refs" ? join(outside, ".git/refs") : join(folder, "secret"),
              join(repository, ".git", name)
            )
          }
        const pointsTo =
          (target: string): Make =>
          (repository) => {
            rmSync(join(repository, ".git"), { recursive: true })
            writeFileSync(join(repository, ".git"), `gitdir: ${target}\n`)
          }
        const cases: Readonly<Record<string, Make>> = {
          "HEAD is a link": head("HEAD"),
          "index is a link": head("index"),
          "config is a link": head("config"),
          "HEAD is a link to a hash": (repository) => {
            rmSync(join(repository, ".git/HEAD"))
            symlinkSync(join(folder, "secret-hash"), join(repository, ".git/HEAD"))
          },
          "the branch is a link": (repository) => {
            rmSync(join(repository, ".git/refs/heads/main"))
            symlinkSync(join(folder, "secret"), join(repository, ".git/refs/heads/main"))
          },
          "all branches are a link": (repository) => {
            rmSync(join(repository, ".git/refs/heads"), { recursive: true })
            mkdirSync(join(folder, "heads"), { recursive: true })
            writeFileSync(join(folder, "heads/main"), "ref: refs/heads/secret-branch\n")
            symlinkSync(join(folder, "heads"), join(repository, ".git/refs/heads"))
          },
          "HEAD climbs out": (repository) =>
            writeFileSync(join(repository, ".git/HEAD"), "ref: refs/heads/../../../../../secret\n"),
          "packed-refs is a link": (repository) => {
            git(repository, "pack-refs", "--all")
            head("packed-refs")(repository, "", "")
          },
          "info/exclude is a link": head("info/exclude"),
          "objects are a link": (repository) => {
            rmSync(join(repository, ".git/objects"), { recursive: true })
            symlinkSync(join(outside, ".git/objects"), join(repository, ".git/objects"))
          },
          ".git is a link": (repository) => {
            rmSync(join(repository, ".git"), { recursive: true })
            symlinkSync(join(outside, ".git"), join(repository, ".git"))
          },
          ".git names another's": pointsTo(join(outside, ".git")),
          ".git names another's, relative": pointsTo("../../outside/.git"),
          ".git names another's linked tree": pointsTo(join(outside, ".git/worktrees/outside-linked")),
          ".git names a file": pointsTo(join(folder, "secret")),
          ".git names a pretended linked tree of another's": (repository) => {
            const linked = join(repository, "fake/worktrees/one")
            mkdirSync(linked, { recursive: true })
            writeFileSync(join(linked, "HEAD"), "ref: refs/heads/secret-branch\n")
            writeFileSync(join(linked, "gitdir"), `${join(repository, ".git")}\n`)
            writeFileSync(join(linked, "commondir"), `${join(outside, ".git")}\n`)
            pointsTo(linked)(repository, "", "")
          }
        }
        for (const [index, [name, make]] of Object.entries(cases).entries()) {
          const repository = makeRepository(join(base, `repository-${index}`))
          make(repository, "", "")
          assert.strictEqual(yield* register(name, repository), 200)
          const found = yield* answer(name)
          assert.notInclude(JSON.stringify(found.body), "secret", name)
          assert.notInclude(JSON.stringify(found.body), hash.slice(0, 7), name)
          assert.deepStrictEqual(found, { status: 200, body: { branch: null, dirty: false } }, name)
        }
      }),
    120_000
  )

  it.effect(
    "register nothing by a working tree that the repository alone, or the tree alone, names",
    () =>
      Effect.gen(function* () {
        const { folder, base, register } = yield* makeGitApp()
        const console = makeRepository(join(base, "console"))
        const outside = makeRepository(join(folder, "outside"))
        const linked = join(console, ".git/worktrees/one")
        mkdirSync(linked, { recursive: true })
        writeFileSync(join(linked, "HEAD"), "ref: refs/heads/main\n")
        writeFileSync(join(linked, "commondir"), "../..\n")
        writeFileSync(join(linked, "gitdir"), `${join(outside, ".git")}\n`)
        assert.strictEqual(yield* register("s", outside), 403)
      }),
    120_000
  )
})
