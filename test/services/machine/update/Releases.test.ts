import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { Releases } from "../../../../src/services/machine/update/Releases.ts"
import { UpdateTarget } from "../../../../src/services/machine/update/UpdateTarget.ts"

const REMOTE = "https://github.com/owner/name.git"

type Answer = { readonly status: number; readonly body: string } | "nothing" | "silence"

/** The latest release according to a code host with this response, and the requests to it. */
const latestFrom = (answer: Answer, releasesUrl?: string, remote = REMOTE) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const client = HttpClient.make((request, url) => {
      asked.push(url.href)
      if (answer === "silence") return Effect.never
      return answer === "nothing"
        ? Effect.fail(
            new HttpClientError.HttpClientError({
              reason: new HttpClientError.TransportError({ request, cause: "gone" })
            })
          )
        : Effect.succeed(HttpClientResponse.fromWeb(request, new Response(answer.body, { status: answer.status })))
    })
    const target = {
      directory: "/x",
      svcHome: "/y",
      address: "http://127.0.0.1:1",
      path: undefined,
      releasesUrl,
      allowedSigners: undefined
    }
    const result = yield* Effect.flatMap(Releases, ({ latest }) => latest(remote)).pipe(
      Effect.provide(
        Releases.layer.pipe(
          Layer.provide([Layer.succeed(UpdateTarget, target), Layer.succeed(HttpClient.HttpClient, client)])
        )
      ),
      Effect.match({ onFailure: ({ message }) => message, onSuccess: ({ tag }) => tag })
    )
    return { result, asked }
  })

const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) })

describe("the latest published release", () => {
  it.effect("comes from the code host of the git remote", () =>
    Effect.gen(function* () {
      const { result, asked } = yield* latestFrom(json({ tag_name: "v1.2.3", other: 1 }))
      assert.strictEqual(result, "v1.2.3")
      assert.deepStrictEqual(asked, ["https://api.github.com/repos/owner/name/releases/latest"])
    })
  )

  it.effect("comes from where a setting says instead", () =>
    Effect.gen(function* () {
      const { result, asked } = yield* latestFrom(
        json({ tag_name: "v2.0.0" }),
        "https://example.org/latest.json",
        "/srv/x"
      )
      assert.strictEqual(result, "v2.0.0")
      assert.deepStrictEqual(asked, ["https://example.org/latest.json"])
    })
  )

  it.effect.each([
    ["none", json({ message: "Not Found" }, 404), "the code host has no published release"],
    ["an overloaded host", json({}, 503), "the code host answered with status 503"],
    ["a host that redirects", json({}, 301), "set the git remote, or SVC_RELEASES_URL, to where it leads"],
    ["no network", "nothing", "couldn't reach the code host"],
    ["something else than JSON", { status: 200, body: "<html>" }, "the code host"],
    ["another form", json([]), "the code host's answer isn't a release"],
    ["a name that is no version", json({ tag_name: "nightly" }), "the latest published release isn't named vX.Y.Z"]
  ] as const)("is unknown with %s", ([, answer, part]) =>
    Effect.gen(function* () {
      assert.include((yield* latestFrom(answer)).result, part)
    })
  )

  it.effect("is unknown where the remote is a folder, and nobody is asked", () =>
    Effect.gen(function* () {
      const { result, asked } = yield* latestFrom(json({}), undefined, "/srv/git/name.git")
      assert.include(result, "isn't on a code host")
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("is waited for at most 10 seconds", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(latestFrom("silence"))
      yield* TestClock.adjust("10 seconds")
      assert.include((yield* Fiber.join(fiber)).result, "within 10 seconds")
    })
  )
})
