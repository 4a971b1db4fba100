import { spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGitApp } from "../../../support/gitApp.ts"
import { git, makeRepository } from "../../../support/gitRepositories.ts"

/** What is done to a repository with one commit, and the state it then has; another folder may be looked at. */
interface Case {
  readonly branch?: string | null
  readonly dirty: boolean
  readonly init?: ReadonlyArray<string>
  readonly make: (repository: string, beside: string) => unknown
}

const commit = (folder: string) => {
  git(folder, "add", "--all")
  git(folder, "commit", "--quiet", "--message", "More")
}

/** Other times than the index has, so that git must compare contents. */
const touch = (file: string) => utimesSync(file, 1, 1)

const CHANGES: Readonly<Record<string, Case>> = {
  clean: { dirty: false, make: () => undefined },
  "touched only": { dirty: false, make: (repository) => touch(join(repository, "a.txt")) },
  modified: { dirty: true, make: (repository) => writeFileSync(join(repository, "a.txt"), "b") },
  "modified, of the same size and time": {
    dirty: true,
    make: (repository) => {
      writeFileSync(join(repository, "a.txt"), "a")
      git(repository, "add", ".")
      writeFileSync(join(repository, "a.txt"), "b")
    }
  },
  staged: {
    dirty: true,
    make: (repository) => {
      writeFileSync(join(repository, "a.txt"), "b")
      git(repository, "add", ".")
    }
  },
  untracked: { dirty: true, make: (repository) => writeFileSync(join(repository, "b.txt"), "b") },
  "an empty untracked folder": { dirty: false, make: (repository) => mkdirSync(join(repository, "b")) },
  "ignored by .gitignore": {
    dirty: false,
    make: (repository) => {
      writeFileSync(join(repository, ".gitignore"), "*.log\n")
      commit(repository)
      writeFileSync(join(repository, "b.log"), "b")
    }
  },
  "ignored by info/exclude": {
    dirty: false,
    make: (repository) => {
      writeFileSync(join(repository, ".git/info/exclude"), "*.log\n")
      writeFileSync(join(repository, "b.log"), "b")
    }
  },
  deleted: { dirty: true, make: (repository) => unlinkSync(join(repository, "a.txt")) },
  "deleted and staged": { dirty: true, make: (repository) => git(repository, "rm", "--quiet", "a.txt") },
  "another mode": { dirty: true, make: (repository) => chmodSync(join(repository, "a.txt"), 0o755) },
  "another mode where modes don't count": {
    dirty: false,
    make: (repository) => {
      git(repository, "config", "core.fileMode", "false")
      chmodSync(join(repository, "a.txt"), 0o755)
    }
  },
  "a link": {
    dirty: false,
    make: (repository) => {
      symlinkSync("/nowhere", join(repository, "link"))
      commit(repository)
    }
  },
  "a link that leads elsewhere now": {
    dirty: true,
    make: (repository) => {
      symlinkSync("/nowhere", join(repository, "link"))
      commit(repository)
      unlinkSync(join(repository, "link"))
      symlinkSync("/nowhere-else", join(repository, "link"))
    }
  },
  "a name that isn't UTF-8": {
    dirty: false,
    make: (repository) => {
      writeFileSync(Buffer.concat([Buffer.from(`${repository}/`), Buffer.from([0x66, 0xff, 0xfe])]), "x")
      commit(repository)
    }
  },
  "an untracked name that isn't UTF-8": {
    dirty: true,
    make: (repository) =>
      writeFileSync(Buffer.concat([Buffer.from(`${repository}/`), Buffer.from([0x66, 0xff, 0xfe])]), "x")
  }
}

