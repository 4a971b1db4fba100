/** The model of a run when neither request, task nor board names one (SPEC "Board configuration", D3). */
export const FALLBACK_MODEL = "anthropic/claude-sonnet-4-5"

/** The model a run uses, in SPEC's order, and whether it is only the fallback. */
export const chooseModel = (
  ...named: ReadonlyArray<string | undefined>
): { readonly model: string; readonly isFallback: boolean } => {
  const model = named.find((candidate) => candidate !== undefined)
  return model === undefined ? { model: FALLBACK_MODEL, isFallback: true } : { model, isFallback: false }
}
