import { Effect, PubSub, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { filledText, list, wholeNumber } from "../../contract/schema/fields.ts"
import { Board } from "../../services/board/Board.ts"
import { AskedPart, MAX_PARTS } from "../../services/inbox/agentQuestions.ts"
import { Inbox } from "../../services/inbox/Inbox.ts"
import { EventBus } from "../../services/platform/events/EventBus.ts"
import { optionalEntry } from "../../services/platform/optionalEntry.ts"
import { Caller } from "./Caller.ts"
import { explain, ToolFailure } from "./toolFailure.ts"

/** Clients and proxies end a call that takes a minute. */
const LONGEST_WAIT_S = 50

const optional = Schema.optionalKey
const common = { failure: ToolFailure, dependencies: [Caller] }

export const AskPerson = Tool.make("ask_person", {
  ...common,
  description:
    "Ask the person who runs this console. The question waits in their inbox and on their phone; this returns its id at once. Go on with other work, and fetch the answer with get_answer.",
  parameters: Schema.Struct({
    question: optional(filledText(2_000).annotate({ description: "A single question, answered in free text." })),
    questions: optional(
      list(AskedPart, 1, MAX_PARTS).annotate({
        description: "Several questions at once, or one with options to choose from, instead of question."
      })
    ),
    taskId: optional(filledText(200).annotate({ description: "The task it's about." }))
  }),
  success: Schema.Struct({ id: Schema.String, help: Schema.String })
}).annotate(Tool.Destructive, false)

export const GetAnswer = Tool.make("get_answer", {
  ...common,
  description:
    "Fetch the answer to a question of yours. With waitSeconds, it waits that long for one. While the state is waiting, call it again later.",
  parameters: Schema.Struct({
    id: filledText(200).annotate({ description: "What ask_person returned." }),
    waitSeconds: optional(
      wholeNumber(0, LONGEST_WAIT_S).annotate({ description: `0 to ${LONGEST_WAIT_S}; 0 if omitted.` })
    )
  }),
  success: Schema.Struct({
    state: Schema.Literals(["waiting", "answered", "skipped", "expired"]),
    answers: optional(Schema.Array(Schema.Struct({ question: Schema.String, answer: Schema.Array(Schema.String) })))
  })
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

/** The person as a tool. */
export const PersonTools = Toolkit.make(AskPerson, GetAnswer)

export const PersonToolHandlers = PersonTools.toLayer(
  Effect.gen(function* () {
    const inbox = yield* Inbox
    const board = yield* Board
    const bus = yield* EventBus

    return PersonTools.of({
      ask_person: Effect.fn("ask_person")(function* ({ question, questions, taskId }) {
        if ((question === undefined) === (questions === undefined))
          return yield* Effect.fail({ error: "invalid" as const, help: "Give either question or questions." })
        if (taskId !== undefined) yield* board.get(taskId)
        const parts = questions ?? (question === undefined ? [] : [{ question }])
        const { id: asker, name } = yield* Caller
        const id = yield* inbox.ask({ parts, ...optionalEntry("taskId", taskId) }, { id: asker, name })
        return { id, help: "Fetch the answer with get_answer and this id. It can take a person hours." }
      }, explain),
      get_answer: Effect.fn("get_answer")(
        function* ({ id, waitSeconds = 0 }) {
          const { id: asker } = yield* Caller
          const ended = yield* bus.subscribe
          const now = yield* inbox.askedBy(id, asker)
          if (now.state !== "waiting" || waitSeconds === 0) return now
          yield* PubSub.take(ended).pipe(
            Effect.repeat({ until: (event) => event.event === "inbox.changed" && event.data.item.id === id }),
            Effect.timeoutOption(waitSeconds * 1_000)
          )
          return yield* inbox.askedBy(id, asker)
        },
        Effect.scoped,
        explain
      )
    })
  })
)
