import { randomInt } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Talk } from "../../../web/test/core/support/Talk.ts"
import { assistant, call, said, toolResult, user } from "../../../web/test/core/support/turnFrames.ts"
import { randomFrom } from "../../support/killedProcess.ts"
import { compared } from "../../support/twoBrains/compareSeen.ts"

const WALKS = 20
const STEPS = 30

/** What a gateway has of a turn while it runs. */
interface Running {
  readonly id: string
  readonly at: number
  text: string
  /** The call of a tool that works. */
  tool: string | undefined
}

/** A gateway, a person and the network between them, which do something at random; `Talk` compares after each event. */
class Walk {
  private readonly talk: Talk
  private readonly next: (below: number) => number
  private readonly stored: Array<object> = []
  private readonly waiting: Array<string> = []
  private running: Running | undefined
  private isLinked = true
  private at = 10_000
  private count = 0

  constructor(protocol: number, seed: number) {
    this.talk = new Talk(protocol)
    this.next = randomFrom(seed)
    this.read()
  }

  step(): void {
    const { running } = this
    const moves: ReadonlyArray<() => void> =
      running === undefined
        ? [
            this.ask,
            this.ask,
            this.ask,
            this.askElsewhere,
            this.reset,
            this.cut,
            this.gap,
            this.restart,
            this.due,
            this.stop
          ]
        : [
            this.speak,
            this.speak,
            this.speak,
            this.useTool,
            this.end,
            this.end,
            this.ask,
            this.stop,
            this.cut,
            this.gap,
            this.fail,
            this.restart,
            this.due
          ]
    moves[this.next(moves.length)]?.call(this)
    this.due()
  }

  /** Everything ends, and both have read that. */
  finish(): void {
    if (this.running !== undefined) this.end()
    this.waiting.splice(0)
    this.talk.tell([])
    this.talk.happen({ type: "resync" })
    this.read()
  }

  private get run(): string | undefined {
    return this.talk.protocol >= 4 ? this.running?.id : undefined
  }

  private ask(): void {
    if (this.waiting.length > 2) return
    const id = this.talk.write(`question ${++this.count}`)
    if (this.running !== undefined || !this.isLinked) {
      this.talk.take("waiting")
      this.waiting.push(id)
      return
    }
    this.talk.take("sending")
    this.talk.take("handed")
    this.begin(id, `question ${this.count}`)
  }

  private askElsewhere(): void {
    if (!this.isLinked) return
    const id = `other-${++this.count}`
    this.begin(id, `elsewhere ${this.count}`)
    if (this.next(2) === 0) {
      const text = `elsewhere ${this.count}`
      this.talk.event("session.message", { message: { role: "user", content: text, timestamp: this.at } })
    }
  }

  private begin(id: string, text: string): void {
    this.at += 1_000
    this.running = { id, at: this.at, text: "", tool: undefined }
    this.stored.push(user(text, this.at, this.talk.protocol >= 4 ? id : undefined))
    if (this.isLinked) this.talk.turn(id, this.at).start()
  }

  private speak(): void {
    const { running } = this
    if (running === undefined) return
    this.endTool(running)
    running.text += `word ${++this.count} `
    if (!this.isLinked) return
    const turn = this.talk.turn(running.id, running.at)
    if (this.next(3) === 0) turn.delta(running.text)
    else turn.text(running.text, running.text)
    if (this.next(2) === 0) this.talk.elapse("paint")
  }

  private useTool(): void {
    const { running } = this
    if (running === undefined || running.tool !== undefined) return
    const id = `c${++this.count}`
    this.stored.push(
      assistant([...(running.text === "" ? [] : [said(running.text)]), call(id)], running.at, this.run, {
        stopReason: "toolUse"
      })
    )
    running.text = ""
    running.tool = id
    if (this.isLinked) this.talk.turn(running.id, running.at).tool("start", id, { args: { n: this.count } })
  }

  private endTool(running: Running): void {
    const { tool } = running
    if (tool === undefined) return
    running.tool = undefined
    this.stored.push(toolResult(tool, `result ${tool}`, running.at, this.run))
    if (this.isLinked)
      this.talk.turn(running.id, running.at).tool("result", tool, { result: { content: [said(`result ${tool}`)] } })
  }

