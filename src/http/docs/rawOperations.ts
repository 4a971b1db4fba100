import type { OpenApi } from "effect/http-api"

type Operation = OpenApi.OpenAPISpecOperation

const TAG = "Streams, files and reference"

const query = (name: string, description: string, required: boolean) => ({
  name,
  in: "query" as const,
  schema: { type: "string" },
  required,
  description
})

const operation = (
  operationId: string,
  summary: string,
  responses: Operation["responses"],
  more: Partial<Operation> = {}
): Operation => ({ operationId, summary, tags: [TAG], parameters: [], security: [], responses, ...more })

const text = (description: string, type: string) => ({
  description,
  content: { [type]: { schema: { type: "string" } } }
})

/** The routes beside the contract, described by hand: they stream, upgrade or send files. */
export const rawOperations: OpenApi.OpenAPISpecPaths = {
  "/api/events": {
    get: operation(
      "events.stream",
      "Everything that changes, as server-sent events",
      { 200: text("Each message has an event line and a data line with {event, data, ts}", "text/event-stream") },
      {
        description:
          "Begins with connected; ping comes every 30 seconds. A client that does not read is cut off and should connect again."
      }
    )
  },
  "/api/events/test": {
    post: operation(
      "events.test",
      "Send a test event to every stream; exists only with NODE_ENV=development",
      {
        200: {
          description: "The event that was sent",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { ok: { const: true }, event: { type: "string" }, data: { type: "object" } },
                required: ["ok", "event", "data"]
              }
            }
          }
        }
      },
      {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { event: { type: "string", minLength: 1, maxLength: 100 }, data: { type: "object" } },
                required: ["event", "data"]
              }
            }
          }
        }
      }
    )
  },
  "/ws": {
    get: operation(
      "gateway.connect",
      "WebSocket to the gateway, relayed frame by frame",
      {
        101: { description: "The connection is open" },
        401: { description: "Auth is on and there is no session" },
        403: { description: "The page's origin is not allowed" },
        426: { description: "The request was no WebSocket upgrade" }
      },
      { parameters: [query("target", "ws or wss address of the gateway; the configured one without it", false)] }
    )
  },
  "/metrics": {
    get: operation("metrics.read", "Figures of this console in the text format of Prometheus", {
      200: text("One line for each figure", "text/plain"),
      401: { description: "Auth is on, the request comes from elsewhere, and there is no session" },
      403: { description: "Auth is off and the request comes from elsewhere" }
    })
  },
  "/api/openapi.json": {
    get: operation("reference.document", "This reference as an OpenAPI 3.1 document", {
      200: text("The document", "application/json")
    })
  },
  "/api/docs": {
    get: operation("reference.page", "This reference as a page", { 200: text("The page", "text/html") })
  }
}
