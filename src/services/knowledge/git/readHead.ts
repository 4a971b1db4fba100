import { lstat } from "node:fs/promises"
import { Effect } from "effect"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "../files/relativePath.ts"
import type { Repository } from "./gitPaths.ts"
import { GitUnusable, type IsOwn, readGitFile, scanGitFile } from "./readGitFile.ts"
import { MAX_DEPTH, packedObject, parseRef } from "./refRules.ts"

/** The commit or branch of a working tree. */
export interface Head {
  /** The current ref, one character per byte; `undefined` for a detached head. */
  readonly ref: string | undefined
  /** The current object; `undefined` before the first commit. */
  readonly object: string | undefined
}

const MAX_REF = 8192
/** The longest line: an object's name, a ref's name and the separator. */
const PACKED_REFS = { what: "the repository's list of branches", limit: 64 * 1024 * 1024, overlap: 64 + 4096 + 2 }

/** Reads a ref from its own file; a folder of that name isn't a ref. */
const looseRef = Effect.fnUntraced(function* (commonDir: string, name: string, isOwn: IsOwn) {
  const path = Buffer.concat([Buffer.from(`${commonDir}/`), Buffer.from(name, "latin1")])
  const info = yield* attempt(() => lstat(path)).pipe(
    Effect.catchTag("FileMissing", () => Effect.undefined),
    Effect.mapError(() => new GitUnusable())
  )
  return info === undefined || info.isDirectory()
    ? undefined
    : yield* readGitFile(path, isOwn, "the branch's file", MAX_REF)
})

const packedRef = Effect.fnUntraced(function* (commonDir: string, name: string, isOwn: IsOwn) {
  let object: string | undefined
  yield* scanGitFile(`${commonDir}/packed-refs`, isOwn, PACKED_REFS, (piece) => {
    object ??= packedObject(piece, name)
  })
  return object
})

/** Reads the head of a working tree from git's files of refs. */
export const readHead = Effect.fn("readHead")(function* ({ gitDir, commonDir }: Repository) {
  const isOwn: IsOwn = (real) => isWithin(gitDir, real) || isWithin(commonDir, real)
  const content = yield* readGitFile(`${gitDir}/HEAD`, isOwn, "the repository's HEAD", MAX_REF)
  let value = content === undefined ? undefined : parseRef(content)
  let ref: string | undefined
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    if (value === undefined) return yield* new GitUnusable()
    if ("object" in value) return { ref, object: value.object } satisfies Head
    ref = value.ref
    const loose = yield* looseRef(commonDir, ref, isOwn)
    if (loose === undefined) return { ref, object: yield* packedRef(commonDir, ref, isOwn) } satisfies Head
    value = parseRef(loose)
  }
  return yield* new GitUnusable()
})