  private end(): void {
    const { running } = this
    if (running === undefined) return
    this.endTool(running)
    const text = running.text === "" ? "done" : running.text
    this.stored.push(assistant([said(text)], running.at + 100, this.run))
    this.running = undefined
    if (!this.isLinked) return
    this.talk.turn(running.id, running.at).final(text)
    this.nextWaiting()
  }

  private fail(): void {
    const { running } = this
    if (running === undefined) return
    this.endTool(running)
    this.stored.push(
      assistant([], running.at + 100, this.run, {
        stopReason: "error",
        errorMessage: "⚠️ LLM request failed (HTTP 418)."
      })
    )
    this.running = undefined
    if (!this.isLinked) return
    this.talk.turn(running.id, running.at).chat("error", { errorMessage: "⚠️ LLM request failed (HTTP 418)." })
    this.nextWaiting()
  }

  /** Stop is pressed; the gateway has something to stop, or not. */
  private stop(): void {
    if (!this.isLinked || !this.talk.screen.running) return
    this.talk.happen({ type: "abort", call: 1 })
    const { running } = this
    this.running = undefined
    if (running === undefined) {
      this.talk.answer({ ok: true, aborted: false, runIds: [] })
      return
    }
    const isFirst = this.next(2) === 0
    if (isFirst) this.talk.turn(running.id, running.at).aborted(running.text === "" ? null : running.text)
    this.talk.answer({ ok: true, aborted: true, runIds: this.next(2) === 0 ? [running.id] : [] })
    if (!isFirst) this.talk.turn(running.id, running.at).aborted(running.text === "" ? null : running.text)
    if (running.text !== "") {
      this.stored.push(assistant([said(running.text)], running.at + 100, this.run, { stopReason: "aborted" }))
    }
    this.nextWaiting()
  }

  /** The console hands over what waited. */
  private nextWaiting(): void {
    const id = this.waiting.shift()
    if (id === undefined || !this.isLinked) return
    this.talk.hand(id)
    this.begin(id, this.talk.textOf(id))
  }

  private cut(): void {
    if (!this.isLinked) {
      this.talk.connect()
      this.isLinked = true
      this.read()
      if (this.running === undefined) this.nextWaiting()
      return
    }
    this.talk.disconnect()
    this.isLinked = false
  }

  private gap(): void {
    if (!this.isLinked) return
    this.isLinked = false
    if (this.next(2) === 0) this.speak()
    else this.end()
    this.isLinked = true
    this.talk.happen({ type: "gap" })
    this.due()
  }

  private restart(): void {
    if (this.isLinked) this.talk.disconnect()
    const isCut = this.running !== undefined
    this.running = undefined
    this.isLinked = true
    this.talk.connect(this.talk.now + 1)
    this.read(isCut && this.talk.protocol < 4)
    this.nextWaiting()
  }

  private reset(): void {
    if (!this.isLinked) return
    this.stored.splice(0)
    this.talk.event("sessions.changed", { reason: this.next(2) === 0 ? "reset" : "delete" })
    this.due()
  }

  /** Timers that are due pass, and what they ask for is answered. */
  private due(): void {
    if (this.next(3) === 0) this.talk.passTimers()
    if (this.isLinked && this.next(2) === 0) this.read()
  }

  private read(isCut = false): void {
    if (this.talk.isReading) this.talk.history([...this.stored], this.running !== undefined, { isCut })
  }
}

describe.each([3, 4])("the page's conversation and the console's, protocol %i", (protocol) => {
  it(`show the same after every event of ${WALKS / 2} random walks`, () => {
    const before = { ...compared }
    const first = Number(process.env.SEED ?? randomInt(1_000_000_000))
    for (let walk = 0; walk < WALKS / 2; walk += 1) {
      const seed = first + walk
      try {
        const one = new Walk(protocol, seed)
        for (let step = 0; step < STEPS; step += 1) one.step()
        one.finish()
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    const count = (name: keyof typeof compared) => compared[name] - before[name]
    const names = ["states", "patches", "combined", "snapshots", "same"] as const
    for (const name of names) assert.isAbove(count(name), WALKS, name)
    process.stdout.write(
      `protocol ${protocol}: ${WALKS / 2} walks from seed ${first}: ${names.map((name) => `${count(name)} ${name}`).join(", ")}\n`
    )
  })
})
