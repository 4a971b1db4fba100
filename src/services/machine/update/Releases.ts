import { Context, Effect, Layer, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { isRedirect } from "../../platform/outgoing/redirectRules.ts"
import { parseTag, type ReleaseTag, releasesUrl } from "./releaseRules.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

/** The code host didn't name a release; `message` is a clause that says why. */
export class ReleasesUnknown extends Schema.TaggedError<ReleasesUnknown>()("ReleasesUnknown", {
  message: Schema.String
}) {}

export interface ReleasesShape {
  /** The latest published release on this git remote's code host, within 10 seconds. */
  readonly latest: (remote: string) => Effect.Effect<ReleaseTag, ReleasesUnknown>
}

const LIMIT = "10 seconds"

const Release = Schema.Struct({ tag_name: Schema.String })

const unknown = (message: string) => new ReleasesUnknown({ message })

const refusal = (status: number): string => {
  if (status === 404) return "the code host has no published release"
  return isRedirect(status)
    ? "the code host answers with a redirect: set the git remote, or SVC_RELEASES_URL, to where it leads"
    : `the code host answered with status ${status}`
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
        if (url === undefined) return yield* unknown("the git remote isn't on a code host")
        const request = HttpClientRequest.get(url).pipe(
          HttpClientRequest.acceptJson,
          HttpClientRequest.setHeader("user-agent", "agent-console")
        )
        const { tag_name } = yield* client.execute(request).pipe(
          Effect.flatMap(HttpClientResponse.schemaBodyJson(Release)),
          Effect.timeout(LIMIT),
          Effect.catchTags({
            TimeoutError: () => Effect.fail(unknown("the code host didn't answer within 10 seconds")),
            SchemaError: () => Effect.fail(unknown("the code host's answer isn't a release")),
            HttpClientError: ({ reason }) =>
              Effect.fail(
                unknown(
                  reason._tag === "StatusCodeError" ? refusal(reason.response.status) : "couldn't reach the code host"
                )
              )
          })
        )
        const tag = parseTag(tag_name)
        if (Option.isNone(tag)) return yield* unknown("the latest published release isn't named vX.Y.Z")
        return tag.value
      })

      return Releases.of({ latest })
    })
  )
}
