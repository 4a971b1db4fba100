import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import manifest from "../../../../package.json" with { type: "json" }
import { reasonOf } from "../../../../src/contract/failure.ts"
import { parseTag, Releases, ReleasesUnknown } from "../../../../src/services/machine/update/Releases.ts"
import { UpdateCheck } from "../../../../src/services/machine/update/UpdateCheck.ts"
import { NO_CHECKOUT, NO_REMOTE, UpdateTarget } from "../../../../src/services/machine/update/UpdateTarget.ts"
import { git } from "../../../support/update/product.ts"

const release = (tag: string) => Option.getOrThrow(parseTag(tag))

/** A check whose code host answers what the test says; counts how often it was asked, and by which remote. */
const makeCheck = Effect.fnUntraced(
  function* (
    answer: Effect.Effect<ReturnType<typeof release>, ReleasesUnknown>,
    options: { readonly directory?: string; readonly releasesUrl?: string } = {}
  ) {
    const asked = yield* Ref.make<ReadonlyArray<string>>([])
    const fs = yield* FileSystem.FileSystem
    const directory = options.directory ?? (yield* fs.makeTempDirectoryScoped())
    const context = yield* Layer.build(
      UpdateCheck.layer.pipe(
        Layer.provide(
          Layer.succeed(Releases, {
            latest: (remote) => Ref.update(asked, (list) => [...list, remote]).pipe(Effect.andThen(answer))
          })
        ),
        Layer.provide(
          Layer.succeed(UpdateTarget, {
            directory,
            svcHome: directory,
            address: "http://127.0.0.1:3080",
            path: undefined,
            releasesUrl: options.releasesUrl,
            allowedSigners: undefined
          })
        )
      )
    )
    const { check } = yield* Effect.provideContext(UpdateCheck, context)
    return { check, asked: Ref.get(asked) }
  },
  Effect.provide(NodeServices.layer, { local: true })
)

const SOURCE = { releasesUrl: "https://releases.invalid/latest" }

it.effect("reports a newer version, and asks again only after six hours", () =>
  Effect.gen(function* () {
    const { check, asked } = yield* makeCheck(Effect.succeed(release("v999.1.0")), SOURCE)
    assert.deepStrictEqual(yield* check, {
      current: manifest.version,
      latest: "999.1.0",
      updateAvailable: true,
      installable: false,
      ...reasonOf(NO_CHECKOUT),
      checkedAt: 0
    })
    yield* Effect.all([check, check], { concurrency: 2 })
    yield* TestClock.adjust("5 hours")
    yield* check
    assert.strictEqual((yield* asked).length, 1)
    yield* TestClock.adjust("2 hours")
    yield* check
    assert.strictEqual((yield* asked).length, 2)
  })
)

it.effect("is quiet where this is the newest version", () =>
  Effect.gen(function* () {
    const { check } = yield* makeCheck(Effect.succeed(release(`v${manifest.version}`)), SOURCE)
    const { latest, updateAvailable } = yield* check
    assert.deepStrictEqual([latest, updateAvailable], [manifest.version, false])
  })
)

it.effect("says why it does not know, and tries again after five minutes", () =>
  Effect.gen(function* () {
    const away = new ReleasesUnknown({ message: "couldn't reach the code host" })
    const { check, asked } = yield* makeCheck(Effect.fail(away), SOURCE)
    const { latest, reason } = yield* check
    assert.deepStrictEqual([latest, reason], [null, "couldn't reach the code host"])
    yield* TestClock.adjust("6 minutes")
    yield* check
    assert.strictEqual((yield* asked).length, 2)
  })
)

it.live("asks the code host of the checkout's remote; without either it says so, and offers no installing", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* fs.makeTempDirectoryScoped()
    const without = yield* makeCheck(Effect.succeed(release("v9.0.0")), { directory })
    assert.deepInclude(yield* without.check, { latest: null, installable: false, ...reasonOf(NO_CHECKOUT) })
    assert.deepStrictEqual(yield* without.asked, [])
    git(directory, "init", "--quiet")
    const local = yield* makeCheck(Effect.succeed(release("v9.0.0")), { directory })
    assert.deepInclude(yield* local.check, { latest: null, installable: false, ...reasonOf(NO_REMOTE) })
    const elsewhere = yield* makeCheck(Effect.succeed(release("v9.0.0")), { directory, ...SOURCE })
    assert.deepInclude(yield* elsewhere.check, { latest: "9.0.0", installable: false, ...reasonOf(NO_REMOTE) })
    git(directory, "remote", "add", "origin", "https://code.invalid/some/console.git")
    const { check, asked } = yield* makeCheck(Effect.succeed(release("v9.0.0")), { directory })
    const found = yield* check
    assert.deepInclude(found, { latest: "9.0.0", installable: true })
    assert.notProperty(found, "reason")
    assert.deepStrictEqual(yield* asked, ["https://code.invalid/some/console.git"])
  }).pipe(Effect.provide(NodeServices.layer))
)
