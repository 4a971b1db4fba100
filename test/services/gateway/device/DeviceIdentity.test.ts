import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, FileSystem, Layer } from "effect"
import { DeviceIdentity } from "../../../../src/services/gateway/device/DeviceIdentity.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { testSettings } from "../../../support/testSettings.ts"

const PERMISSIONS = 0o777

const start = (svcHome: string) =>
  Layer.build(Layer.fresh(DeviceIdentity.layer)).pipe(
    Effect.provideService(Settings, testSettings({ svcHome })),
    Effect.map((context) => Context.get(context, DeviceIdentity).deviceId),
    Effect.scoped
  )

const withHome = <E>(
  test: (home: string, fs: FileSystem.FileSystem) => Effect.Effect<void, E, NodeServices.NodeServices>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const home = `${yield* fs.makeTempDirectoryScoped()}/home`
    yield* test(home, fs)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

it.effect("the first start makes the identity, the next ones keep it", () =>
  withHome((home) =>
    Effect.gen(function* () {
      const first = yield* start(home)
      assert.match(first, /^[0-9a-f]{64}$/)
      assert.strictEqual(yield* start(home), first)
    })
  )
)

it.effect("file 0600 in a directory 0700, nothing else beside it", () =>
  withHome((home, fs) =>
    Effect.gen(function* () {
      yield* start(home)
      assert.strictEqual((yield* fs.stat(home)).mode & PERMISSIONS, 0o700)
      assert.strictEqual((yield* fs.stat(`${home}/device-identity.json`)).mode & PERMISSIONS, 0o600)
      assert.deepStrictEqual(yield* fs.readDirectory(home), ["device-identity.json"])
    })
  )
)

it.effect("permissions that were loosened are tightened at the next start", () =>
  withHome((home, fs) =>
    Effect.gen(function* () {
      yield* start(home)
      yield* fs.chmod(`${home}/device-identity.json`, 0o644)
      yield* start(home)
      assert.strictEqual((yield* fs.stat(`${home}/device-identity.json`)).mode & PERMISSIONS, 0o600)
    })
  )
)

it.live("starts at the same moment end with one identity", () =>
  withHome((home) =>
    Effect.gen(function* () {
      const ids = yield* Effect.all(
        Array.from({ length: 20 }, () => start(home)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(ids).size, 1)
      assert.strictEqual(yield* start(home), ids[0])
    })
  )
)

it.live("a damaged file is set aside with its time stamp and replaced, also by starts at the same moment", () =>
  withHome((home, fs) =>
    Effect.gen(function* () {
      yield* start(home)
      yield* fs.writeFileString(`${home}/device-identity.json`, '{"version":1,')
      const ids = yield* Effect.all(
        Array.from({ length: 20 }, () => start(home)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(ids).size, 1)
      assert.strictEqual(yield* start(home), ids[0])
      const names = (yield* fs.readDirectory(home)).toSorted()
      assert.strictEqual(names.length, 2)
      assert.match(names[1] ?? "", /^device-identity\.json\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/)
      assert.strictEqual(yield* fs.readFileString(`${home}/${names[1]}`), '{"version":1,')
    })
  )
)

it.live("a process that is killed at any step leaves an identity that the next start can use", () =>
  withHome((home, fs) =>
    Effect.gen(function* () {
      /** A file system whose process dies before its n-th change; nothing it does afterwards has an effect. */
      const dyingAt = (step: number) => {
        let changes = 0
        const guard = <A, E>(change: Effect.Effect<A, E>): Effect.Effect<A, E> =>
          Effect.suspend(() => (++changes >= step ? Effect.die("killed") : change))
        return {
          changes: () => changes,
          fs: FileSystem.FileSystem.of({
            ...fs,
            makeDirectory: (path, options) => guard(fs.makeDirectory(path, options)),
            open: (path, options) => Effect.andThen(guard(Effect.void), fs.open(path, options)),
            chmod: (path, mode) => guard(fs.chmod(path, mode)),
            link: (from, to) => guard(fs.link(from, to)),
            rename: (from, to) => guard(fs.rename(from, to)),
            remove: (path, options) => guard(fs.remove(path, options))
          })
        }
      }
      const damaged = '{"version":1'
      for (const before of [undefined, damaged]) {
        let step = 1
        for (; step < 50; step++) {
          const place = `${home}-${before === undefined ? "new" : "damaged"}-${step}`
          if (before !== undefined) {
            yield* fs.makeDirectory(place, { recursive: true })
            yield* fs.writeFileString(`${place}/device-identity.json`, before)
          }
          const dying = dyingAt(step)
          const killed = yield* Effect.exit(start(place).pipe(Effect.provideService(FileSystem.FileSystem, dying.fs)))
          const id = yield* start(place)
          assert.strictEqual(yield* start(place), id)
          if (Exit.isSuccess(killed)) assert.strictEqual(killed.value, id)
          if (dying.changes() < step) break
        }
        assert.isAbove(step, 5)
        assert.isBelow(step, 50)
      }
    })
  )
)

it.effect("a home that cannot be used is one sentence without a path", () =>
  withHome((home, fs) =>
    Effect.gen(function* () {
      yield* fs.writeFileString(home, "a file where the directory should be")
      const error = yield* Effect.flip(start(home))
      assert.strictEqual(error._tag, "DeviceIdentityError")
      assert.include(error.message, "SVC_HOME")
      assert.notInclude(error.message, home)
    })
  )
)
