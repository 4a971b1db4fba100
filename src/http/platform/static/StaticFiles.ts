import { createHash } from "node:crypto"
import { Context, Effect, FileSystem, Layer, Option, Path } from "effect"
import { Mime } from "effect/http"
import type { ReadyAnswer } from "../../../node/ReadyAnswer.ts"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { acceptedCodings, type Coding, matchesEtag } from "./contentNegotiation.ts"
import { placedIndex } from "./placedIndex.ts"

const HIDDEN_OR_CODED = /(?:^|\/)\.|\.(?:br|gz)$/

/**
 * The file below the web root that a request path names, or undefined if it isn't a valid one: no climbing, no hidden
 * files, no compressed versions, no characters that built files never have.
 */
export const assetPath = (requestPath: string): string | undefined => {
  const name = requestPath.slice(1)
  if (name === "" || name.length > 512 || !/^[\w.~!@+/-]+$/.test(name)) return undefined
  return HIDDEN_OR_CODED.test(name) || name.includes("//") || name.endsWith("/") ? undefined : name
}

/** Whether the path is in the folder of content-hashed file names. */
export const isHashedAsset = (requestPath: string): boolean => requestPath.startsWith("/assets/")

/** The web app's first page. */
export const INDEX = "index.html"

/** How many bytes of file contents are kept in memory; beyond that, files are read at each request. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024
/** How many different Accept-Encoding headers are remembered; browsers only send a handful. */
const MAX_HEADERS = 100
const IMMUTABLE = "public, max-age=31536000, immutable"
const REVALIDATE = "public, max-age=0, must-revalidate"

interface Representation {
  readonly etag: string
  readonly full: ReadyAnswer
  readonly notModified: ReadyAnswer
}

interface Asset {
  /** Whether a file has changed since it was read. */
  readonly stamp: string
  readonly bytes: number
  readonly identity: Representation
  readonly coded: Readonly<Record<Coding, Representation | undefined>>
}

/** Request headers by lower-case name; Accept-Encoding and If-None-Match select among a file's responses. */
type Preferences = Readonly<Record<string, string | undefined>>

/** The built web app's files with their compressed versions, as ready responses. */
export class StaticFiles extends Context.Service<
  StaticFiles,
  {
    /**
     * The response for a file below the web root, in an encoding this client accepts; undefined if there's no such
     * file.
     */
    readonly respond: (name: string, preferences: Preferences) => Effect.Effect<ReadyAnswer | undefined>
    /** The same for a hashed asset that's already in memory; undefined for every other name. */
    readonly ready: (name: string, preferences: Preferences) => ReadyAnswer | undefined
  }
>()("agent-console/http/platform/static/StaticFiles") {
  static readonly layer = Layer.effect(
    StaticFiles,
    Effect.gen(function* () {
      const { basePath, webRoot } = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const cache = new Map<string, Asset>()
      const codings = new Map<string, ReadonlyArray<Coding>>()
      let cachedBytes = 0

      const codingsOf = (header: string): ReadonlyArray<Coding> => {
        const known = codings.get(header)
        if (known !== undefined) return known
        const accepted = acceptedCodings(header)
        if (codings.size < MAX_HEADERS) codings.set(header, accepted)
        return accepted
      }

      const stampOf = (file: string) =>
        fs.stat(file).pipe(
          Effect.map((info) =>
            info.type === "File" ? `${info.size} ${Option.getOrUndefined(info.mtime)?.getTime()}` : undefined
          ),
          Effect.orElseSucceed(() => undefined)
        )

      const readOptional = (file: string) => Effect.option(fs.readFile(file))

      /** A file's content and its compressed versions. */
      const readAll = Effect.fnUntraced(function* (name: string) {
        const file = path.join(webRoot, name)
        const content = yield* readOptional(file)
        if (name === INDEX && basePath !== "") return Option.map(content, (bytes) => placedIndex(bytes, basePath))
        const [br, gzip] = [yield* readOptional(`${file}.br`), yield* readOptional(`${file}.gz`)]
        return Option.map(content, (bytes) => ({ content: bytes, br, gzip }))
      })

      const read = Effect.fnUntraced(function* (name: string, stamp: string) {
        const found = yield* readAll(name)
        if (Option.isNone(found)) return undefined
        const { content, br, gzip } = found.value
        const hasTwins = Option.isSome(br) || Option.isSome(gzip)
        const digest = createHash("sha256").update(content).digest("base64url").slice(0, 22)
        const represent = (bytes: Uint8Array, coding?: Coding): Representation => {
          const etag = `"${digest}${coding === undefined ? "" : `-${coding}`}"`
          const headers: Record<string, string> = {
            etag,
            "cache-control": isHashedAsset(`/${name}`) ? IMMUTABLE : REVALIDATE
          }
          if (hasTwins) headers.vary = "Accept-Encoding"
          const notModified = { status: 304, headers: { ...headers }, body: undefined }
          if (coding !== undefined) headers["content-encoding"] = coding
          headers["content-type"] = contentTypeOf(name)
          headers["content-length"] = String(bytes.byteLength)
          return { etag, full: { status: 200, headers, body: bytes }, notModified }
        }
        const twin = (bytes: Option.Option<Uint8Array>, coding: Coding) =>
          Option.getOrUndefined(Option.map(bytes, (value) => represent(value, coding)))
        const size = (bytes: Option.Option<Uint8Array>) => (Option.isSome(bytes) ? bytes.value.byteLength : 0)
        const asset: Asset = {
          stamp,
          bytes: content.byteLength + size(br) + size(gzip),
          identity: represent(content),
          coded: { br: twin(br, "br"), gzip: twin(gzip, "gzip") }
        }
        return asset
      })

      const remember = (name: string, asset: Asset) => {
        cachedBytes -= cache.get(name)?.bytes ?? 0
        cache.delete(name)
        if (cachedBytes + asset.bytes > MAX_CACHED_BYTES) return
        cache.set(name, asset)
        cachedBytes += asset.bytes
      }

      const load = Effect.fnUntraced(function* (name: string) {
        const stamp = yield* stampOf(path.join(webRoot, name))
        if (stamp === undefined) return undefined
        const cached = cache.get(name)
        if (cached?.stamp === stamp) return cached
        const asset = yield* read(name, stamp)
        if (asset !== undefined) remember(name, asset)
        return asset
      })

      const choose = (asset: Asset, headers: Preferences): ReadyAnswer => {
        let chosen = asset.identity
        for (const coding of codingsOf(headers["accept-encoding"] ?? "")) {
          const coded = asset.coded[coding]
          if (coded === undefined) continue
          chosen = coded
          break
        }
        return matchesEtag(headers["if-none-match"], chosen.etag) ? chosen.notModified : chosen.full
      }

      // The content of a hashed name never changes, so there's no need to check the disk again.
      const ready = (name: string, headers: Preferences): ReadyAnswer | undefined => {
        const cached = isHashedAsset(`/${name}`) ? cache.get(name) : undefined
        return cached === undefined ? undefined : choose(cached, headers)
      }

      return StaticFiles.of({
        ready,
        respond: (name, headers) => {
          const file = ready(name, headers)
          if (file !== undefined) return Effect.succeed(file)
          return Effect.map(load(name), (asset) => (asset === undefined ? undefined : choose(asset, headers)))
        }
      })
    })
  )
}

const contentTypeOf = (name: string): string => {
  const type = Option.getOrElse(Mime.getType(name), () => "application/octet-stream")
  return /^text\/|javascript|json/.test(type) ? `${type}; charset=utf-8` : type
}
