/** What the runner needs to start or stop a run. */
export interface RunOrder {
  readonly taskId: string
  readonly sessionKey: string
  readonly runId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly model: string
  /** Nobody chose this model: the run may continue without it. */
  readonly modelIsFallback: boolean
  readonly thinking: string | undefined
}
