import { NodeHttpPlatform, NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, type Scope } from "effect"
import { Etag, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { App } from "../../src/http/App.ts"
import { Services } from "../../src/layers/Main.ts"
import { Settings, type SettingsShape } from "../../src/services/settings/Settings.ts"
import { testSettings } from "./testSettings.ts"

const Platform = Layer.mergeAll(NodeHttpPlatform.layer, Etag.layerWeak).pipe(Layer.provideMerge(NodeServices.layer))

/** The whole app in memory, on the test's own clock. */
export interface TestApp {
  readonly settings: SettingsShape
  /** Sends one request through every middleware; the body of the answer may be read as often as needed. */
  readonly request: (path: string, init?: RequestInit) => Effect.Effect<Response, never, Scope.Scope>
}

/** A fresh directory for what the app keeps, removed with the test's scope. */
const temporaryHome = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(NodeServices.layer),
  Effect.orDie
)

/** Builds the app with the given settings; services come from the production graph (`Services`). */
export const makeApp = Effect.fnUntraced(function* (overrides: Partial<SettingsShape> = {}) {
  const settings = testSettings({ svcHome: yield* temporaryHome, ...overrides })
  const context = yield* Layer.build(
    Services.pipe(Layer.provideMerge(Settings.layerOf(settings)), Layer.provideMerge(Platform))
  )
  const handler = yield* HttpRouter.toHttpEffect(App).pipe(Effect.provideContext(context))
  const request: TestApp["request"] = (path, init) =>
    handler.pipe(
      Effect.provideContext(context),
      Effect.provideService(
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request(new URL(path, "http://127.0.0.1:3080"), init))
      ),
      Effect.map((response) => HttpServerResponse.toWeb(response)),
      Effect.orDie
    )
  return { settings, request } satisfies TestApp
})
