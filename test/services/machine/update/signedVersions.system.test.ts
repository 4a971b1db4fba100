import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../../../src/cli/exitCodes.ts"
import { git } from "../../../support/update/product.ts"
import { assertFailed, unchanged } from "../../../support/update/ranUpdate.ts"
import { runUpdate } from "../../../support/update/runUpdate.ts"
import {
  hasSshKeygen,
  makeKey,
  makeSigners,
  publish,
  signTag,
  signText,
  sourceOf,
  tagText,
  writeTag
} from "../../../support/update/signedTags.ts"
import { finishUpdate } from "../../../support/update/startUpdate.ts"
import { makeUpdateHome, type UpdateHome } from "../../../support/update/updateHome.ts"

/** A machine with a version to update to, and who may sign it. */
const makeHome = Effect.gen(function* () {
  const home = yield* makeUpdateHome()
  home.release("1.1.0")
  const key = makeKey(home, "maintainer")
  return { home, key, allowedSigners: makeSigners(home, "signers", key) }
})

/** Sees that a version is refused, whether it's asked for or only looked at, and that nothing of it was run or kept. */
const refuses = (home: UpdateHome, allowedSigners: string, ...parts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    // Anything that would install it stops the update for good.
    home.programs.stopAt("before npm ci")
    home.programs.stopAt("before git worktree add")
    for (const dryRun of [true, false]) {
      const ran = yield* unchanged(home, runUpdate(home, { version: "v1.1.0", dryRun }, { allowedSigners }))
      assertFailed(ran, "resolution", ...parts)
    }
    assert.strictEqual(home.git("tag"), "v1.0.0")
  })

