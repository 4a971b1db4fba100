/** The content of a ref: the name of another ref or of an object; one character per byte. */
export type RefValue = { readonly ref: string } | { readonly object: string }

/** The maximum length of a chain of refs. */
export const MAX_DEPTH = 5

/** ASCII blanks only, because others are bytes of a name. */
const OUTER_BLANKS = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g

const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** Whether git accepts this as a ref's full name, which also keeps it inside its folder. */
export const isRefName = (name: string): boolean =>
  name.startsWith("refs/") &&
  name.length <= 4096 &&
  !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\/$/.test(name) &&
  name.split("/").every((part) => !part.endsWith(".lock"))

/** Parses a ref's file; `undefined` if it isn't one. */
export const parseRef = (content: string): RefValue | undefined => {
  if (content.startsWith("ref:")) {
    const ref = content.slice("ref:".length).replace(OUTER_BLANKS, "")
    return isRefName(ref) ? { ref } : undefined
  }
  const object = content.replace(OUTER_BLANKS, "")
  return isHash(object) ? { object } : undefined
}

/** Finds a ref's object in a piece of `packed-refs`, whose lines are `<object> <name>`. */
export const packedObject = (piece: Buffer, name: string): string | undefined => {
  const needle = Buffer.from(` ${name}\n`, "latin1")
  const at = piece.indexOf(needle)
  if (at < 0) return undefined
  const line = piece.toString("latin1", piece.lastIndexOf("\n", at) + 1, at)
  return isHash(line) ? line : undefined
}

/** Decodes a branch's name from a ref's name in bytes. */
export const branchName = (ref: string): string =>
  Buffer.from(ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : ref, "latin1").toString("utf8")
