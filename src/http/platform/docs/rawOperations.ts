import type { OpenApi } from "effect/http-api"
import { EVENT_NAMES } from "../../../contract/ConsoleEvent.ts"

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

/** The routes outside the contract, described by hand: they stream, upgrade or send files. */
export const rawOperations: OpenApi.OpenAPISpecPaths = {
  "/api/events": {
    get: operation(
      "events.stream",
      "Stream all changes as server-sent events",
      {
        200: {
          description: "Each message has an event line and a data line with one of these events",
          content: {
            "text/event-stream": {
              schema: { anyOf: EVENT_NAMES.map((name) => ({ $ref: `#/components/schemas/${name}` })) }
            }
          }
        }
      },
      {
        description:
          "Starts with connected, then the current status.changed; ping follows every 30 seconds. A client that doesn't keep up is disconnected and should reconnect."
      }
    )
  },
  "/api/events/test": {
    post: operation(
      "events.test",
      "Send a test event to every stream; available only with NODE_ENV=development",
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
  "/api/live": {
    get: operation(
      "live.connect",
      "Open a WebSocket that keeps the state of what a client shows up to date",
      {
        101: { description: "The connection is open; the client says hello within 10 seconds" },
        401: { description: "Auth is on and there's no session" },
        403: { description: "The page's origin isn't allowed" },
        426: { description: "The request isn't a WebSocket upgrade" }
      },
      {
        description:
          "Frames are JSON objects in text. The schemas live.hello, live.open, live.set, live.close, live.look and live.ping are what a client sends; live.welcome, live.snapshot, live.same, live.patch, live.turn, live.event, live.gone, live.tick and live.bye what it receives. The items of the topic gateways are LiveGateways, those of sessions SessionRows with a SessionsHead, and the state of conversation is a ConversationState. docs/live.md in the package has the rules, the limits and a client in twenty lines."
      }
    )
  },
  "/ws": {
    get: operation(
      "gateway.connect",
      "Open a WebSocket to the gateway, relayed frame by frame",
      {
        101: { description: "The connection is open" },
        401: { description: "Auth is on and there's no session" },
        403: { description: "The page's origin isn't allowed" },
        426: { description: "The request isn't a WebSocket upgrade" }
      },
      {
        parameters: [
          query("target", "ws or wss address of the gateway; the configured one by default", false),
          query(
            "device",
            "`required`: if the gateway refuses the console's device, pass its refusal on. Otherwise the session is opened with the token alone, which gives it no rights",
            false
          )
        ]
      }
    )
  },
  "/metrics": {
    get: operation("metrics.read", "Get the console's metrics in Prometheus text format", {
      200: text("One line per metric", "text/plain"),
      401: { description: "Auth is on, the request comes from another machine and there's no session" },
      403: { description: "Auth is off and the request comes from another machine" }
    })
  },
  "/api/backup": {
    post: operation(
      "backup.make",
      "Get a backup of the console; only for `agent-console backup` on this machine",
      {
        200: text("A tar archive, compressed with gzip", "application/gzip"),
        400: { description: "The body isn't valid" },
        401: { description: "The header x-agent-console-secret isn't the secret in the console's folder" },
        500: { description: "The backup couldn't be made; the body says why" }
      },
      {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { withoutSecrets: { type: "boolean" }, gatewayHome: { type: "boolean" } },
                required: ["withoutSecrets", "gatewayHome"]
              }
            }
          }
        }
      }
    )
  },
  "/api/preview": {
    post: operation(
      "preview.run",
      "Get a document back as a page in which it runs, isolated from the console",
      { 200: text("The page, whose policy gives it an origin of its own", "text/html") },
      {
        requestBody: {
          required: true,
          content: {
            "application/x-www-form-urlencoded": {
              schema: { type: "object", properties: { html: { type: "string", minLength: 1 } }, required: ["html"] }
            }
          }
        }
      }
    )
  },
  "/api/openapi.json": {
    get: operation("reference.document", "Get this reference as an OpenAPI 3.1 document", {
      200: text("The document", "application/json")
    })
  },
  "/api/docs": {
    get: operation("reference.page", "Get this reference as a page", { 200: text("The page", "text/html") })
  }
}
