/** At most `limit` requests in any `windowMs` milliseconds. */
export interface RatePreset {
  readonly limit: number
  readonly windowMs: number
}

/** The limits for each class of routes, and for failed logins. */
export const ratePresets = {
  tts: { limit: 10, windowMs: 60_000 },
  transcribe: { limit: 30, windowMs: 60_000 },
  general: { limit: 60, windowMs: 60_000 },
  /** Drafts, messages and their files: every open page requests them while people type and agents respond. */
  writing: { limit: 300, windowMs: 60_000 },
  agentCalls: { limit: 120, windowMs: 60_000 },
  failedLogin: { limit: 5, windowMs: 60_000 }
} as const satisfies Readonly<Record<string, RatePreset>>
