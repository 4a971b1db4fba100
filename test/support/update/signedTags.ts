import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { git } from "./product.ts"
import type { UpdateHome } from "./updateHome.ts"

/** Whether this machine can sign and check signatures. */
export const hasSshKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined
if (!hasSshKeygen) console.log("left out: signed versions, because ssh-keygen is not installed here")

/** The repository that releases are made in. */
export const sourceOf = (home: UpdateHome): string => join(home.home, "source")

/** Makes a key to sign with; answers the path of its secret half. */
export const makeKey = (home: UpdateHome, name: string): string => {
  const path = join(home.home, "keys", name)
  mkdirSync(join(home.home, "keys"), { recursive: true })
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path])
  return path
}

/** Makes a file of signers with these keys, as `ssh-keygen` reads it. */
export const makeSigners = (home: UpdateHome, name: string, ...keys: ReadonlyArray<string>): string => {
  const path = join(home.home, name)
  const lines = keys.map((key) => `somebody@example.invalid namespaces="git" ${readFileSync(`${key}.pub`, "utf8")}`)
  writeFileSync(path, lines.join(""))
  return path
}

/** Publishes what an object is as this tag, in place of what the remote has. */
export const publish = (home: UpdateHome, object: string, tag: string): void => {
  git(sourceOf(home), "push", "--quiet", "--force", "origin", `${object}:refs/tags/${tag}`)
}

/** Signs a tag of this name with a key and publishes it; at the newest commit unless another one is named. */
export const signTag = (home: UpdateHome, tag: string, key: string, at = tag): void => {
  const source = sourceOf(home)
  const options = ["-c", "gpg.format=ssh", "-c", `user.signingKey=${key}.pub`, "-c", "gpg.ssh.program=ssh-keygen"]
  git(source, ...options, "tag", "--force", "--sign", tag, `${at}^{commit}`, "--message", tag)
  publish(home, `refs/tags/${tag}`, tag)
}

/** Writes a tag object with its parts as they are given; answers its id. */
export const writeTag = (home: UpdateHome, text: string): string =>
  execFileSync("git", ["hash-object", "-t", "tag", "-w", "--stdin"], {
    cwd: sourceOf(home),
    input: text,
    encoding: "utf8"
  }).trim()

/** The text of a tag object without a signature. */
export const tagText = (home: UpdateHome, tag: string, at = tag): string =>
  [
    `object ${git(sourceOf(home), "rev-parse", `${at}^{commit}`)}`,
    "type commit",
    `tag ${tag}`,
    "tagger Test <test@example.invalid> 1700000000 +0000",
    "",
    `${tag}\n`
  ].join("\n")

/** A signature by a key over a text, for a purpose that may be another one than git's. */
export const signText = (home: UpdateHome, text: string, key: string, purpose: string): string => {
  const path = join(home.home, "text")
  writeFileSync(path, text)
  rmSync(`${path}.sig`, { force: true })
  execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-f", key, "-n", purpose, path], { stdio: "ignore" })
  return readFileSync(`${path}.sig`, "utf8")
}
