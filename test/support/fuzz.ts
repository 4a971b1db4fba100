/** The seed of every fuzz test; another seed makes other choices (docs/RELIABILITY.md "Fuzz tests"). */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120)

/** Whether more than the suite's rounds were requested, in which case a summary is printed. */
export const IS_LONG_RUN = Number(process.env.FUZZ_ROUNDS ?? 1) > 1

/** The number of rounds: few in the suite, many by hand. */
export const fuzzRounds = (usual: number): number => Math.ceil(usual * Number(process.env.FUZZ_ROUNDS ?? 1))

/** Time limit for that many rounds in milliseconds, given the usual one. */
export const fuzzTimeout = (usualMs: number): number => usualMs * Math.max(1, Number(process.env.FUZZ_ROUNDS ?? 1))

/** Texts that have broken programs before. */
const HOSTILE = [
  "",
  " ",
  "\0",
  "a\0b",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "../../../etc/passwd",
  "..\\..\\windows",
  "%2e%2e%2f",
  "%00",
  "%ff",
  "%",
  "/",
  "//",
  ".",
  "..",
  "~",
  "~root",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u202e",
  "\u2028",
  "🦞".repeat(20),
  "a".repeat(300),
  "ü".repeat(5000),
  "x".repeat(70_000),
  "' OR 1=1 --",
  '"; DROP TABLE tasks; --',
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\r\nset-cookie: a=b",
  "-1",
  "0",
  "1e309",
  "NaN",
  "Infinity",
  "0x10",
  "９",
  "true",
  "null",
  "[object Object]",
  "2026-02-30",
  "agent:main:main",
  "[kanban:create]{}[/kanban:create]",
  "[chart:{",
  "[tts: ",
  "## heading",
  "- bullet\n- bullet"
]

const NUMBERS = [0, -0, 1, -1, 0.5, 1e-7, 200, 201, 1e21, 2 ** 31, 2 ** 53, -(2 ** 53), 1.7e308, 4_000_000_000_000]

/** Random choices that are the same for the same seed. */
export class Fuzz {
  #state: number

  constructor(seed = SEED) {
    this.#state = seed >>> 0
  }

  /** 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<A>(all: readonly [A, ...ReadonlyArray<A>]): A {
    return all[this.below(all.length)] ?? all[0]
  }

  text(): string {
    if (this.chance(0.6)) return HOSTILE[this.below(HOSTILE.length)] ?? ""
    const length = this.below(this.chance(0.1) ? 3000 : 40)
    return Array.from({ length }, () => String.fromCharCode(this.below(this.chance(0.7) ? 0x80 : 0x10000))).join("")
  }

  number(): number {
    return this.chance(0.7) ? (NUMBERS[this.below(NUMBERS.length)] ?? 0) : (this.next() - 0.5) * 10 ** this.below(20)
  }

  bytes(limit: number): Buffer {
    return Buffer.from(Array.from({ length: this.below(limit) }, () => this.below(256)))
  }

  /** Any JSON value. */
  json(depth = 3): unknown {
    switch (this.below(depth > 0 ? 7 : 5)) {
      case 0:
        return null
      case 1:
        return this.chance(0.5)
      case 2:
        return this.number()
      case 3:
      case 4:
        return this.text()
      case 5:
        return Array.from({ length: this.below(4) }, () => this.json(depth - 1))
      default:
        return Object.fromEntries(Array.from({ length: this.below(4) }, () => [this.text(), this.json(depth - 1)]))
    }
  }

  /** A text with pieces removed, doubled, swapped or replaced. */
  mutate(text: string): string {
    let out = text
    for (let times = 1 + this.below(4); times > 0; times -= 1) {
      const from = this.below(out.length + 1)
      const to = Math.min(out.length, from + this.below(20))
      const piece = out.slice(from, to)
      const put = this.pick<string>(["", piece + piece, this.text().slice(0, 30), piece.toUpperCase()])
      out = out.slice(0, from) + put + out.slice(to)
    }
    return out
  }
}
