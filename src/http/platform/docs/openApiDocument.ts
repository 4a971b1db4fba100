import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ConversationState } from "../../../contract/schema/conversation.ts"
import { eventSchemas } from "../../../contract/schema/events.ts"
import type { Right } from "../../../contract/schema/live.ts"
import { clientFrames, LiveGateway, serverFrames } from "../../../contract/schema/live.ts"
import { SessionsHead } from "../../../contract/schema/sessionRow.ts"
import { Api } from "../../Api.ts"
import { contractMarks } from "../../GuardedRouter.ts"
import { CLOSED, type RouteMark } from "../../RouteMark.ts"
import { rawOperations } from "./rawOperations.ts"

const METHODS = ["get", "post", "put", "patch", "delete"] as const

const ERROR_SCHEMA = {
  type: "object",
  properties: {
    error: { type: "string", description: "An error code, or one of the few fixed texts" },
    details: { type: "string", description: "A sentence that says what happened and what to do" }
  },
  required: ["error"]
}

const DESCRIPTION = [
  "Times are in epoch milliseconds unless a field says otherwise.",
  "Errors are JSON: {error, details?}. 401 means you need to sign in, 403 that the request came from another site, 413 that the body is too large,",
  "and 429 that there were too many requests (Retry-After says how many seconds to wait). X-RateLimit headers say how many are left."
].join(" ")

const FRAMES = [...Object.values(clientFrames), ...Object.values(serverFrames)]

/** Events and frames in the form of answers, so that their types are described like all others. */
const StreamsOnly = HttpApi.make("streams").add(
  HttpApiGroup.make("streams").add(
    HttpApiEndpoint.get("events", "/api/events", { success: Schema.Union(Object.values(eventSchemas)) }),
    HttpApiEndpoint.get("live", "/api/live", {
      success: Schema.Union([...FRAMES, LiveGateway, SessionsHead, ConversationState])
    })
  )
)

/** `kanban.reorderTask` as words, for an operation without a summary. */
const nameAsWords = (operationId: string): string => {
  const words = operationId.replace(/^.*\./, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** `/api/crons/{id}` as the router has it: `/api/crons/:id`. */
const patternOf = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1")

const describe = (
  path: string,
  { access, rate }: RouteMark,
  right: Right | undefined,
  operation: OpenApi.OpenAPISpecOperation
): OpenApi.OpenAPISpecOperation => {
  const summary = operation.summary ?? nameAsWords(operation.operationId)
  if (!path.startsWith("/api/")) return { ...operation, summary }
  const most = rate === undefined ? "No rate limit." : `At most ${rate.limit} requests in ${rate.windowMs / 1000} s.`
  const limit = right === undefined ? most : `${most} Needs the right ${right}.`
  return {
    ...operation,
    summary,
    description: operation.description === undefined ? limit : `${operation.description} ${limit}`,
    security: access === "open" ? [] : [{ session: [] }]
  }
}

/** The whole API as an OpenAPI 3.1 document: the contract and the routes outside it. */
export const openApiDocument = (cookieName: string, basePath: string): OpenApi.OpenAPISpec => {
  const contract = OpenApi.fromApi(Api)
  const streams = OpenApi.fromApi(StreamsOnly)
  const marks = contractMarks()
  const paths: OpenApi.OpenAPISpecPaths = {}
  for (const [path, item] of [...Object.entries(contract.paths), ...Object.entries(rawOperations)]) {
    const described = { ...paths[path], ...item }
    for (const method of METHODS) {
      const operation = described[method]
      if (operation === undefined) continue
      const { mark = CLOSED, right } = marks.get(`${method.toUpperCase()} ${patternOf(path)}`) ?? {}
      described[method] = describe(path, mark, right, operation)
    }
    paths[path] = described
  }
  return {
    ...contract,
    info: { ...contract.info, description: DESCRIPTION },
    servers: [{ url: basePath === "" ? "/" : basePath }],
    paths,
    components: {
      schemas: { ...contract.components.schemas, ...streams.components.schemas, Error: ERROR_SCHEMA },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookieName,
          description: "The session cookie set by login; not needed while auth is off"
        }
      }
    },
    tags: [...contract.tags, { name: "Streams, files and reference" }]
  }
}
