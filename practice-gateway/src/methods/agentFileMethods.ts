import { createHash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { Gateway, PracticeAgent } from "../Gateway.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method } from "./method.ts"

const MEMORY = "MEMORY.md"
/** What it hands out besides, if it's asked by name. */
const UNLISTED = "IDENTITY.md"

const OF_AGENT = { agentId: Schema.String }
const NAMED = { ...OF_AGENT, name: Schema.String }
const path = Schema.optionalKey(Schema.String)
const count = Schema.optionalKey(Schema.Int)

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

const agentOf = (gateway: Gateway, id: string) => {
  const agent = gateway.agents.find((one) => one.id === id)
  return agent === undefined ? Effect.fail(invalidRequest(`agent "${id}" not found`)) : Effect.succeed(agent)
}

const described = ({ texts, workspace }: PracticeAgent, name: string, withText: boolean) => {
  const text = texts.get(name)
  const at = { name, path: `${workspace}/${name}` }
  if (text === undefined) return { ...at, missing: true, expectedAbsent: name === MEMORY }
  const facts = { ...at, missing: false, size: Buffer.byteLength(text.content), updatedAtMs: text.at }
  if (!withText) return facts
  return { ...facts, content: text.content, hash: hashOf(text.content) }
}

/** An agent and a name that the gateway hands out. */
const named = Effect.fnUntraced(function* (
  gateway: Gateway,
  { agentId, name }: Readonly<Record<"agentId" | "name", string>>
) {
  const agent = yield* agentOf(gateway, agentId)
  if (name !== UNLISTED && !gateway.generation.agentFiles.includes(name))
    return yield* invalidRequest(`unsupported file "${name}"`)
  return agent
})

const set = Effect.fnUntraced(function* (
  gateway: Gateway,
  params: { readonly agentId: string; readonly name: string; readonly content: string; readonly expectedHash?: string }
) {
  const { content, expectedHash, name } = params
  const agent = yield* named(gateway, params)
  const before = agent.texts.get(name)?.content
  if (expectedHash !== undefined && (before === undefined || hashOf(before) !== expectedHash))
    return yield* new GatewayRefusal({
      code: "INVALID_REQUEST",
      message: `agent file "${name}" changed since it was read`,
      details: { type: "agent_file_conflict", name, ...(before === undefined ? {} : { currentHash: hashOf(before) }) }
    })
  agent.texts.set(name, { content, at: gateway.now() })
  return { ok: true, agentId: agent.id, workspace: agent.workspace, file: described(agent, name, true) }
})

/** The entries of a folder: files, and folders that hold some. */
const entriesIn = ({ texts }: PracticeAgent, folder: string) => {
  const start = folder === "" ? "" : `${folder}/`
  const below = [...texts].filter(([name]) => name.startsWith(start))
  const folders = new Set(below.flatMap(([name]) => name.slice(start.length).split("/").slice(0, -1).slice(0, 1)))
  return [
    ...[...folders].map((name) => ({ path: start + name, name, kind: "directory", updatedAtMs: 0 })),
    ...below.flatMap(([full, { at, content }]) => {
      const name = full.slice(start.length)
      return name.includes("/")
        ? []
        : [{ path: full, name, kind: "file", size: Buffer.byteLength(content), updatedAtMs: at }]
    })
  ]
}

const notThere = (what: "directory" | "file", at: string) =>
  new GatewayRefusal({
    code: "INVALID_REQUEST",
    message: `workspace ${what} not found`,
    details: { type: what === "file" ? "workspace_file_not_found" : "workspace_path_not_found", path: at }
  })

/** What agents keep in their workspaces; here it's in memory, and no folders are made. */
export const agentFileMethods: ReadonlyArray<GatewayMethod> = [
  method("agents.files.list", "operator.read", Schema.Struct(OF_AGENT), ({ agentId }, { gateway }) =>
    Effect.map(agentOf(gateway, agentId), (agent) => ({
      agentId,
      workspace: agent.workspace,
      files: gateway.generation.agentFiles.map((name) => described(agent, name, false))
    }))
  ),
  method("agents.files.get", "operator.read", Schema.Struct(NAMED), (params, { gateway }) =>
    Effect.map(named(gateway, params), (agent) => ({
      agentId: agent.id,
      workspace: agent.workspace,
      file: described(agent, params.name, true)
    }))
  ),
  method<Parameters<typeof set>[1]>(
    "agents.files.set",
    "operator.admin",
    Schema.Struct({ ...NAMED, content: Schema.String, expectedHash: Schema.optionalKey(Schema.String) }),
    (params, { gateway }) => set(gateway, params)
  ),
  method(
    "agents.workspace.list",
    "operator.read",
    Schema.Struct({ ...OF_AGENT, path, limit: count, offset: count }),
    Effect.fnUntraced(function* ({ agentId, limit = 250, offset = 0, path: folder = "" }, { gateway }) {
      const all = entriesIn(yield* agentOf(gateway, agentId), folder)
      if (all.length === 0 && folder !== "") return yield* notThere("directory", folder)
      return { agentId, path: folder, entries: all.slice(offset, offset + limit), totalEntries: all.length, offset }
    })
  ),
  method(
    "agents.workspace.get",
    "operator.read",
    Schema.Struct({ ...OF_AGENT, path: Schema.String }),
    Effect.fnUntraced(function* ({ agentId, path: at }, { gateway }) {
      const text = (yield* agentOf(gateway, agentId)).texts.get(at)
      if (text === undefined) return yield* notThere("file", at)
      const { content, at: updatedAtMs } = text
      const size = Buffer.byteLength(content)
      const name = at.split("/").at(-1)
      return {
        agentId,
        file: { path: at, name, size, updatedAtMs, mimeType: "text/plain", encoding: "utf8", content }
      }
    })
  )
]
