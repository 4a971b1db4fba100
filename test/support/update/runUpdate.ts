import { NodeServices } from "@effect/platform-node"
import { Effect, Exit, Layer, Ref } from "effect"
import { FetchHttpClient } from "effect/http"
import { UpdateMachinery, UpdaterOn } from "../../../src/layers/Updates.ts"
import { Machine } from "../../../src/services/machine/update/Preflight.ts"
import { Processes } from "../../../src/services/machine/update/Processes.ts"
import { UpdateReport } from "../../../src/services/machine/update/UpdateReport.ts"
import { type UpdateOptions, Updater } from "../../../src/services/machine/update/Updater.ts"
import { UpdateTarget } from "../../../src/services/machine/update/UpdateTarget.ts"
import { HealthPatience } from "../../../src/services/machine/update/updateSteps.ts"
import type { UpdateHome } from "./updateHome.ts"

const OPTIONS: UpdateOptions = { version: undefined, yes: true, dryRun: false, rollback: false, restart: true }

/** A machine with room for everything, whatever disk the test runs on. */
export const roomyMachine: Machine["Service"] = {
  freeBytes: () => Effect.succeed(1e12),
  user: process.getuid?.(),
  nodeVersion: process.versions.node
}

/** The replaceable parts. */
export interface Replaced {
  readonly machine?: Machine["Service"]
  readonly answer?: boolean | undefined
  readonly releasesUrl?: string
  readonly allowedSigners?: string
  readonly machinery?: typeof UpdateMachinery
}

/** Runs an update in this process, on the real programs; returns its exit code and its output. */
export const runUpdate = (home: UpdateHome, options: Partial<UpdateOptions> = {}, replaced: Replaced = {}) =>
  Effect.gen(function* () {
    const told = yield* Ref.make<ReadonlyArray<string>>([])
    const say = (line: string) => Ref.update(told, (lines) => [...lines, line])
    const report = Layer.succeed(UpdateReport, {
      say,
      warn: say,
      detail: () => Effect.void,
      step: (title, effect) => Effect.andThen(say(title), effect),
      confirm: (question) => Effect.as(say(question), replaced.answer)
    })
    const target = Layer.succeed(UpdateTarget, {
      directory: home.directory,
      svcHome: home.svcHome,
      address: home.address,
      path: home.programs.path,
      releasesUrl: replaced.releasesUrl,
      allowedSigners: replaced.allowedSigners
    })
    const machinery = Layer.merge(
      replaced.machinery ?? UpdateMachinery,
      Layer.succeed(Machine, replaced.machine ?? roomyMachine)
    )
    const exit = yield* Effect.flatMap(Updater, (updater) => updater.run({ ...OPTIONS, ...options })).pipe(
      Effect.provide(
        UpdaterOn.pipe(
          Layer.provide(machinery),
          Layer.provide(Processes.layer),
          Layer.provide(target),
          Layer.provide(report),
          Layer.provide(FetchHttpClient.layer),
          Layer.provide(NodeServices.layer)
        )
      ),
      Effect.provideService(HealthPatience, { pauses: ["50 millis"], deadline: "1 second" }),
      Effect.exit
    )
    const lines = yield* Ref.get(told)
    return { exit, told: lines.join("\n"), outcome: Exit.isSuccess(exit) ? exit.value : undefined }
  })