const LINE_ENDS: Readonly<Record<string, Case>> = {
  "CRLF with core.autocrlf": {
    dirty: false,
    make: (repository) => {
      git(repository, "config", "core.autocrlf", "true")
      writeFileSync(join(repository, "a.txt"), "a\r\nb\r\n")
      commit(repository)
      touch(join(repository, "a.txt"))
    }
  },
  "CRLF with core.autocrlf, in another spelling and with a comment": {
    dirty: false,
    make: (repository) => {
      writeFileSync(join(repository, ".git/config"), '[CORE] # more\n\tAutoCRLF = "in"put ; ends\n')
      writeFileSync(join(repository, "a.txt"), "a\r\nb\r\n")
      commit(repository)
      touch(join(repository, "a.txt"))
    }
  },
  "CRLF by attributes": {
    dirty: false,
    make: (repository) => {
      writeFileSync(join(repository, ".gitattributes"), "*.txt text eol=crlf\n")
      writeFileSync(join(repository, "a.txt"), "a\r\nb\r\n")
      commit(repository)
      touch(join(repository, "a.txt"))
    }
  },
  "CRLF that nothing converts": {
    dirty: true,
    make: (repository) => {
      writeFileSync(join(repository, "a.txt"), "a\nb\n")
      commit(repository)
      writeFileSync(join(repository, "a.txt"), "a\r\nb\r\n")
    }
  }
}

const bytes = (...parts: ReadonlyArray<string | number>) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))))

const HEADS: Readonly<Record<string, Case>> = {
  "before the first commit": {
    branch: "new",
    dirty: false,
    make: (_, beside) => {
      mkdirSync(beside)
      git(beside, "init", "--quiet", "--initial-branch=new")
      return beside
    }
  },
  "before the first commit, staged": {
    branch: "new",
    dirty: true,
    make: (_, beside) => {
      mkdirSync(beside)
      git(beside, "init", "--quiet", "--initial-branch=new")
      writeFileSync(join(beside, "a.txt"), "a")
      git(beside, "add", ".")
      return beside
    }
  },
  "packed refs": {
    branch: "feature/two",
    dirty: false,
    make: (repository) => {
      git(repository, "checkout", "--quiet", "-b", "feature/two")
      git(repository, "pack-refs", "--all")
      git(repository, "gc", "--quiet")
    }
  },
  "a folder of branches with the name of one that has no commit": {
    branch: "feature",
    dirty: true,
    make: (repository) => {
      git(repository, "branch", "feature/two")
      git(repository, "symbolic-ref", "HEAD", "refs/heads/feature")
    }
  },
  "a branch that stands for another": {
    branch: "main",
    dirty: false,
    make: (repository) => {
      git(repository, "symbolic-ref", "refs/heads/other", "refs/heads/main")
      git(repository, "symbolic-ref", "HEAD", "refs/heads/other")
    }
  },
  "a branch whose name ends in a byte that is a blank elsewhere": {
    branch: "voilà",
    dirty: false,
    make: (repository) => git(repository, "checkout", "--quiet", "-b", "voilà")
  },
  "a branch whose name isn't UTF-8": {
    branch: "caf\ufffd",
    dirty: false,
    make: (repository) => {
      const hash = git(repository, "rev-parse", "HEAD")
      writeFileSync(bytes(`${repository}/.git/refs/heads/caf`, 0xe9), hash)
      writeFileSync(join(repository, ".git/HEAD"), bytes("ref: refs/heads/caf", 0xe9, "\n"))
    }
  }
}

