import { Schema } from "effect"
import { MAX_PATTERN_NAME } from "../board.ts"
import { failure } from "../failures.ts"
import { body, epochMillis, filledText, flag, maybe, required } from "./fields.ts"
import { Zone } from "./push.ts"
import { isRoutineCron } from "./routineTimes.ts"
import { Version } from "./task.ts"
import { CreateTask } from "./taskInputs.ts"

/** Most routines a board keeps. */
export const MAX_ROUTINES = 200

const Name = filledText(MAX_PATTERN_NAME)

const CronExpression = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter(isRoutineCron, failure("MUST_BE_A_FIVE_FIELD_CRON"))
)

// The board says who made a card of a routine.
const { createdBy: _createdBy, sourceSessionKey: _sourceSessionKey, ...cardFields } = CreateTask.fields

/** What a routine's cards are created from; `{date}` and `{n}` in the title are filled in. */
export const RoutineTask = body(cardFields)
export type RoutineTask = typeof RoutineTask.Type

/** The server's zone if there's none. */
const Schedule = body({ cron: required(CronExpression), zone: maybe(Zone) })

/** A card that comes again at the times of a schedule. */
export const Routine = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  schedule: Schema.Struct({ cron: Schema.String, zone: Schema.String }),
  task: RoutineTask,
  enabled: flag,
  /** Makes no card while the last one is neither done nor cancelled. */
  skipWhileOpen: flag,
  /** The next time; absent while it's disabled. */
  nextAt: Schema.optionalKey(epochMillis),
  /** The last time that made a card. */
  lastAt: Schema.optionalKey(epochMillis),
  /** The last card, also one that was made by hand. */
  lastTaskId: Schema.optionalKey(Schema.String),
  version: Version
}).annotate({ identifier: "Routine" })
export type Routine = typeof Routine.Type

/** Body of `POST /api/kanban/routines`. */
export const CreateRoutine = body({
  name: required(Name),
  schedule: required(Schedule),
  task: required(RoutineTask),
  enabled: maybe(flag),
  skipWhileOpen: maybe(flag)
})
export type CreateRoutine = typeof CreateRoutine.Type

/** Body of `PATCH /api/kanban/routines/:id`: absent fields stay, also the zone; a `task` replaces the whole one. */
export const PatchRoutine = body({
  version: required(Version),
  name: maybe(Name),
  schedule: maybe(Schedule),
  task: maybe(RoutineTask),
  enabled: maybe(flag),
  skipWhileOpen: maybe(flag)
})
export type PatchRoutine = typeof PatchRoutine.Type
