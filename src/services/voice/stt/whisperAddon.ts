/** The parts of the recogniser's native module used here. */
export interface Addon {
  readonly WhisperContext: new (options: {
    readonly filePath: string
    readonly useGpu: boolean
  }) => {
    readonly transcribeFile: (
      path: string,
      options: { readonly language: string; readonly maxThreads: number }
    ) => { readonly promise: Promise<unknown> }
  }
}

/** The package with a system's native module, if there is one. */
export const packageFor = (platform: string, processor: string): string =>
  `@fugood/node-whisper-${platform}-${processor}`

const hasKey = <K extends string>(value: unknown, key: K): value is Readonly<Record<K, unknown>> =>
  typeof value === "object" && value !== null && key in value

/** Whether a loaded module is the recogniser's. */
export const isAddon = (value: unknown): value is Addon =>
  hasKey(value, "WhisperContext") && typeof value.WhisperContext === "function"

/** Whether this is a recogniser result. */
export const isTranscript = (value: unknown): value is { readonly result: string } =>
  hasKey(value, "result") && typeof value.result === "string"

/** Prefixes of the recogniser process's progress lines. */
export const MARK = { program: "program", model: "model", text: "text " } as const

/** The process's result. */
export type WhisperOutcome =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "NoProgram" }
  | { readonly _tag: "BadModel" }
  | { readonly _tag: "Failed" }

/** Reads the process's whole output. */
export const whisperOutcome = (output: string): WhisperOutcome => {
  const lines = output.split("\n")
  const text = lines.find((line) => line.startsWith(MARK.text))
  if (text !== undefined) {
    const value: unknown = JSON.parse(text.slice(MARK.text.length))
    if (typeof value === "string") return { _tag: "Text", text: value }
  }
  if (lines.includes(MARK.model)) return { _tag: "Failed" }
  return lines.includes(MARK.program) ? { _tag: "BadModel" } : { _tag: "NoProgram" }
}
