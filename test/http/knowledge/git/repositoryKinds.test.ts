import { spawnSync } from "node:child_process"
import { chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGitApp } from "../../../support/gitApp.ts"
import { git, makeRepository } from "../../../support/gitRepositories.ts"
import { commit, holds, type RepositoryCase } from "../../../support/repositoryCases.ts"

const bytes = (...parts: ReadonlyArray<string | number>) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))))

const HEADS: Readonly<Record<string, RepositoryCase>> = {
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

const KINDS: Readonly<Record<string, RepositoryCase>> = {
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

const TABLES: Readonly<Record<string, RepositoryCase>> = {
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

const ROOTS: Readonly<Record<string, RepositoryCase>> = {
  "somebody else's repository": {
    dirty: true,
    make: (repository) => {
      writeFileSync(join(repository, "b.txt"), "b")
      for (const name of [".", ".git", ".git/config", ".git/HEAD"]) chownSync(join(repository, name), 65_534, 65_534)
    }
  }
}

const hasReftable = spawnSync("git", ["init", "--quiet", "--ref-format=reftable", "-h"]).stdout.includes("--ref-format")

const isRoot = process.getuid?.() === 0

describe("repositories of every kind", () => {
  it.effect("returns the branch wherever it is stored", () => holds(HEADS), 120_000)
  it.effect("knows the kinds of repositories and working trees", () => holds(KINDS), 120_000)
  it.effect.skipIf(!hasReftable)(
    "returns the branch that is stored in a table (needs git 2.45)",
    () =>
      Effect.gen(function* () {
        yield* holds(TABLES)
        const { base, stateOf } = yield* makeGitApp()
        const repository = makeRepository(join(base, "repository"), ...REFTABLE)
        git(repository, "checkout", "--quiet", "--detach")
        const branch = git(repository, "rev-parse", "--short=7", "HEAD").trim()
        assert.deepStrictEqual(yield* stateOf(repository), { branch, dirty: false })
      }),
    120_000
  )
  it.effect.skipIf(!isRoot)("returns the state of another user's repository (needs root)", () => holds(ROOTS), 120_000)
})
