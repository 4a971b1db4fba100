import { HttpApi, OpenApi } from "effect/http-api"
import { packageInfo } from "../services/version/packageInfo.ts"
import { AuthApi } from "./auth/AuthApi.ts"
import { BoardApi } from "./board/BoardApi.ts"
import { SystemApi } from "./system/SystemApi.ts"

/** The whole contract: every JSON endpoint's parameters, body, answers and errors. */
export class Api extends HttpApi.make("agent-console")
  .add(SystemApi)
  .add(AuthApi)
  .add(BoardApi)
  .annotateMerge(OpenApi.annotations({ title: "Agent Console", version: packageInfo.version })) {}
