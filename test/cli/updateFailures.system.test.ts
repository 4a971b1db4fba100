import { randomInt } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { mayMount, smallDisk } from "../support/update/smallDisk.ts"
import { finishUpdate } from "../support/update/startUpdate.ts"
import { makeUpdateHome, type UpdateHome } from "../support/update/updateHome.ts"

const FAILURES = Number(process.env.UPDATE_FAILURES ?? 8)
const SEED = Number(process.env.UPDATE_SEED ?? randomInt(2 ** 32))

/** The same numbers for the same seed, from 0 up to 1. */
const numbersFrom = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** What the process of a whole update does to the machine, one after the other. */
interface Course {
  readonly all: number
  /** From the first change of the version in place to the last. */
  readonly swap: { readonly first: number; readonly last: number }
}

interface Moment {
  readonly home: UpdateHome
  readonly number: () => number
  readonly course: Course
}

/** Makes an update fail in some way; answers how it ended and at which moment that was. */
type Failure = (moment: Moment) => Effect.Effect<{ readonly code: number | null; readonly when: string }>

const between = (number: number, first: number, last: number) => first + Math.floor(number * (last - first + 1))

const ending = (home: UpdateHome, when: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.map(finishUpdate(home, [], env), ({ code }) => ({ code, when }))

const registryIs =
  (mood: Parameters<UpdateHome["registry"]["be"]>[0]): Failure =>
  ({ home }) =>
    Effect.andThen(home.registry.be(mood), ending(home, `the registry ${mood}`))

const npmIsKilled: Failure = ({ home, number }) =>
  Effect.gen(function* () {
    const seconds = 0.1 + number()
    yield* home.registry.be("stops in the middle")
    home.programs.killOn("npm ci", seconds)
    return yield* ending(home, `npm is killed after ${seconds.toFixed(2)} s`)
  })

const buildIsKilled: Failure = ({ home, number }) =>
  Effect.gen(function* () {
    const seconds = 0.05 + number() / 2
    yield* home.registry.be("answers")
    home.programs.killOn("npm run", seconds)
    const hangs = join(home.home, "build-hangs")
    writeFileSync(hangs, "")
    const ended = yield* ending(home, `the build is killed after ${seconds.toFixed(2)} s`)
    rmSync(hangs)
    return ended
  })

const diskIsFull: Failure = ({ home }) =>
  Effect.gen(function* () {
    yield* home.registry.be("answers")
    home.programs.fillOn("npm ci", join(home.directory, ".update", "next", "filler"))
    return yield* ending(home, "the disk is full while packages are installed")
  })

const killedAt = (at: number, { home, course }: Moment) =>
  Effect.gen(function* () {
    yield* home.registry.be("answers")
    const into = join(home.home, "count")
    rmSync(into, { force: true })
    const ended = yield* ending(home, "", { KILL_AT: String(at), COUNT_INTO: into })
    const done = readFileSync(into, "utf8").trim().split("\n").at(-2) ?? "nothing"
    return { code: ended.code, when: `the update is killed at ${at} of ${course.all}, after ${done}` }
  })

const updateIsKilled: Failure = (moment) => killedAt(between(moment.number(), 1, moment.course.all), moment)

const updateIsKilledInTheSwap: Failure = (moment) =>
  killedAt(between(moment.number(), moment.course.swap.first, moment.course.swap.last + 1), moment)

const KINDS: ReadonlyArray<Failure> = [
  registryIs("is away"),
  updateIsKilledInTheSwap,
  npmIsKilled,
  updateIsKilled,
  buildIsKilled,
  updateIsKilledInTheSwap,
  registryIs("hangs up in the middle"),
  mayMount ? diskIsFull : registryIs("is away"),
  updateIsKilled,
  updateIsKilledInTheSwap
]

/** Updates once with nothing in the way, and sees what that takes. */
const courseOf = (home: UpdateHome) =>
  Effect.gen(function* () {
    const into = join(home.home, "count")
    const { code, output } = yield* finishUpdate(home, [], { COUNT_INTO: into })
    assert.strictEqual(code, exitCodes.ok, output)
    const steps = readFileSync(into, "utf8").trim().split("\n")
    const changes = steps.flatMap((step, index) => (/^(?:rename|link)Sync$/.test(step) ? [index + 1] : []))
    const course: Course = { all: steps.length, swap: { first: changes.at(0) ?? 0, last: changes.at(-1) ?? 0 } }
    return course
  })

/** Starts the console anew, as its machine would, and sees that it is whole. */
const startAnew = (home: UpdateHome) =>
  Effect.gen(function* () {
    home.programs.restart()
    // A busy machine takes long to start it; one that never starts ends the test.
    const health = Effect.repeat(home.get("/health"), {
      schedule: Schedule.spaced("50 millis"),
      until: (answer) => answer !== undefined
    })
    assert.strictEqual(yield* health, "{}")
    const version = yield* home.runningVersion
    assert.strictEqual(yield* home.get("/lazy"), version)
    return version
  })

it.live(
  `${FAILURES} failures at moments chosen by chance each leave a console that runs, and go back without a network`,
  () =>
    Effect.gen(function* () {
      console.log(`UPDATE_SEED=${SEED} UPDATE_FAILURES=${FAILURES}`)
      const number = numbersFrom(SEED)
      const disk = mayMount ? yield* smallDisk(1200) : undefined
      const home = yield* makeUpdateHome({
        realNpm: true,
        hasPackages: true,
        ...(disk === undefined ? {} : { parent: disk })
      })
      const remote = home.git("remote", "get-url", "origin")
      home.release("1.1.0")
      const course = yield* courseOf(home)
      let old = "1.1.0"
      const dotEnv = home.dotEnv()

      for (let failed = 1; failed <= FAILURES; failed++) {
        const kind = KINDS[(failed - 1) % KINDS.length] ?? registryIs("is away")
        // A version that nothing is prepared of.
        const next = `2.${failed}.0`
        home.release(next)
        rmSync(join(home.home, ".npm"), { recursive: true, force: true })
        const { code, when } = yield* kind({ home, number, course })
        const started = yield* startAnew(home)
        console.log(`${failed}. ${when}: exit ${code ?? "by SIGKILL"}, then ${started} starts`)
        assert.notStrictEqual(code, exitCodes.ok)
        // A killed update cannot go back by itself; whatever starts then is whole, and without a kill it is the old one.
        if (code !== null) assert.strictEqual(started, old)
        else assert.include([old, next], started)
        // Killed with nothing left but to record that it went well: the update stays.
        if (started === next && !existsSync(join(home.directory, ".update", "swap.json"))) old = next
        const head = home.git("rev-parse", `v${old}^{commit}`)

        // The next run makes up for it, although it comes no further without a network.
        yield* home.registry.be("is away")
        home.git("remote", "set-url", "origin", "http://127.0.0.1:1/owner/name.git")
        const offline = yield* finishUpdate(home)
        assert.strictEqual(offline.code, exitCodes.updateResolution, offline.output)
        assert.strictEqual(yield* startAnew(home), old, offline.output)
        assert.strictEqual(home.git("rev-parse", "HEAD"), head)
        assert.strictEqual(home.git("status", "--porcelain"), "")
        assert.deepStrictEqual(home.dotEnv(), dotEnv)
        home.git("remote", "set-url", "origin", remote)

        if (failed % 5 !== 0 && failed !== FAILURES) continue
        yield* home.registry.be("answers")
        const ran = yield* finishUpdate(home)
        assert.strictEqual(ran.code, exitCodes.ok, ran.output)
        assert.strictEqual(yield* startAnew(home), next)
        if (failed < FAILURES) old = next
      }

      yield* home.registry.be("is away")
      rmSync(join(home.home, ".npm"), { recursive: true, force: true })
      const back = yield* finishUpdate(home, ["rollback"])
      assert.strictEqual(back.code, exitCodes.ok, back.output)
      assert.strictEqual(yield* startAnew(home), old)
      assert.isFalse(existsSync(join(home.directory, ".update", "next")))
    }),
  600_000
)