const KINDS: Readonly<Record<string, Case>> = {
  "SHA-256": { dirty: false, init: ["--object-format=sha256"], make: () => undefined },
  "SHA-256, modified": {
    dirty: true,
    init: ["--object-format=sha256"],
    make: (repository) => writeFileSync(join(repository, "a.txt"), "b")
  },
  "a folder inside": {
    dirty: true,
    make: (repository) => {
      writeFileSync(join(repository, "b.txt"), "b")
      mkdirSync(join(repository, "in/side"), { recursive: true })
      return join(repository, "in/side")
    }
  },
  "inside the git directory": { branch: null, dirty: false, make: (repository) => join(repository, ".git/refs") },
  "a bare repository": {
    branch: null,
    dirty: false,
    make: (repository, beside) => {
      git(repository, "clone", "--quiet", "--bare", repository, `${beside}.git`)
      return `${beside}.git`
    }
  },
  "a linked working tree": {
    branch: "linked",
    dirty: false,
    make: (repository, beside) => {
      git(repository, "worktree", "add", "--quiet", "-b", "linked", beside)
      return beside
    }
  },
  "a linked working tree, modified": {
    branch: "linked",
    dirty: true,
    make: (repository, beside) => {
      git(repository, "worktree", "add", "--quiet", "-b", "linked", beside)
      writeFileSync(join(beside, "a.txt"), "b")
      return beside
    }
  },
  "a working tree of a bare repository": {
    branch: "main",
    dirty: false,
    make: (repository, beside) => {
      git(repository, "clone", "--quiet", "--bare", repository, `${beside}.git`)
      git(`${beside}.git`, "worktree", "add", "--quiet", beside, "main")
      return beside
    }
  },
  "a submodule": {
    dirty: false,
    make: (repository, beside) => {
      makeRepository(beside)
      git(beside, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository, "sub")
      return join(beside, "sub")
    }
  },
  "a repository with a submodule": {
    dirty: false,
    make: (repository, beside) => {
      makeRepository(beside)
      git(beside, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository, "sub")
      commit(beside)
      writeFileSync(join(beside, "sub/a.txt"), "b")
      return beside
    }
  },
  "a repository whose submodule is at another commit": {
    dirty: true,
    make: (repository, beside) => {
      makeRepository(beside)
      git(beside, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository, "sub")
      commit(beside)
      writeFileSync(join(beside, "sub/a.txt"), "b")
      commit(join(beside, "sub"))
      return beside
    }
  },
  "a clone that shares its objects": {
    dirty: false,
    make: (repository, beside) => {
      git(repository, "clone", "--quiet", "--shared", repository, beside)
      return beside
    }
  },
  "a clone without most of its objects": {
    dirty: false,
    make: (repository, beside) => {
      git(repository, "config", "uploadpack.allowFilter", "true")
      git(repository, "clone", "--quiet", "--filter=blob:none", `file://${repository}`, beside)
      return beside
    }
  },
  "a sparse checkout": {
    dirty: false,
    make: (repository) => {
      mkdirSync(join(repository, "in"))
      mkdirSync(join(repository, "out"))
      writeFileSync(join(repository, "in/b.txt"), "b")
      writeFileSync(join(repository, "out/c.txt"), "c")
      commit(repository)
      git(repository, "sparse-checkout", "set", "--cone", "--sparse-index", "in")
    }
  },
  "a split index": {
    dirty: false,
    make: (repository) => {
      git(repository, "update-index", "--split-index")
      writeFileSync(join(repository, "b.txt"), "b")
      commit(repository)
    }
  },
  "caches in the index": {
    dirty: true,
    make: (repository) => {
      git(repository, "config", "core.untrackedCache", "true")
      git(repository, "update-index", "--untracked-cache")
      git(repository, "status")
      writeFileSync(join(repository, "b.txt"), "b")
    }
  },
  "a repository beside a folder that is called .git and empty": {
    dirty: false,
    make: (repository) => {
      mkdirSync(join(repository, "in/.git"), { recursive: true })
      return join(repository, "in")
    }
  },
  "no repository any more": {
    branch: null,
    dirty: false,
    make: (repository) => rmSync(join(repository, ".git"), { recursive: true })
  }
}

const REFTABLE = ["--ref-format=reftable"]

const TABLES: Readonly<Record<string, Case>> = {
  "on a branch": { dirty: false, init: REFTABLE, make: () => undefined },
  "on a branch whose name has a folder": {
    branch: "feature/über",
    dirty: true,
    init: REFTABLE,
    make: (repository) => {
      git(repository, "checkout", "--quiet", "-b", "feature/über")
      git(repository, "pack-refs", "--all")
      writeFileSync(join(repository, "a.txt"), "b")
    }
  },
  "before the first commit": {
    branch: "new",
    dirty: false,
    make: (_, beside) => {
      mkdirSync(beside)
      git(beside, "init", "--quiet", "--initial-branch=new", ...REFTABLE)
      return beside
    }
  },
  "a linked working tree": {
    branch: "linked",
    dirty: false,
    init: REFTABLE,
    make: (repository, beside) => {
      git(repository, "worktree", "add", "--quiet", "-b", "linked", beside)
      return beside
    }
  },
  "tables that are links": {
    branch: null,
    dirty: false,
    init: REFTABLE,
    make: (repository, beside) => {
      renameSync(join(repository, ".git/reftable"), beside)
      symlinkSync(beside, join(repository, ".git/reftable"))
    }
  }
}

