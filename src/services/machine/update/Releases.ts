import { Context, Effect, Layer, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { isRedirect } from "../../platform/outgoing/redirectRules.ts"
import { parseTag, type ReleaseTag, releasesUrl } from "./releaseRules.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

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