describe.skipIf(!hasSshKeygen)("with UPDATE_ALLOWED_SIGNERS (needs ssh-keygen)", () => {
  it.live("a version is installed that's signed with an allowed key", () =>
    Effect.gen(function* () {
      const { home, key, allowedSigners } = yield* makeHome
      signTag(home, "v1.1.0", key)
      const ran = yield* runUpdate(home, {}, { allowedSigners })
      assert.strictEqual(ran.outcome, "done", ran.told)
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
      assert.strictEqual(home.git("rev-parse", "HEAD"), git(sourceOf(home), "rev-parse", "v1.1.0^{commit}"))
      assert.strictEqual(home.git("rev-parse", "v1.1.0"), git(sourceOf(home), "rev-parse", "v1.1.0"))
    })
  )

  it.live("going back needs no signature: that version was here before", () =>
    Effect.gen(function* () {
      const { home, key, allowedSigners } = yield* makeHome
      signTag(home, "v1.1.0", key)
      yield* runUpdate(home, {}, { allowedSigners })
      const back = yield* runUpdate(home, { rollback: true }, { allowedSigners: "/nonexistent" })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("an unsigned tag is refused", () =>
    Effect.gen(function* () {
      const { home, allowedSigners } = yield* makeHome
      yield* refuses(home, allowedSigners, "v1.1.0 isn't signed with an SSH key")
    })
  )

  it.live("a lightweight tag is refused", () =>
    Effect.gen(function* () {
      const { home, allowedSigners } = yield* makeHome
      publish(home, "v1.1.0^{commit}", "v1.1.0")
      yield* refuses(home, allowedSigners, "v1.1.0 isn't signed", "without a tag object")
    })
  )

  it.live("a tag signed by somebody else is refused, also where the checkout's own settings trust them", () =>
    Effect.gen(function* () {
      const { home, allowedSigners } = yield* makeHome
      const foreign = makeKey(home, "somebody else")
      signTag(home, "v1.1.0", foreign)
      yield* refuses(home, allowedSigners, "isn't signed with a key that UPDATE_ALLOWED_SIGNERS allows")
      home.git("config", "gpg.ssh.allowedSignersFile", makeSigners(home, "others", foreign))
      home.git("config", "gpg.ssh.program", "true")
      home.git("config", "gpg.minTrustLevel", "never")
      yield* refuses(home, allowedSigners, "isn't signed with a key that UPDATE_ALLOWED_SIGNERS allows")
    })
  )

  it.live("a tag signed by a key ring's key is refused, even where everything says that's good", () =>
    Effect.gen(function* () {
      const { home, key, allowedSigners } = yield* makeHome
      const yes = join(home.home, "says-yes")
      writeFileSync(yes, "#!/bin/sh\nprintf '[GNUPG:] GOODSIG 1 x\\n[GNUPG:] TRUST_ULTIMATE 0 pgp\\n'\n", {
        mode: 0o755
      })
      for (const name of ["gpg.program", "gpg.openpgp.program"]) home.git("config", name, yes)
      const signature = "-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----\n"
      const text = tagText(home, "v1.1.0")
      publish(home, writeTag(home, `${text}${signature}`), "v1.1.0")
      yield* refuses(home, allowedSigners, "isn't signed with an SSH key")
      // The last signature is the one that git reads.
      const decoy = signText(home, text, key, "git")
      publish(home, writeTag(home, `${text}${decoy}${signature}`), "v1.1.0")
      yield* refuses(home, allowedSigners, "isn't signed with an SSH key")
    })
  )

  it.live("a signature for another purpose, and one over another text, are refused", () =>
    Effect.gen(function* () {
      const { home, key } = yield* makeHome
      // Of a key that may sign anything.
      const allowedSigners = join(home.home, "anything")
      writeFileSync(allowedSigners, `* ${readFileSync(`${key}.pub`, "utf8")}`)
      const text = tagText(home, "v1.1.0")
      publish(home, writeTag(home, `${text}${signText(home, text, key, "file")}`), "v1.1.0")
      yield* refuses(home, allowedSigners, "isn't signed with a key")
      publish(home, writeTag(home, `${text}${signText(home, `${text}.`, key, "git")}`), "v1.1.0")
      yield* refuses(home, allowedSigners, "isn't signed with a key")
      publish(home, writeTag(home, `${text}${signText(home, text, key, "git")}`), "v1.1.0")
      const ran = yield* runUpdate(home, { dryRun: true }, { allowedSigners })
      assert.strictEqual(ran.outcome, "done", ran.told)
    })
  )

  it.live("the signed tag of another version under this one's name is refused", () =>
    Effect.gen(function* () {
      const { home, key, allowedSigners } = yield* makeHome
      signTag(home, "v1.0.0", key)
      publish(home, "refs/tags/v1.0.0", "v1.1.0")
      yield* refuses(home, allowedSigners, "was signed as v1.0.0")
    })
  )

  it.live.each([
    ["missing", () => undefined],
    ["a folder", (path: string) => mkdirSync(path)]
  ] as const)("a file of signers that's %s refuses every version", ([, make]) =>
    Effect.gen(function* () {
      const { home, key } = yield* makeHome
      signTag(home, "v1.1.0", key)
      const path = join(home.home, "no signers")
      make(path)
      yield* refuses(home, path, "couldn't read the file of keys that UPDATE_ALLOWED_SIGNERS names")
    })
  )

  it.live("an empty file of signers refuses every version", () =>
    Effect.gen(function* () {
      const { home, key } = yield* makeHome
      signTag(home, "v1.1.0", key)
      yield* refuses(home, makeSigners(home, "nobody"), "isn't signed with a key")
    })
  )

  it.live("a machine without ssh-keygen shows what to install", () =>
    Effect.gen(function* () {
      const { home, key, allowedSigners } = yield* makeHome
      signTag(home, "v1.1.0", key)
      const without = join(home.home, "without")
      mkdirSync(without)
      for (const name of ["sh", "git", "du", "node", "env", "cat", "rm", "sleep", "mkdir"]) {
        symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(without, name))
      }
      const programs = { ...home.programs, path: `${join(home.home, "bin")}:${without}` }
      const ran = yield* runUpdate({ ...home, programs }, { version: "v1.1.0" }, { allowedSigners })
      assertFailed(ran, "resolution", "ssh-keygen", "apt install openssh-client")
    })
  )

  it.live("the setting is in .env or the environment, which comes first", () =>
    Effect.gen(function* () {
      const { home, allowedSigners } = yield* makeHome
      const foreign = makeKey(home, "somebody else")
      signTag(home, "v1.1.0", foreign)
      const dotEnv = home.dotEnv().toString()
      const dotEnvWith = (path: string) =>
        writeFileSync(join(home.directory, ".env"), `${dotEnv}UPDATE_ALLOWED_SIGNERS=${path}\n`)

      dotEnvWith("../signers")
      for (const flags of [["v1.1.0"], ["dry-run"]]) {
        const refused = yield* finishUpdate(home, flags)
        assert.strictEqual(refused.code, exitCodes.updateResolution, refused.output)
        assert.include(refused.output, "v1.1.0 isn't signed with a key that UPDATE_ALLOWED_SIGNERS allows")
      }
      dotEnvWith(makeSigners(home, "others", foreign))
      const env = { UPDATE_ALLOWED_SIGNERS: allowedSigners }
      assert.strictEqual((yield* finishUpdate(home, [], env)).code, exitCodes.updateResolution)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      // An empty one is none.
      const done = yield* finishUpdate(home, [], { UPDATE_ALLOWED_SIGNERS: "" })
      assert.strictEqual(done.code, exitCodes.ok, done.output)
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
    })
  )
})
