import { OpenApi } from "effect/http-api"
import { Api } from "../Api.ts"
import { isOpenPath } from "../middleware/authentication.ts"
import { presetOf } from "../middleware/rateLimit.ts"
import { rawOperations } from "./rawOperations.ts"

const METHODS = ["get", "post", "put", "patch", "delete"] as const

const ERROR_SCHEMA = {
  type: "object",
  properties: {
    error: { type: "string", description: "A code, or the text itself for the few that are fixed" },
    details: { type: "string", description: "One sentence for people" }
  },
  required: ["error"]
}

const DESCRIPTION = [
  "Times are epoch milliseconds unless a field says otherwise.",
  "Errors are JSON: {error, details?}. 401 means a session is needed, 403 a page of another site, 413 a body too large,",
  "429 too many requests (Retry-After says how many seconds to wait); X-RateLimit headers tell what is left."
].join(" ")

/** `kanban.reorderTask` as words, for an operation whose declaration has no sentence of its own. */
const nameAsWords = (operationId: string): string => {
  const words = operationId.replace(/^.*\./, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const describe = (
  method: string,
  path: string,
  operation: OpenApi.OpenAPISpecOperation
): OpenApi.OpenAPISpecOperation => {
  const summary = operation.summary ?? nameAsWords(operation.operationId)
  if (!path.startsWith("/api/")) return { ...operation, summary }
  const preset = presetOf(method.toUpperCase(), path)
  const limit =
    preset === undefined ? "Not limited." : `At most ${preset.limit} requests in ${preset.windowMs / 1000} s.`
  return {
    ...operation,
    summary,
    description: operation.description === undefined ? limit : `${operation.description} ${limit}`,
    security: isOpenPath(path) ? [] : [{ session: [] }]
  }
}

/** The whole interface as an OpenAPI 3.1 document: the contract and the routes beside it. */
export const openApiDocument = (cookieName: string): OpenApi.OpenAPISpec => {
  const contract = OpenApi.fromApi(Api)
  const paths: OpenApi.OpenAPISpecPaths = {}
  for (const [path, item] of [...Object.entries(contract.paths), ...Object.entries(rawOperations)]) {
    const described = { ...paths[path], ...item }
    for (const method of METHODS) {
      const operation = described[method]
      if (operation !== undefined) described[method] = describe(method, path, operation)
    }
    paths[path] = described
  }
  return {
    ...contract,
    info: { ...contract.info, description: DESCRIPTION },
    paths,
    components: {
      schemas: { ...contract.components.schemas, Error: ERROR_SCHEMA },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookieName,
          description: "The session cookie that login sets; not asked for while auth is off"
        }
      }
    },
    tags: [...contract.tags, { name: "Streams, files and reference" }]
  }
}
