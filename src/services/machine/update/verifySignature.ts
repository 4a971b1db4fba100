import { Effect, FileSystem } from "effect"
import { Commands } from "./Commands.ts"
import type { Target } from "./resolveTarget.ts"
import { UpdateFailure } from "./UpdateFailure.ts"
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
export const makeVerifySignature = Effect.gen(function* () {
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
