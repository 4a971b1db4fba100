import type { AudioTrail } from "./audioTrail.ts"

/** Limits of what is kept. */
export interface AudioStoreLimits {
  readonly entries: number
  readonly bytes: number
  readonly ttlMs: number
}

interface Entry {
  readonly trail: AudioTrail
  /** Epoch milliseconds after which it is forgotten; `undefined` while it is still written. */
  expires: number | undefined
}

/**
 * Audio that is being made or was made lately, by the name of its plan. What is being made counts for no limit, so that
 * requests at the same time always meet it; what is done is kept by age, number and bytes, the longest unused going first.
 */
export class AudioStore {
  readonly #entries = new Map<string, Entry>()
  readonly #limits: AudioStoreLimits

  constructor(limits: AudioStoreLimits) {
    this.#limits = limits
  }

  /** What is there under a key. */
  get(key: string, now: number): AudioTrail | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    if (entry.expires !== undefined && entry.expires <= now) return undefined
    this.#entries.set(key, entry)
    return entry.trail
  }

  /** Takes audio that is being made. */
  begin(key: string, trail: AudioTrail): void {
    this.#entries.set(key, { trail, expires: undefined })
  }

  /** The audio is whole: it is kept from now on, as far as the limits allow. */
  finish(key: string, now: number): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    entry.expires = now + this.#limits.ttlMs
    this.#trim(now)
  }

  /** The audio failed: it is forgotten. */
  drop(key: string): void {
    this.#entries.delete(key)
  }

  #trim(now: number): void {
    const done = [...this.#entries].filter(([, { expires }]) => expires !== undefined)
    let bytes = done.reduce((sum, [, { trail }]) => sum + trail.size(), 0)
    let count = done.length
    for (const [key, { trail, expires = 0 }] of done) {
      if (expires > now && count <= this.#limits.entries && bytes <= this.#limits.bytes) continue
      this.#entries.delete(key)
      count -= 1
      bytes -= trail.size()
    }
  }
}
