import { Effect, FileSystem, Option } from "effect"
import { Commands } from "./Commands.ts"
import { RemoteRepository } from "./RemoteRepository.ts"
import type { Target } from "./resolveTarget.ts"
import type { Place } from "./UpdateFiles.ts"
import { failedAt, UpdateFailure } from "./UpdateReport.ts"
import { UpdateTarget } from "./UpdateTarget.ts"
import { makeUpdateGit } from "./updateGit.ts"

/** Git takes the last line that begins a signature for the signature, and this one only for one made by ssh. */
const SIGNATURE = /^-----BEGIN (PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/gm
const HEAD = /^object ([0-9a-f]{40,64})\ntype commit\ntag ([^\n]+)\n/

/** The part of a tag object that its signature has to vouch for. */
interface TagObject {
  readonly commit: string
  /** The name it was made under. A remote can publish it under any other. */
  readonly name: string
  readonly isSignedBySsh: boolean
}

/** Reads a tag object's text; `undefined` if it isn't one of a commit. */
const readTagObject = (text: string): TagObject | undefined => {
  const [, commit, name] = HEAD.exec(text) ?? []
  if (commit === undefined || name === undefined) return undefined
  return { commit, name, isSignedBySsh: [...text.matchAll(SIGNATURE)].at(-1)?.[1] === "SSH SIGNATURE" }
}

const SETTING = "UPDATE_ALLOWED_SIGNERS"

const refuse = (message: string) => new UpdateFailure({ step: "resolution", message })

/** How git checks a signature, whatever the checkout's and the user's own settings say. */
const settingsFor = (signers: string): ReadonlyArray<string> =>
  [
    "gpg.format=ssh",
    "gpg.ssh.program=ssh-keygen",
    `gpg.ssh.allowedSignersFile=${signers}`,
    "gpg.minTrustLevel=fully",
    // A key ring may hold anybody's key, so other kinds of signatures are never good.
    ...["gpg.program=false", "gpg.openpgp.program=false", "gpg.x509.program=false"]
  ].flatMap((setting) => ["-c", setting])

/** Refuses a version whose tag isn't signed, under its own name, with a key of the file of allowed signers. */
const makeVerifySignature = Effect.gen(function* () {
  const { local } = yield* makeUpdateGit
  const commands = yield* Commands
  const fs = yield* FileSystem.FileSystem

  const checkMachine = Effect.fnUntraced(function* (signers: string) {
    yield* Effect.mapError(fs.readFileString(signers), () =>
      refuse(
        `couldn't read the file of keys that ${SETTING} names: correct the setting, or let this user read the file`
      )
    )
    yield* commands
      .run({ program: "sh", args: ["-c", "command -v ssh-keygen"], timeLimit: "30 seconds" })
      .pipe(
        Effect.mapError(() =>
          refuse(
            `${SETTING} asks for a signature, but ssh-keygen, which checks it, isn't installed: install OpenSSH (Debian and Ubuntu: apt install openssh-client)`
          )
        )
      )
  })

  return Effect.fn("verifySignature")(function* ({ tag, object, commit }: Target, signers: string) {
    yield* checkMachine(signers)
    const text = yield* Effect.mapError(local("cat-file", "tag", object), () =>
      refuse(`${tag} isn't signed, but ${SETTING} asks for that: it's a mere name, without a tag object`)
    )
    const signed = readTagObject(text)
    if (signed?.isSignedBySsh !== true) {
      return yield* refuse(`${tag} isn't signed with an SSH key, but ${SETTING} asks for that`)
    }
    yield* Effect.mapError(local(...settingsFor(signers), "verify-tag", object), () =>
      refuse(`${tag} isn't signed with a key that ${SETTING} allows`)
    )
    if (signed.name !== tag || signed.commit !== commit) {
      return yield* refuse(`what the git remote has as ${tag} was signed as ${signed.name}: somebody has renamed it`)
    }
  })
})

/** Of more branches, nobody can tell which one a version came from. */
const MOST_BRANCHES = 100

/**
 * Fetches a version and refuses it unless it's on the remote's branch that the version in place follows and, if that's
 * asked for, signed. Whoever may push a tag to the remote could otherwise have anything installed.
 */
export const makeVerifyTarget = Effect.gen(function* () {
  const repository = yield* RemoteRepository
  const { allowedSigners } = yield* UpdateTarget
  const verifySignature = yield* makeVerifySignature

  const contains = ({ remote, refs }: Target, name: string, commit: string) => {
    const tip = refs.branches.get(name)
    return tip === undefined ? Effect.succeed(false) : repository.isPartOf(commit, { remote, name, tip })
  }

  const bringBranches = ({ remote }: Target, names: ReadonlyArray<string>) =>
    repository.bring(
      remote,
      names.map((name) => `refs/heads/${name}`)
    )

  /**
   * The branch that was checked out with the version in place, or else the main one. A version that isn't on that is of
   * a branch for older versions: the only one it's on.
   */
  const followedBranch = Effect.fnUntraced(function* (target: Target, installed: Place) {
    const { branches, main } = target.refs
    const followed =
      installed.branch === null
        ? Option.none<string>()
        : Option.filter(yield* repository.followedBy(installed.branch, target.remote), (name) => branches.has(name))
    if (Option.isSome(followed)) {
      yield* bringBranches(target, [followed.value])
      return followed.value
    }
    if (main !== undefined) {
      yield* bringBranches(target, [main])
      if (yield* contains(target, main, installed.ref)) return main
    }
    const others = [...branches.keys()].filter((name) => name !== main)
    if (others.length > MOST_BRANCHES || others.length === 0) return main
    yield* bringBranches(target, others)
    const holding = yield* Effect.filter(others, (name) => contains(target, name, installed.ref))
    return holding.length === 1 ? holding[0] : main
  })

  return Effect.fn("verifyTarget")(
    function* (target: Target, installed: Place) {
      const { tag, object, commit, remote } = target
      yield* repository.bring(remote, [`refs/tags/${tag}`])
      const here = yield* repository.commitOf(object)
      if (!Option.contains(here, commit)) {
        return yield* refuse(`${tag} was changed on the git remote just now: find out why, then try again`)
      }
      if (allowedSigners !== undefined) yield* verifySignature(target, allowedSigners)
      const branch = yield* followedBranch(target, installed)
      if (branch === undefined) {
        return yield* refuse(
          "couldn't tell which branch of the git remote this console follows: check that branch out, then try again"
        )
      }
      if (yield* contains(target, branch, commit)) return branch
      return yield* refuse(
        `${tag} isn't on ${branch}, the branch of the git remote that this console follows, so it may not be from the people you trust. If it's meant to be on another branch, check that one out first`
      )
    },
    Effect.catchTag("CommandFailed", (failure) => Effect.fail(failedAt("resolution")(failure)))
  )
})