const ROOTS: Readonly<Record<string, Case>> = {
  "somebody else's repository": {
    dirty: true,
    make: (repository) => {
      writeFileSync(join(repository, "b.txt"), "b")
      for (const name of [".", ".git", ".git/config", ".git/HEAD"]) chownSync(join(repository, name), 65_534, 65_534)
    }
  }
}

const holds = (cases: Readonly<Record<string, Case>>) =>
  Effect.gen(function* () {
    const { base, stateOf } = yield* makeGitApp()
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [index, [name, one]] of Object.entries(cases).entries()) {
      const repository = makeRepository(join(base, `repository-${index}`), ...(one.init ?? []))
      const made = one.make(repository, join(base, `beside-${index}`))
      const folder = typeof made === "string" && made.startsWith(base) ? made : repository
      found[name] = yield* stateOf(folder)
      expected[name] = { branch: one.branch === undefined ? "main" : one.branch, dirty: one.dirty }
    }
    assert.deepStrictEqual(found, expected)
  })

const hasReftable = spawnSync("git", ["init", "--quiet", "--ref-format=reftable", "-h"]).stdout.includes("--ref-format")

const isRoot = process.getuid?.() === 0

describe("ordinary repositories", () => {
  it.effect("tells changed files from unchanged ones", () => holds(CHANGES), 60_000)
  it.effect("tells changed line ends from converted ones", () => holds(LINE_ENDS), 60_000)
  it.effect("tells the branch wherever it is kept", () => holds(HEADS), 60_000)
  it.effect("knows the kinds of repositories and working trees", () => holds(KINDS), 60_000)
  it.effect.skipIf(!hasReftable)(
    "tells the branch that is kept in a table (needs git 2.45)",
    () =>
      Effect.gen(function* () {
        yield* holds(TABLES)
        const { base, stateOf } = yield* makeGitApp()
        const repository = makeRepository(join(base, "repository"), ...REFTABLE)
        git(repository, "checkout", "--quiet", "--detach")
        const branch = git(repository, "rev-parse", "--short=7", "HEAD").trim()
        assert.deepStrictEqual(yield* stateOf(repository), { branch, dirty: false })
      }),
    60_000
  )
  it.effect.skipIf(!isRoot)("tells the state of somebody else's repository (needs root)", () => holds(ROOTS), 60_000)

  it.effect("counts what the owner has git ignore everywhere", () =>
    Effect.gen(function* () {
      const { folder, base, stateOf } = yield* makeGitApp()
      const { HOME, XDG_CONFIG_HOME } = process.env
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          process.env.HOME = HOME
          if (XDG_CONFIG_HOME !== undefined) process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME
        })
      )
      process.env.HOME = folder
      delete process.env.XDG_CONFIG_HOME
      const repository = makeRepository(join(base, "repository"))
      writeFileSync(join(repository, "b.swp"), "b")
      assert.deepStrictEqual(yield* stateOf(repository), { branch: "main", dirty: true })
      mkdirSync(join(folder, ".config/git"), { recursive: true })
      writeFileSync(join(folder, ".config/git/ignore"), "*.swp\n")
      assert.deepStrictEqual(yield* stateOf(repository), { branch: "main", dirty: false })
      writeFileSync(join(folder, ".gitconfig"), "[core]\n\texcludesFile = ~/mine\n")
      assert.deepStrictEqual(yield* stateOf(repository), { branch: "main", dirty: true })
      writeFileSync(join(folder, "mine"), "b.*\n")
      assert.deepStrictEqual(yield* stateOf(repository), { branch: "main", dirty: false })
    })
  )
})
