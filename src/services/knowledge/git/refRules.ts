/** What a ref holds: another ref's name or an object's; texts have one character a byte. */
export type RefValue = { readonly ref: string } | { readonly object: string }

/** How many refs may lead to one another. */
export const MAX_DEPTH = 5

/** Only ASCII's: another blank is a byte of a name. */
const OUTER_BLANKS = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g

const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** Whether git would take this for a ref's full name; so it can't climb out of its folder either. */
export const isRefName = (name: string): boolean =>
  name.startsWith("refs/") &&
  name.length <= 4096 &&
  !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\/$/.test(name) &&
  name.split("/").every((part) => !part.endsWith(".lock"))

/** Reads a ref's file; `undefined` if it isn't one, whatever else it is. */
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

/** A branch's name as text, of a ref's name in bytes. */
export const branchName = (ref: string): string =>
  Buffer.from(ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : ref, "latin1").toString("utf8")
