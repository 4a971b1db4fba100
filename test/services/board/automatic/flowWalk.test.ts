import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Result } from "effect"
import type { TaskPriority, TaskStatus } from "../../../../src/contract/board.ts"
import { EverythingStopped } from "../../../../src/services/holds/StartHolds.ts"
import { boardInMemory } from "../../../support/boardStores.ts"
import { type FlowModel, type ModelCard, makeFlowModel } from "./flowModel.ts"
import { type FlowWorld, flowWorldOn } from "./flowWorld.ts"

/** An ordinary test run does a few; `FLOW_WALKS=10000 npx vitest run --project unit flowWalk` takes a while. */
const WALKS = Number(process.env.FLOW_WALKS ?? 40)
const SEED = Number(process.env.FLOW_SEED ?? 1)
const STEPS = 40
/** A run that isn't over by then times out, which is not the subject here. */
const LONGEST_MIN = 28

/** Numbers that look random and are the same for the same seed. */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <A>(from: ReadonlyArray<A>): A | undefined => from[below(from.length)]
  }
}
type Random = ReturnType<typeof randomFrom>

interface Walk {
  readonly random: Random
  readonly model: FlowModel
  readonly world: FlowWorld
  readonly ids: Map<string, string>
  readonly log: Array<string>
}

const PRIORITIES: ReadonlyArray<TaskPriority> = ["critical", "high", "normal", "low"]
const STATUSES: ReadonlyArray<TaskStatus> = ["backlog", "todo", "done", "cancelled"]

const add = Effect.fnUntraced(function* ({ ids, model, random, world }: Walk) {
  const title = `C${ids.size}`
  const known = [...ids.keys()]
  // A circle is refused, and not the subject here: a card waits for older ones only.
  const after = known.filter((other) => model.cards.has(other) && random.chance(1.5 / (known.length + 1)))
  const more = {
    priority: PRIORITIES[random.below(4)] ?? "normal",
    autoStart: random.chance(0.85),
    startAt: random.chance(0.25) ? model.now() + random.below(6) * 60_000 : undefined,
    retry: random.chance(0.5) ? { max: random.below(3), waitMin: 1 + random.below(3) } : undefined,
    status: random.chance(0.9) ? ("todo" as const) : ("backlog" as const)
  }
  const agent = random.chance(0.5) ? "main" : "writer"
  model.add({ title, ...more, after, agent })
  const { id } = yield* world.board.create({
    title,
    priority: more.priority,
    autoStart: more.autoStart,
    status: more.status,
    after: after.map((other) => ids.get(other) ?? ""),
    ...(more.startAt === undefined ? {} : { startAt: more.startAt }),
    ...(more.retry === undefined ? {} : { retry: more.retry }),
    ...(agent === "main" ? {} : { assignee: `agent:${agent}` })
  })
  ids.set(title, id)
  return `add ${title} ${JSON.stringify({ ...more, after, agent })}`
})

const patch = Effect.fnUntraced(function* (
  { ids, world }: Walk,
  { title }: ModelCard,
  changes: Omit<Parameters<FlowWorld["board"]["patch"]>[1], "version">
) {
  const id = ids.get(title) ?? ""
  const { version } = yield* world.board.get(id)
  yield* world.board.patch(id, { version, ...changes })
})

const onCard = Effect.fnUntraced(function* (walk: Walk, card: ModelCard, isRunning: boolean) {
  const { ids, model, random, world } = walk
  const { board, runs } = world
  const id = ids.get(card.title) ?? ""
  const what = random.below(isRunning ? 10 : 6)
  if (what >= 8) {
    model.fail(card)
    yield* board.complete(id, { error: "It broke." })
    return `fail ${card.title}`
  }
  if (what >= 6) {
    model.finish(card)
    yield* board.complete(id, { result: "Done." })
    return `finish ${card.title}`
  }
  switch (what) {
    case 0: {
      const status = STATUSES[random.below(4)] ?? "todo"
      model.move(card, status)
      yield* patch(walk, card, { status })
      return `move ${card.title} ${status}`
    }
    case 1: {
      model.cards.delete(card.title)
      yield* board.remove(id)
      return `remove ${card.title}`
    }
    case 2: {
      card.autoStart = !card.autoStart
      yield* patch(walk, card, { autoStart: card.autoStart })
      return `autoStart ${card.title} ${card.autoStart}`
    }
    case 3: {
      card.startAt = random.chance(0.5) ? undefined : model.now() + random.below(6) * 60_000
      yield* patch(walk, card, { startAt: card.startAt ?? null })
      return `startAt ${card.title} ${card.startAt}`
    }
    case 4: {
      card.priority = PRIORITIES[random.below(4)] ?? "normal"
      yield* patch(walk, card, { priority: card.priority })
      return `priority ${card.title} ${card.priority}`
    }
    default: {
      if (card.status !== "todo" && card.status !== "backlog") return "nothing"
      if (card.after.some((title) => model.cards.get(title)?.status !== "done")) return "nothing"
      if (model.isHeld() || (card.startAt ?? 0) > model.now()) return "nothing"
      model.execute(card)
      yield* runs.execute(id, {})
      return `execute ${card.title}`
    }
  }
})

