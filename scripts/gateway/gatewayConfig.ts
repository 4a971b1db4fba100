export interface ConfigFacts {
  readonly port: number
  readonly token: string
  /** The gateway's own folder. */
  readonly stateFolder: string
  readonly logFile: string
  /** Where the model is, with `/v1`. */
  readonly modelUrl: string
  readonly settings: ReadonlyArray<readonly [path: string, value: unknown]>
}

type Json = { [key: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const model = (id: string, name: string, reasoning: boolean, price: number) => ({
  id,
  name,
  reasoning,
  input: reasoning ? ["text"] : ["text", "image"],
  cost: { input: price, output: 2 * price, cacheRead: reasoning ? 1 : 0.5, cacheWrite: 0 },
  contextWindow: 128_000,
  maxTokens: 8192
})

/** What a new gateway starts with: loopback only, one scripted provider, and nothing that reaches out by itself. */
const freshConfig = (stateFolder: string, logFile: string): Json => ({
  gateway: { mode: "local", bind: "loopback", auth: { mode: "token" }, controlUi: { enabled: false } },
  logging: { file: logFile },
  update: { checkOnStart: false },
  discovery: { mdns: { mode: "off" } },
  browser: { enabled: false },
  agents: {
    defaults: {
      workspace: `${stateFolder}/workspace`,
      heartbeat: { every: "0m" },
      model: { primary: "mock/mock-fast" }
    }
  },
  // Commands of the agent run on this machine, in the gateway's home; then approvals can be asked for too.
  tools: { exec: { host: "gateway", security: "full", ask: "off" } },
  models: {
    mode: "replace",
    providers: {
      mock: {
        apiKey: "mock-key",
        api: "openai-completions",
        models: [model("mock-fast", "Mock Fast", false, 1), model("mock-think", "Mock Think", true, 3)]
      }
    }
  }
})

const put = (config: Json, path: string, value: unknown): void => {
  const keys = path.split(".")
  const last = keys.pop() ?? path
  let at = config
  for (const key of keys) {
    const next = at[key]
    const there: Json = isJson(next) ? next : {}
    at[key] = there
    at = there
  }
  at[last] = value
}

/** The gateway's settings file: that of a home that was used before wins, but for what this start decides. */
export const gatewayConfig = (facts: ConfigFacts, before: string | undefined): string => {
  const kept: unknown = before === undefined ? undefined : JSON.parse(before)
  const config = isJson(kept) ? kept : freshConfig(facts.stateFolder, facts.logFile)
  put(config, "gateway.port", facts.port)
  put(config, "gateway.auth.token", facts.token)
  put(config, "models.providers.mock.baseUrl", facts.modelUrl)
  for (const [path, value] of facts.settings) put(config, path, value)
  return `${JSON.stringify(config, null, 2)}\n`
}
