import { Effect } from "effect"
import type { SettingsShape } from "../../src/services/platform/settings/Settings.ts"
import { failures, makeAnsweringGateway } from "./answeringGateway.ts"
import { temporaryFolder } from "./fileServices.ts"
import { makeApp } from "./makeApp.ts"

/** An agent of a gateway in memory. */
export interface TestAgent {
  readonly id: string
  readonly name?: string
  readonly workspace?: string
}

/** The in-memory gateway's state and behaviour; tests change it while the app is running. */
export interface TestAgents {
  defaultId: string
  list: ReadonlyArray<TestAgent>
  isReachable: boolean
  /** The older generation returns a workspace only with an agent's files. */
  generation: "old" | "new"
}

/** A test's folders, before the app is created. */
export interface TestPlaces {
  readonly folder: string
  readonly gatewayHome: string
}

interface KnowledgeAppOptions {
  readonly settings?: (places: TestPlaces) => Partial<SettingsShape>
  /** The agents beside `main`; without it the gateway cannot be reached. */
  readonly agents?: (places: TestPlaces) => ReadonlyArray<TestAgent>
  readonly generation?: TestAgents["generation"]
}

/** The whole app with the gateway's and its own folders in an empty location. */
export const makeKnowledgeApp = Effect.fnUntraced(function* (options: KnowledgeAppOptions = {}) {
  const folder = yield* temporaryFolder
  const gatewayHome = `${folder}/gateway`
  const places = { folder, gatewayHome }
  const main = { id: "main", workspace: `${gatewayHome}/workspace` }
  const agents: TestAgents = {
    defaultId: "main",
    list: [main, ...(options.agents?.(places) ?? [])],
    isReachable: options.agents !== undefined,
    generation: options.generation ?? "new"
  }
  const gateway = yield* makeAnsweringGateway(({ method, params }) => {
    if (!agents.isReachable) return Effect.fail(failures.unreachable)
    if (method === "agents.list") {
      const rows = agents.list.map(({ workspace, ...row }) =>
        agents.generation === "old" || workspace === undefined ? row : { ...row, workspace }
      )
      return Effect.succeed({ defaultId: agents.defaultId, mainKey: "main", scope: "per-sender", agents: rows })
    }
    const asked = "agentId" in params ? params.agentId : undefined
    const workspace = agents.list.find(({ id }) => id === asked)?.workspace
    return method === "agents.files.list" && workspace !== undefined
      ? Effect.succeed({ agentId: asked, workspace, files: [] })
      : Effect.fail(failures.missingScope)
  })
  const app = yield* makeApp({
    settings: {
      svcHome: `${folder}/svc`,
      gatewayHome,
      memoryPath: `${gatewayHome}/workspace/MEMORY.md`,
      memoryDir: `${gatewayHome}/workspace/memory`,
      ...options.settings?.(places)
    },
    gateway: gateway.layer
  })
  /** Sends a JSON body or any text. */
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const response = yield* app.request(path, {
      method,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text }
  })
  return { ...app, send, folder, agents, gateway }
})