const decide = Effect.fnUntraced(function* ({ model, random, world }: Walk) {
  const item = random.pick((yield* world.items()).filter(({ kind }) => kind === "blocked"))
  if (item === undefined) return "nothing"
  const action = random.pick(item.actions)?.id ?? ""
  const card = model.cards.get(item.title)
  if (action === "start-anyway" && model.isHeld()) {
    assert.isTrue(Result.isFailure(yield* Effect.result(world.inbox.resolve(item.id, { action }))))
    return "start-anyway is refused"
  }
  if (action === "resume") model.pause(false)
  else if (card !== undefined && action === "start-anyway") model.execute(card)
  else if (card !== undefined && action === "unlink") model.unlink(card)
  else if (card !== undefined) model.dismiss(card)
  yield* world.inbox.resolve(item.id, { action })
  return `${action} ${item.title}`
})

const step = Effect.fnUntraced(function* (walk: Walk) {
  const { model, random, world } = walk
  const what = random.below(20)
  if (what < 4 || model.cards.size < 4) return yield* add(walk)
  if (what < 6 && model.minutes() < LONGEST_MIN) {
    model.pass(1)
    yield* world.pass("1 minute")
    return "pass 1"
  }
  if (what < 8) return yield* decide(walk)
  if (what === 8) {
    const limits = { total: 1 + random.below(4), perAgent: 1 + random.below(3) }
    model.limit(limits)
    yield* world.board.updateConfig({ parallel: limits })
    return `limit ${JSON.stringify(limits)}`
  }
  if (what === 9) {
    const isPaused = random.chance(0.3)
    model.pause(isPaused)
    yield* world.board.updateConfig({ parallel: { paused: isPaused } })
    return `pause ${isPaused}`
  }
  if (what === 10) {
    const isHeld = random.chance(0.3)
    model.hold(isHeld)
    world.outside.held = isHeld ? new EverythingStopped({ stop: { active: true } }) : undefined
    yield* world.bus.publish({ event: "stop.changed", data: { active: isHeld } })
    return `hold ${isHeld}`
  }
  const running = random.chance(0.6) ? random.pick(model.running()) : undefined
  const card = running ?? random.pick([...model.cards.values()])
  if (card === undefined) return "nothing"
  return yield* onCard(walk, card, card.run?.status === "running")
})

const check = Effect.fnUntraced(function* ({ ids, log, model, world }: Walk) {
  model.settle()
  yield* world.settle
  const cards = yield* world.cards
  const expected = [...model.cards.values()].map((card) => ({
    title: card.title,
    status: card.status,
    autoStart: card.autoStart,
    attempts: card.attempts,
    startAt: card.startAt,
    run: card.run?.status
  }))
  const found = expected.map(({ title }) => {
    const { attempts = 0, autoStart, run, startAt, status } = cards.get(title) ?? assert.fail(`no ${title}`)
    return { title, status, autoStart, attempts, startAt, run: run?.status }
  })
  const said = log.slice(-60).join("\n")
  assert.deepStrictEqual(found, expected, said)
  assert.strictEqual(cards.size, model.cards.size, said)
  assert.strictEqual((yield* world.board.config).parallel.paused, model.isPaused(), said)
  const blocked = (yield* world.items()).filter(({ kind, taskId }) => kind === "blocked" && taskId !== undefined)
  const lost = blocked.filter(({ actions }) => actions.some(({ id }) => id === "unlink"))
  // A dismissed item leaves no new one, and one that is open stays while any predecessor is lost.
  const isAsked = (title: string) => lost.some(({ taskId }) => taskId === ids.get(title))
  for (const title of model.lost()) assert.isTrue(isAsked(title), `${title} isn't asked about\n${said}`)
})

it.effect(
  `${WALKS} random walks start no card twice, early or never`,
  () =>
    Effect.gen(function* () {
      for (let number = 0; number < WALKS; number += 1) {
        const seed = SEED * 1_000_003 + number
        const walk = Effect.gen(function* () {
          const world = yield* flowWorldOn(yield* Layer.build(boardInMemory))
          yield* world.board.updateConfig({ reviewRequired: false })
          const random = randomFrom(seed)
          const made: Walk = {
            random,
            model: makeFlowModel(yield* Clock.currentTimeMillis),
            world,
            ids: new Map(),
            log: [`seed ${seed}`]
          }
          for (let count = 0; count < STEPS; count += 1) {
            made.log.push(yield* step(made))
            yield* check(made)
          }
          const sent = world.gateway.calls.filter(({ method }) => method === "chat.send")
          const sessions = new Set(sent.map(({ params }) => params.sessionKey))
          assert.strictEqual(sessions.size, sent.length)
        })
        yield* Effect.scoped(walk)
      }
    }),
  3_600_000
)
