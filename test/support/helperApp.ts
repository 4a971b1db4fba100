import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { makeKnowledgeApp, type TestAgents, type TestPlaces } from "./knowledgeApp.ts"

/** The agent `helper`, besides the default one. */
export const helperIn = ({ gatewayHome }: TestPlaces) => [
  { id: "helper", workspace: join(gatewayHome, "workspace-helper") }
]

/** The app with a gateway that has the agent `helper`; both workspaces exist. */
export const makeHelperApp = Effect.fnUntraced(function* (generation: TestAgents["generation"] = "new") {
  const app = yield* makeKnowledgeApp({ agents: helperIn, generation })
  const main = join(app.settings.gatewayHome, "workspace")
  const helper = join(app.settings.gatewayHome, "workspace-helper")
  for (const place of [main, helper]) mkdirSync(place, { recursive: true })
  return { ...app, main, helper }
})
