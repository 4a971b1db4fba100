import { lstat } from "node:fs/promises"
import { Effect } from "effect"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "../files/relativePath.ts"
import type { Repository } from "./gitPaths.ts"
import { GitUnusable, type IsOwn, readGitFile, scanGitFile } from "./readGitFile.ts"
import { MAX_DEPTH, packedObject, parseRef } from "./refRules.ts"

/** What a working tree is at. */
export interface Head {
  /** The ref it's on, one character a byte; `undefined` if it's at an object directly. */
  readonly ref: string | undefined
  /** The object it's at; `undefined` before the first commit. */
  readonly object: string | undefined
}

const MAX_REF = 8192
/** What overlaps is as long as a line may be: an object's name, a ref's name and what separates them. */
const PACKED_REFS = { what: "the repository's list of branches", limit: 64 * 1024 * 1024, overlap: 64 + 4096 + 2 }

/** Reads the ref in its own file; a folder of that name is none. */
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

/** Reads where a working tree is, from the files that git keeps its refs in. */
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
