import { Context, Effect, FiberHandle, FileSystem, Layer, Path, Ref } from "effect"
import { failure } from "../../../contract/failures.ts"
import type { AvailableModel, DownloadChange, ModelDownload, SttModelId } from "../../../contract/schema/voice.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { mayReach, outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { isMultilingual, MODEL_SIZES, ModelFiles, modelFileName } from "./SttSettings.ts"

export interface SttModelsShape {
  readonly pathOf: (model: SttModelId) => string
  /** Whether the model's file is complete. */
  readonly isReady: (model: SttModelId) => Effect.Effect<boolean>
  readonly available: Effect.Effect<Readonly<Record<SttModelId, AvailableModel>>>
  readonly download: Effect.Effect<ModelDownload | null>
  /** Whether models can be downloaded; false in the demo, which sends no requests to other machines. */
  readonly canDownload: boolean
  /** Downloads a model in the background unless it's installed, downloading or unavailable; pauses another download. */
  readonly ensure: (model: SttModelId) => Effect.Effect<void>
  /** Deletes a file that isn't a valid model. */
  readonly discard: (model: SttModelId) => Effect.Effect<void>
}

/** The reason for a failed download. */
export const NO_DOWNLOAD = failure("HEARING_OFF_IN_DEMO")

const DIRECTORY_MODE = 0o700

/** The local speech models in STT_MODEL_DIR, downloaded when needed. */
export class SttModels extends Context.Service<SttModels, SttModelsShape>()(
  "agent-console/services/voice/stt/SttModels"
) {
  static readonly layer = Layer.effect(
    SttModels,
    Effect.gen(function* () {
      const settings = yield* Settings
      const files = yield* ModelFiles
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const client = yield* outgoingHttp
      const bus = yield* EventBus
      const flight = yield* FiberHandle.make()
      const state = yield* Ref.make<ModelDownload | null>(null)

      const pathOf = (model: SttModelId) => paths.join(settings.sttModelDir, modelFileName(model))

      const isReady = (model: SttModelId) =>
        fs.stat(pathOf(model)).pipe(
          Effect.map((info) => info.type === "File" && Number(info.size) === files[model].bytes),
          Effect.orElseSucceed(() => false)
        )

      const entry = (model: SttModelId) =>
        Effect.map(isReady(model), (ready) => ({
          size: MODEL_SIZES[model],
          ready,
          multilingual: isMultilingual(model)
        }))
      const available = Effect.all({
        tiny: entry("tiny"),
        base: entry("base"),
        small: entry("small"),
        "tiny.en": entry("tiny.en"),
        "base.en": entry("base.en"),
        "small.en": entry("small.en")
      })

      const announce = (data: DownloadChange) => bus.publish({ event: "stt.download", data })
      const publish = (next: ModelDownload) => Effect.andThen(Ref.set(state, next), announce(next))

      const run = Effect.fn("SttModels.download")(
        function* (model: SttModelId) {
          const { fetchModel } = yield* Effect.promise(() => import("./fetchModel.ts"))
          const file = files[model]
          const totalBytes = file.bytes
          const at = (receivedBytes: number, status: ModelDownload["status"]): ModelDownload => ({
            model,
            status,
            receivedBytes,
            totalBytes,
            percent: Math.floor((receivedBytes / totalBytes) * 100)
          })
          const progress = Effect.fnUntraced(function* (received: number, status: "downloading" | "verifying") {
            const next = at(received, status)
            const last = yield* Ref.get(state)
            if (last?.percent !== next.percent || last.status !== status) yield* publish(next)
          })
          const path = pathOf(model)
          yield* Ref.set(state, null)
          yield* Effect.ignore(fs.makeDirectory(settings.sttModelDir, { recursive: true, mode: DIRECTORY_MODE }))
          yield* fetchModel(client, {
            url: `${settings.sttModelBaseUrl}/${modelFileName(model)}`,
            path,
            file,
            progress
          })
          yield* Ref.set(state, null)
          yield* announce({ ...at(totalBytes, "verifying"), status: "done" })
        },
        (download, model) =>
          Effect.catchTag(download, "DownloadFailed", ({ message }) =>
            Effect.gen(function* () {
              const last = yield* Ref.get(state)
              const { receivedBytes = 0, percent = 0 } = last ?? {}
              yield* Effect.logWarning(`Couldn't download the speech model ${model}: ${message}`)
              yield* publish({
                model,
                status: "failed",
                receivedBytes,
                totalBytes: files[model].bytes,
                percent,
                error: message
              })
            })
          )
      )

      const canDownload = mayReach(settings, settings.sttModelBaseUrl)

      const ensure = Effect.fn("SttModels.ensure")(function* (model: SttModelId) {
        if (yield* isReady(model)) return
        if (!canDownload) {
          const totalBytes = files[model].bytes
          return yield* publish({
            model,
            status: "failed",
            receivedBytes: 0,
            totalBytes,
            percent: 0,
            error: NO_DOWNLOAD.message
          })
        }
        const current = yield* Ref.get(state)
        const isUnderWay = current?.model === model && current.status !== "failed"
        yield* FiberHandle.run(flight, run(model).pipe(Effect.provideService(FileSystem.FileSystem, fs)), {
          onlyIfMissing: isUnderWay
        })
      })

      return SttModels.of({
        pathOf,
        isReady,
        available,
        download: Ref.get(state),
        canDownload,
        ensure,
        discard: (model) => Effect.ignore(fs.remove(pathOf(model), { force: true }))
      })
    })
  )
}
