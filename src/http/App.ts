import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { AgentLogHandlers } from "./agentlog/AgentLogHandlers.ts"
import { AuthHandlers } from "./auth/AuthHandlers.ts"
import { BoardHandlers } from "./board/BoardHandlers.ts"
import { CronsHandlers } from "./crons/CronsHandlers.ts"
import { DocsRoutes } from "./docs/DocsRoutes.ts"
import { DoctorHandlers } from "./doctor/DoctorHandlers.ts"
import { DocumentsHandlers } from "./documents/DocumentsHandlers.ts"
import { EventRoutes } from "./events/EventRoutes.ts"
import { FilesHandlers } from "./files/FilesHandlers.ts"
import { GatewayOpsHandlers } from "./gateway-ops/GatewayOpsHandlers.ts"
import { GitHandlers } from "./git/GitHandlers.ts"
import { ImagesHandlers } from "./images/ImagesHandlers.ts"
import { LanguageHandlers } from "./language/LanguageHandlers.ts"
import { LimitsHandlers } from "./limits/LimitsHandlers.ts"
import { MemoryHandlers } from "./memory/MemoryHandlers.ts"
import { MetricsRoute } from "./metrics/MetricsRoute.ts"
import { authentication } from "./middleware/authentication.ts"
import { bodyLimit } from "./middleware/bodyLimit.ts"
import { cacheHeaders } from "./middleware/cacheHeaders.ts"
import { clientAddress } from "./middleware/clientAddress.ts"
import { compression } from "./middleware/compression.ts"
import { cors } from "./middleware/cors.ts"
import { closeExchange, openExchange } from "./middleware/Exchange.ts"
import { errors } from "./middleware/errors.ts"
import { jsonBodies } from "./middleware/jsonBodies.ts"
import type { Next } from "./middleware/Middleware.ts"
import { originCheck } from "./middleware/originCheck.ts"
import { rateLimit } from "./middleware/rateLimit.ts"
import { requestLog } from "./middleware/requestLog.ts"
import { requestMetrics } from "./middleware/requestMetrics.ts"
import { securityHeaders } from "./middleware/securityHeaders.ts"
import { PhrasesHandlers } from "./phrases/PhrasesHandlers.ts"
import { ProxyRoute } from "./proxy/ProxyRoute.ts"
import { RecordedRouter, RouteTable } from "./RouteTable.ts"
import { SkillsHandlers } from "./skills/SkillsHandlers.ts"
import { StaticRoutes } from "./static/StaticRoutes.ts"
import { SttHandlers } from "./stt/SttHandlers.ts"
import { SystemHandlers } from "./system/SystemHandlers.ts"
import { TtsHandlers } from "./tts/TtsHandlers.ts"
import { UsageHandlers } from "./usage/UsageHandlers.ts"

/**
 * What every request passes, in this order, before it reaches a route (SPEC "Global middleware order"). The security
 * headers stand before CORS, which answers preflights itself: those carry them too.
 */
const middleware = Effect.all([
  requestMetrics,
  errors,
  requestLog,
  securityHeaders,
  cors,
  clientAddress,
  originCheck,
  rateLimit,
  authentication,
  bodyLimit,
  jsonBodies,
  compression,
  cacheHeaders
])

const Middleware = HttpRouter.middleware<{ handles: HttpServerError.HttpServerError }>()(
  Effect.map(middleware, (steps) => (handle) => {
    const answer = steps.reduceRight<Next>(
      (next, step) => step(next),
      () => handle
    )
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const exchange = openExchange(request)
      return Effect.flatMap(answer(exchange), (response) => closeExchange(exchange, response))
    })
  }),
  { global: true }
)

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    SystemHandlers,
    AuthHandlers,
    BoardHandlers,
    MemoryHandlers,
    DocumentsHandlers,
    FilesHandlers,
    ImagesHandlers,
    GitHandlers,
    AgentLogHandlers,
    GatewayOpsHandlers,
    CronsHandlers,
    SkillsHandlers,
    UsageHandlers,
    LimitsHandlers,
    LanguageHandlers,
    PhrasesHandlers,
    TtsHandlers,
    DoctorHandlers,
    SttHandlers
  ])
)

/** Routes beside the contract: streams, upgrades, files. */
const RawRoutes = Layer.mergeAll(ProxyRoute, EventRoutes, DocsRoutes, MetricsRoute, StaticRoutes)

/** Every route behind every middleware. */
export const App = Layer.mergeAll(ApiRoutes, RawRoutes).pipe(
  Layer.provideMerge(Middleware),
  Layer.provide(RecordedRouter),
  Layer.provide(RouteTable.layer)
)
