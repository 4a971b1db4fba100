import { Context, Effect, Layer, Option, Order, Result, Schema, SemVer } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import { isRedirect, outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

/** A tag of the form `vX.Y.Z` with the version it names. */
export interface ReleaseTag {
  readonly tag: string
  readonly version: SemVer.SemVer
}

/** Reads `vX.Y.Z`, with or without a pre-release part; anything else isn't a release. */
export const parseTag = (tag: string): Option.Option<ReleaseTag> =>
  tag.startsWith("v")
    ? Option.map(Result.getSuccess(SemVer.parse(tag.slice(1))), (version) => ({ tag, version }))
    : Option.none()

/** Reads the value of `--version`; the leading `v` may be missing. */
export const parsePin = (text: string): Option.Option<ReleaseTag> => parseTag(text.startsWith("v") ? text : `v${text}`)

const byVersion = Order.mapInput(SemVer.Order, ({ version }: ReleaseTag) => version)

/** The latest tag by semantic version, ignoring pre-releases and other tags. */
export const latestTag = (tags: ReadonlyArray<string>): Option.Option<ReleaseTag> =>
  tags
    .flatMap((tag) => Option.toArray(parseTag(tag)))
    .filter(({ version }) => !SemVer.isPrerelease(version))
    .reduce<Option.Option<ReleaseTag>>(
      (best, tag) =>
        Option.some(Option.match(best, { onNone: () => tag, onSome: (one) => Order.max(byVersion)(one, tag) })),
      Option.none()
    )

/** Whether one version is older than or equal to another; an unreadable version is older than any. */
export const isAtLeast = (version: string, wanted: SemVer.SemVer): boolean =>
  Result.match(SemVer.parse(version), {
    onFailure: () => false,
    onSuccess: (parsed) => SemVer.isGreaterThanOrEqualTo(parsed, wanted)
  })

interface RemotePlace {
  readonly origin: string
  readonly host: string
  /** Owner and name, possibly with groups in front, without `.git`. */
  readonly path: string
}

const SCP_FORM = /^(?:[^@/]+@)?([^:/]+):(?!\/)(.+)$/

const placeOf = (remote: string): RemotePlace | undefined => {
  const clean = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "")
  if (/^[a-z+]+:\/\//i.test(remote) && URL.canParse(remote)) {
    const url = new URL(remote)
    if (!["http:", "https:", "ssh:", "git:"].includes(url.protocol) || url.hostname === "") return undefined
    // Another protocol's port says nothing about where the host's API listens.
    const origin = url.protocol.startsWith("http") ? url.origin : `https://${url.hostname}`
    return { origin, host: url.hostname, path: clean(url.pathname) }
  }
  const [, host, path] = SCP_FORM.exec(remote) ?? []
  return host === undefined || path === undefined ? undefined : { origin: `https://${host}`, host, path: clean(path) }
}

/**
 * Where a git remote's code host serves its latest release as JSON with `tag_name`: GitHub, GitLab, and for every other
 * host the form shared by Gitea and Forgejo. `undefined` for a remote that isn't a host, such as a folder.
 */
export const releasesUrl = (remote: string): string | undefined => {
  const place = placeOf(remote)
  if (place === undefined || !place.path.includes("/")) return undefined
  if (place.host === "github.com") return `https://api.github.com/repos/${place.path}/releases/latest`
  if (/(^|\.)gitlab\./.test(place.host)) {
    return `${place.origin}/api/v4/projects/${encodeURIComponent(place.path)}/releases/permalink/latest`
  }
  return `${place.origin}/api/v1/repos/${place.path}/releases/latest`
}

/** The code host didn't name a release; `message` is a clause that says why. */
export class ReleasesUnknown extends Schema.TaggedError<ReleasesUnknown>()("ReleasesUnknown", failureFields) {}

export interface ReleasesShape {
  /** The latest published release on this git remote's code host, within 10 seconds. */
  readonly latest: (remote: string) => Effect.Effect<ReleaseTag, ReleasesUnknown>
}

const LIMIT = "10 seconds"

const Release = Schema.Struct({ tag_name: Schema.String })

const unknown = (why: Failure) => new ReleasesUnknown(why)

const refusal = (status: number): Failure => {
  if (status === 404) return failure("NO_RELEASE")
  return isRedirect(status) ? failure("RELEASES_REDIRECTED") : failure("RELEASES_FAILED", { status })
}

/** Published releases on the repository's code host. */
export class Releases extends Context.Service<Releases, ReleasesShape>()(
  "agent-console/services/machine/update/Releases"
) {
  static readonly layer = Layer.effect(
    Releases,
    Effect.gen(function* () {
      const target = yield* UpdateTarget
      const client = (yield* outgoingHttp).pipe(HttpClient.filterStatusOk)

      const latest = Effect.fn("Releases.latest")(function* (remote: string) {
        const url = target.releasesUrl ?? releasesUrl(remote)
        if (url === undefined) return yield* unknown(failure("NOT_A_CODE_HOST"))
        const request = HttpClientRequest.get(url).pipe(
          HttpClientRequest.acceptJson,
          HttpClientRequest.setHeader("user-agent", "agent-console")
        )
        const { tag_name } = yield* client.execute(request).pipe(
          Effect.flatMap(HttpClientResponse.schemaBodyJson(Release)),
          Effect.timeout(LIMIT),
          Effect.catchTags({
            TimeoutError: () => Effect.fail(unknown(failure("RELEASES_TIMED_OUT"))),
            SchemaError: () => Effect.fail(unknown(failure("NOT_A_RELEASE"))),
            HttpClientError: ({ reason }) =>
              Effect.fail(
                unknown(
                  reason._tag === "StatusCodeError" ? refusal(reason.response.status) : failure("CODE_HOST_UNREACHABLE")
                )
              )
          })
        )
        const tag = parseTag(tag_name)
        if (Option.isNone(tag)) return yield* unknown(failure("RELEASE_NAME"))
        return tag.value
      })

      return Releases.of({ latest })
    })
  )
}
