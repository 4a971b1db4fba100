/** Git takes the last line that begins a signature for the signature, and this one only for one made by ssh. */
const SIGNATURE = /^-----BEGIN (PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/gm
const HEAD = /^object ([0-9a-f]{40,64})\ntype commit\ntag ([^\n]+)\n/

/** The part of a tag object that its signature has to vouch for. */
export interface TagObject {
  readonly commit: string
  /** The name it was made under. A remote can publish it under any other. */
  readonly name: string
  readonly isSignedBySsh: boolean
}

/** Reads a tag object's text; `undefined` if it isn't one of a commit. */
export const readTagObject = (text: string): TagObject | undefined => {
  const [, commit, name] = HEAD.exec(text) ?? []
  if (commit === undefined || name === undefined) return undefined
  return { commit, name, isSignedBySsh: [...text.matchAll(SIGNATURE)].at(-1)?.[1] === "SSH SIGNATURE" }
}
