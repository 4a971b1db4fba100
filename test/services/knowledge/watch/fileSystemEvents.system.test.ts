import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, PubSub, Schedule } from "effect"
import type { PublishedEvent } from "../../../../src/contract/ConsoleEvent.ts"
import { FileWatcher, isWithoutEvents, missesChanges } from "../../../../src/services/knowledge/watch/FileWatcher.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { fileServices, temporaryFolder } from "../../../support/fileServices.ts"

const canBind = (() => {
  try {
    execFileSync("bindfs", ["--version"], { stdio: "ignore" })
    execFileSync("test", ["-w", "/dev/fuse"])
    return true
  } catch {
    return false
  }
})()

if (!canBind) console.log("skipped: this system has no bindfs, or no /dev/fuse to use it with")

/** A second mount of a folder by a program; watchers of the mount aren't notified of changes in the folder itself. */
const bound = (folder: string, view: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(view, { recursive: true })
      return spawn("bindfs", ["-f", folder, view], { stdio: "ignore" })
    }).pipe(
      Effect.tap(
        Effect.repeat(missesChanges([view]), { schedule: Schedule.spaced("20 millis"), until: (isThere) => isThere })
      )
    ),
    (child) =>
      Effect.promise(
        () =>
          new Promise((resolve) => {
            child.on("exit", resolve)
            child.kill("SIGTERM")
          })
      )
  )

describe("file systems without events", () => {
  it("are those of networks, programs and shared folders", () => {
    const [fuse, nfs, cifs, ext4, btrfs, tmpfs, overlay] = [
      0x65735546, 0x6969, 0xff534d42, 0xef53, 0x9123683e, 0x01021994, 0x794c7630
    ]
    for (const type of [fuse, nfs, cifs, cifs - 2 ** 32]) assert.isTrue(isWithoutEvents(type), type.toString(16))
    for (const type of [ext4, btrfs, tmpfs, overlay]) assert.isFalse(isWithoutEvents(type), type.toString(16))
  })

  it.live.skipIf(!canBind)("are looked at once a second (needs bindfs and /dev/fuse)", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const services = Layer.mergeAll(EventBus.layer, fileServices(folder))
      yield* Effect.gen(function* () {
        const workspace = `${(yield* Settings).gatewayHome}/workspace`
        const behind = `${folder}/behind`
        mkdirSync(behind)
        writeFileSync(`${behind}/MEMORY.md`, "## General\n- old\n")
        yield* bound(behind, workspace)
        const subscription = yield* (yield* EventBus).subscribe
        yield* Layer.build(FileWatcher)
        const isMemory = ({ event }: PublishedEvent) => event === "memory.changed"
        const heard: Effect.Effect<PublishedEvent> = Effect.flatMap(PubSub.take(subscription), (event) =>
          isMemory(event) ? Effect.succeed(event) : heard
        )
        let count = 0
        const change = Effect.sync(() => writeFileSync(`${behind}/MEMORY.md`, `## General\n- new ${count++}\n`))
        const event = yield* Effect.raceFirst(heard, Effect.forever(Effect.andThen(change, Effect.sleep("500 millis"))))
        assert.deepInclude(event.data, { action: "updated", file: "MEMORY.md" })
      }).pipe(Effect.provide(services))
    }).pipe(Effect.scoped)
  )
})
