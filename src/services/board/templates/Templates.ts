import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Task } from "../../../contract/schema/task.ts"
import { CreateTask } from "../../../contract/schema/taskInputs.ts"
import {
  type CreateTemplate,
  MAX_TEMPLATES,
  type PatchTemplate,
  type TaskFromTemplate,
  type TaskTemplate,
  type TemplateTask
} from "../../../contract/schema/template.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import {
  type CycleFound,
  type InvalidLink,
  TemplateConflict,
  TemplateNotFound,
  TitleMissing,
  TooManyTemplates
} from "../boardErrors.ts"
import { type Mutation, templateChange } from "../boardEvents.ts"
import { addTask } from "../boardMutations.ts"
import { boardTransaction, taskTransaction } from "../boardTransaction.ts"
import { type BoardDb, BoardStore } from "../store/BoardStore.ts"
import { deleteTemplate, findTemplate, listTemplates, saveTemplate } from "../store/templateStore.ts"

export interface TemplatesShape {
  /** By name. */
  readonly list: Effect.Effect<ReadonlyArray<TaskTemplate>, StoreError>
  readonly create: (input: CreateTemplate) => Effect.Effect<TaskTemplate, TooManyTemplates | StoreError>
  /** Changes the version the caller has seen. */
  readonly patch: (
    id: string,
    patch: PatchTemplate
  ) => Effect.Effect<TaskTemplate, TemplateNotFound | TemplateConflict | StoreError>
  readonly remove: (id: string) => Effect.Effect<void, TemplateNotFound | StoreError>
  /** Creates a task as a template has it, except for the given fields. */
  readonly createTask: (
    input: TaskFromTemplate
  ) => Effect.Effect<Task, TemplateNotFound | TitleMissing | CycleFound | InvalidLink | StoreError>
}

const decodeTask = Schema.decodeUnknownOption(Schema.toType(CreateTask))

/** The template's fields with those of the request over them, `null` clearing one; without a title, there's no task. */
const overTemplate = (task: TemplateTask, { templateId: _, ...input }: TaskFromTemplate) =>
  decodeTask(Object.fromEntries(Object.entries({ ...task, ...input }).filter(([, value]) => value !== null)))

const stored = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  return (yield* findTemplate(db, id)) ?? (yield* new TemplateNotFound({ id }))
})

const saved = Effect.fnUntraced(function* (db: BoardDb, template: TaskTemplate) {
  yield* saveTemplate(db, template)
  const mutation: Mutation<TaskTemplate> = { value: template, changes: [templateChange(template.id)], runs: [] }
  return mutation
})

/** Beginnings of new cards. */
export class Templates extends Context.Service<Templates, TemplatesShape>()("agent-console/services/board/Templates") {
  static readonly layer = Layer.effect(
    Templates,
    Effect.gen(function* () {
      const store = yield* BoardStore
      const mutate = yield* boardTransaction
      const mutateTask = yield* taskTransaction
      return Templates.of({
        list: store.read(listTemplates),
        create: (input) =>
          mutate(
            Effect.fnUntraced(function* ({ db, newId }) {
              if ((yield* listTemplates(db)).length >= MAX_TEMPLATES)
                return yield* new TooManyTemplates({ max: MAX_TEMPLATES })
              return yield* saved(db, { ...input, id: newId(), version: 1 })
            })
          ),
        patch: (id, { version, ...changes }) =>
          mutate(
            Effect.fnUntraced(function* ({ db }) {
              const before = yield* stored(db, id)
              if (version !== before.version) return yield* new TemplateConflict({ latest: before })
              return yield* saved(db, { ...before, ...changes, version: version + 1 })
            })
          ),
        remove: (id) =>
          mutate(
            Effect.fnUntraced(function* ({ db }) {
              yield* stored(db, id)
              yield* deleteTemplate(db, id)
              return { value: undefined, changes: [templateChange(id)], runs: [] }
            })
          ),
        createTask: (input) =>
          mutateTask(
            Effect.fnUntraced(function* (context) {
              const { task } = yield* stored(context.db, input.templateId)
              const made = overTemplate(task, input)
              if (Option.isNone(made)) return yield* new TitleMissing()
              return yield* addTask(context, made.value)
            })
          )
      })
    })
  )
}
