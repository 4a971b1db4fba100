import "./sourceDefines.mjs"
import { Effect, FileSystem, Layer, PubSub } from "effect"
import { FileWatcher } from "../../src/services/knowledge/watch/FileWatcher.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { fileServices } from "./fileServices.ts"

// Watches the folder named on the command line, saves a document again and again, and ends with the first event.
const folder = process.argv[2] ?? ""

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const workspace = `${(yield* Settings).gatewayHome}/workspace`
  yield* fs.makeDirectory(`${workspace}/memory`, { recursive: true })
  const events = yield* (yield* EventBus).subscribe
  yield* Layer.build(FileWatcher)
  const save = Effect.forever(
    Effect.andThen(fs.writeFileString(`${workspace}/SOUL.md`, "x"), Effect.sleep("300 millis"))
  )
  const event = yield* Effect.raceFirst(PubSub.take(events), save)
  yield* Effect.sync(() => process.stdout.write(`EVENT ${event.event}\n`))
})

Effect.runFork(program.pipe(Effect.scoped, Effect.provide(Layer.mergeAll(EventBus.layer, fileServices(folder)))))
