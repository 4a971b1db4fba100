import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { readArchive } from "../../../../src/services/machine/backup/archive.ts"
import { Backups } from "../../../../src/services/machine/backup/Backups.ts"
import { backupFinding, lastBackup } from "../../../../src/services/machine/doctor/backupRules.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { PathLocks } from "../../../../src/services/platform/storage/PathLocks.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"
import { testSettings } from "../../../support/testSettings.ts"

/** An archive that somebody else put there. */
const FOREIGN = "19691231-000000.tar.gz"

const archivesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".gz"))
        .sort()
    : []

const running = Effect.fnUntraced(function* (backupEvery: number) {
  const folder = yield* temporaryDirectory
  const svcHome = join(folder, "svc")
  mkdirSync(svcHome)
  writeFileSync(join(svcHome, "gateways.json"), "[]\n")
  const backupDir = join(folder, "elsewhere")
  const settings = testSettings({ svcHome, backupDir, installDir: folder, backupEvery, backupKeep: 2 })
  yield* Layer.build(
    Backups.layer.pipe(
      Layer.provide(PathLocks.layer),
      Layer.provide(Settings.layerOf(settings)),
      Layer.provide(NodeServices.layer)
    )
  )
  return { backupDir, svcHome }
})

/** Real files take real time, however the clock of the test goes. */
const until = (isTrue: () => boolean) =>
  Effect.promise(async () => {
    for (let turn = 0; turn < 4000 && !isTrue(); turn += 1) await delay(5)
    assert.isTrue(isTrue())
  })

/** Lets the clock go on by minutes until something is true. */
const minutesUntil = Effect.fnUntraced(function* (isTrue: () => boolean) {
  for (let turn = 0; turn < 1000 && !isTrue(); turn += 1) {
    yield* TestClock.adjust("1 minute")
    yield* Effect.promise(() => delay(20))
  }
  assert.isTrue(isTrue())
})

describe("backups by themselves", () => {
  it.effect("are made every so many hours, and only so many of their own are kept", () =>
    Effect.gen(function* () {
      const { backupDir, svcHome } = yield* running(6)
      mkdirSync(backupDir)
      writeFileSync(join(backupDir, FOREIGN), "somebody else's")
      yield* until(() => existsSync(join(svcHome, "started-in.json")))
      assert.lengthOf(archivesIn(backupDir), 1)
      yield* minutesUntil(() => existsSync(join(svcHome, "automatic-backups.json")))
      const made = () => archivesIn(backupDir).filter((name) => name !== FOREIGN)
      const first = made()
      assert.lengthOf(first, 1)
      for (const hours of [6, 12]) {
        yield* TestClock.adjust("5 hours")
        yield* minutesUntil(() => (made().at(-1) ?? "") >= `19700101-${String(hours).padStart(2, "0")}0000`)
      }
      // None was made before its time, or the one before the last would be later.
      assert.match(made().at(-2) ?? "", /^19700101-0[6-9]/)
      yield* until(() => made().length === 2)
      assert.notInclude(made(), first[0])
      assert.include(archivesIn(backupDir), FOREIGN)
      const manifest = yield* readArchive(join(backupDir, made().at(-1) ?? ""))
      assert.deepStrictEqual(
        manifest.files.map(({ path }) => path),
        ["svc/gateways.json"]
      )
      assert.isDefined(yield* lastBackup(svcHome))
    })
  )

  it.effect("aren't made unless somebody wants them", () =>
    Effect.gen(function* () {
      const { backupDir, svcHome } = yield* running(0)
      yield* until(() => existsSync(join(svcHome, "started-in.json")))
      yield* TestClock.adjust("48 hours")
      assert.deepStrictEqual(archivesIn(backupDir), [])
      assert.isUndefined(yield* lastBackup(svcHome))
    })
  )
})

describe("the doctor", () => {
  const HOUR = 3_600_000
  it.each([
    [undefined, 0, "ok", "BACKUP_NONE"],
    [undefined, 6, "warning", "BACKUP_NONE"],
    [0, 0, "ok", "BACKUP_DAYS"],
    [99.5, 24, "ok", "BACKUP_FRESH"],
    [97, 24, "ok", "BACKUP_HOURS"],
    [90, 6, "warning", "BACKUP_HOURS"]
  ])("says how old the last backup is (%s h, every %s)", (last, every, state, code) => {
    const found = backupFinding(last === undefined ? undefined : last * HOUR, every, 100 * HOUR)
    assert.deepStrictEqual([found.state, found.why?.code], [state, code])
  })
})
