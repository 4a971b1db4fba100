import { chmodSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGitApp } from "../../../support/gitApp.ts"
import { git, makeRepository } from "../../../support/gitRepositories.ts"
import { commit, holds, type RepositoryCase, touch } from "../../../support/repositoryCases.ts"

const CHANGES: Readonly<Record<string, RepositoryCase>> = {
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

const LINE_ENDS: Readonly<Record<string, RepositoryCase>> = {
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

describe("changed files", () => {
  it.effect("are distinguished from unchanged ones", () => holds(CHANGES), 120_000)
  it.effect("are not those whose line ends git converts", () => holds(LINE_ENDS), 120_000)

  it.effect("are not those that the owner has git ignore everywhere", () =>
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
