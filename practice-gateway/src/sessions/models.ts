/** A model of the demo gateway. */
export interface DemoModel {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly contextWindow: number
  readonly thinkingLevels: ReadonlyArray<string>
  readonly thinkingDefault: string
  /** US dollars per million tokens. */
  readonly price: { readonly input: number; readonly output: number }
}

/** The models on offer; the first is the default. */
export const DEMO_MODELS: readonly [DemoModel, ...ReadonlyArray<DemoModel>] = [
  {
    id: "companion",
    name: "Demo Companion",
    provider: "demo",
    contextWindow: 128_000,
    thinkingLevels: ["off", "minimal", "low", "medium", "high"],
    thinkingDefault: "low",
    price: { input: 1, output: 4 }
  },
  {
    id: "swift",
    name: "Demo Swift",
    provider: "demo",
    contextWindow: 64_000,
    thinkingLevels: ["off"],
    thinkingDefault: "off",
    price: { input: 0.2, output: 0.8 }
  },
  {
    id: "scholar",
    name: "Demo Scholar",
    provider: "demo",
    contextWindow: 400_000,
    thinkingLevels: ["off", "minimal", "low", "medium", "high", "xhigh", "max"],
    thinkingDefault: "medium",
    price: { input: 3, output: 15 }
  }
]

/** `provider/id` of a model. */
export const fullModelId = (model: { readonly provider: string; readonly id: string }) =>
  `${model.provider}/${model.id}`

/** Splits `provider/id` at its first slash; without one the default provider is meant. */
export const splitModelId = (text: string): { readonly provider: string; readonly id: string } => {
  const slash = text.indexOf("/")
  return slash < 0
    ? { provider: DEMO_MODELS[0].provider, id: text }
    : { provider: text.slice(0, slash), id: text.slice(slash + 1) }
}

/** The known model with that provider and id. */
export const findModel = (provider: string, id: string): DemoModel | undefined =>
  DEMO_MODELS.find((model) => model.provider === provider && model.id === id)

/** Levels in the shape rows and catalogues list them. */
export const levelRows = (model: DemoModel) => model.thinkingLevels.map((id) => ({ id, label: id }))
