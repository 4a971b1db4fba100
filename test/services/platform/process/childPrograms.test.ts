import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema, type Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { GatewayCli } from "../../../../src/services/gateway/client/GatewayCli.ts"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { Doctor } from "../../../../src/services/machine/doctor/Doctor.ts"
import { Commands } from "../../../../src/services/machine/update/Commands.ts"
import { Processes } from "../../../../src/services/machine/update/Processes.ts"
import { UpdateReport } from "../../../../src/services/machine/update/UpdateReport.ts"
import { UpdateTarget } from "../../../../src/services/machine/update/UpdateTarget.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { readAgentBLimits } from "../../../../src/services/usage/limits/agentBLimits.ts"
import { convertFile, convertToMp3 } from "../../../../src/services/voice/audio/audioTool.ts"
import { wavHeader } from "../../../../src/services/voice/audio/wav.ts"
import { recogniseLocally } from "../../../../src/services/voice/stt/localRecogniser.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { consoleVariables, SECRET, seenIn, spyProgram } from "../../../support/spyProgram.ts"
import { testSettings } from "../../../support/testSettings.ts"

/** Sets variables of this process for the rest of the scope. */
const withVariables = (variables: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = new Map(Object.keys(variables).map((name) => [name, process.env[name]]))
      Object.assign(process.env, variables)
      return before
    }),
    (before) =>
      Effect.sync(() => {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
      })
  )

const target = (folder: string) =>
  Layer.succeed(UpdateTarget, {
    directory: folder,
    svcHome: folder,
    address: "",
    path: process.env.PATH,
    releasesUrl: undefined,
    allowedSigners: undefined
  })

const commandsIn = (folder: string) =>
  Commands.layer.pipe(
    Layer.provideMerge(Processes.layer),
    Layer.provide([Layer.mock(UpdateReport, { detail: () => Effect.void }), target(folder)]),
    Layer.provide(NodeServices.layer)
  )

const machineRun = (program: string) => (folder: string) =>
  Effect.flatMap(Commands, (commands) => commands.run({ program, args: [], timeLimit: "20 seconds" })).pipe(
    Effect.provide(commandsIn(folder))
  )

const gatewayTool = (folder: string) =>
  Effect.flatMap(GatewayCli, (tool) => tool.json(["any"], Schema.Unknown)).pipe(
    Effect.provide(
      GatewayCli.layer.pipe(
        Layer.provide(Settings.layerOf(testSettings({ gatewayCli: "openclaw", gatewayHome: folder }))),
        Layer.provide(NodeServices.layer)
      )
    )
  )

const doctor = (folder: string) =>
  Effect.flatMap(Doctor, ({ examine }) => examine).pipe(
    Effect.provide(
      Doctor.layer.pipe(
        Layer.provide(
          Layer.mock(GatewayClient, {
            status: Effect.succeed({ gateway: "ok" as const, since: 0 }),
            connection: Effect.undefined
          })
        ),
        Layer.provide(Settings.layerOf(testSettings({ ffmpegCommand: "ffmpeg", svcHome: folder, port: 0 }))),
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(NodeServices.layer)
      )
    )
  )

const recogniser = (folder: string) =>
  Effect.gen(function* () {
    const recording = join(folder, "recording.wav")
    // Loud enough to be heard: silence needs no recogniser.
    const sound = Buffer.from(Int16Array.from({ length: 16_000 }, (_, at) => 12_000 * Math.sin(at / 8)).buffer)
    writeFileSync(recording, Buffer.concat([wavHeader(16_000), sound]))
    // The recogniser is a program that this Node runs.
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        const node = process.execPath
        process.execPath = join(folder, "node")
        return node
      }),
      (node) =>
        Effect.sync(() => {
          process.execPath = node
        })
    )
    yield* recogniseLocally({ ffmpeg: "ffmpeg", model: "none", recording, language: "en" }).pipe(
      Effect.provide(NodeServices.layer)
    )
  })

/** Every program that a service starts, with what starts it; those of `git` in repositories have a test of their own. */
const PROGRAMS: ReadonlyArray<
  readonly [
    program: string,
    starter: string,
    start: (folder: string) => Effect.Effect<unknown, unknown, Scope.Scope | NodeServices.NodeServices>
  ]
> = [
  ["openclaw", "the gateway's tool", gatewayTool],
  ["claude", "agent B's limits", (folder) => readAgentBLimits(testSettings({ svcHome: folder }))],
  ["ffmpeg", "converting a recording", () => convertFile("ffmpeg", ["-i", "in", "out"])],
  ["ffmpeg", "converting a voice", () => convertToMp3("ffmpeg", new Uint8Array(8))],
  ["ffmpeg", "the doctor", doctor],
  ["node", "the recogniser", recogniser],
  ["git", "the updater", machineRun("git")],
  ["npm", "the updater", machineRun("npm")],
  ["systemctl", "the service manager", machineRun("systemctl")]
]

describe("a program that the console starts has PATH and HOME, and nothing of the console's own:", () => {
  it.live.each(PROGRAMS)("%s, for %s", ([program, , start]) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      spyProgram(folder, program)
      const path = `${folder}:${process.env.PATH}`
      yield* withVariables({ ...consoleVariables(), PATH: path, HOME: folder })
      yield* Effect.exit(start(folder))
      const files = readdirSync(folder).filter((name) => name.endsWith(".seen"))
      assert.isAbove(files.length, 0, "it was never started")
      for (const file of files) {
        const seen = seenIn(join(folder, file)) ?? {}
        assert.strictEqual(seen.PATH, path)
        assert.strictEqual(seen.HOME, folder)
        const leaked = Object.keys(seen).filter((name) => name in consoleVariables() || seen[name]?.includes(SECRET))
        assert.deepStrictEqual(leaked, [])
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
