/** A run's model if neither request, task nor board names one and the gateway offers it. */
export const FALLBACK_MODEL = "anthropic/claude-sonnet-4-5"

/** The model for a run, from the first place that names one, and whether it's only the fallback. */
export const chooseModel = (
  ...named: ReadonlyArray<string | undefined>
): { readonly model: string; readonly isFallback: boolean } => {
  const model = named.find((candidate) => candidate !== undefined)
  return model === undefined ? { model: FALLBACK_MODEL, isFallback: true } : { model, isFallback: false }
}
