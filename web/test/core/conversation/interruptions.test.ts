import { assert, describe, it } from "@effect/vitest"
import { Talk } from "../support/Talk.ts"
import { assistant, call, said, toolResult, user } from "../support/turnFrames.ts"

const RESTARTED = "error: The gateway restarted before the agent finished its response."

/** How far a turn had come when something came between. */
const MOMENTS = ["asked", "speaking", "using a tool", "speaking, and a message waits"] as const
type Moment = (typeof MOMENTS)[number]

interface Turn {
  readonly id: string
  /** What the gateway has stored of the turn so far, and of all of it. */
  readonly stored: ReadonlyArray<object>
  readonly whole: ReadonlyArray<object>
}

function bring(talk: Talk, moment: Moment): Turn {
  talk.history([], false)
  const id = talk.say("go")
  const run = talk.protocol >= 4 ? id : undefined
  const question = user("go", 10_000, run, "q")
  const turn = talk.turn(id)
  turn.start()
  if (moment === "asked") return { id, stored: [question], whole: [question, assistant([said("whole")], 10_010, run)] }
  turn.text("half", "half")
  if (moment !== "using a tool") {
    if (moment !== "speaking") {
      talk.write("next")
      talk.take("waiting")
    }
    return { id, stored: [question], whole: [question, assistant([said("half of it, and whole")], 10_010, run)] }
  }
  turn.tool("start", "c1", { args: {} })
  const stored = [question, assistant([said("half"), call("c1")], 10_010, run, { stopReason: "toolUse" })]
  return {
    id,
    stored,
    whole: [...stored, toolResult("c1", "ok", 10_020, run), assistant([said("whole")], 10_030, run)]
  }
}

interface Interruption {
  readonly name: string
  readonly happens: (talk: Talk, turn: Turn) => void
  readonly running: boolean
  readonly shown: Readonly<Record<Moment, ReadonlyArray<string>>>
}

const reconnect = (talk: Talk, startedAt: number | null = null) => {
  talk.disconnect()
  talk.connect(startedAt)
}

const HALF = ["user: go", "assistant…: half"]
/** What waits at the console has nothing to do with it. */
const ONLY_HELD = {
  asked: [],
  speaking: [],
  "using a tool": [],
  "speaking, and a message waits": ["user(sending): next"]
}

const TABLE: ReadonlyArray<Interruption> = [
  {
    name: "the link breaks, and the turn goes on",
    happens: (talk, { stored }) => {
      reconnect(talk)
      talk.history(stored, true)
    },
    running: true,
    shown: {
      asked: ["user: go"],
      speaking: HALF,
      "using a tool": ["user: go", "assistant: half", "tool exec running: "],
      "speaking, and a message waits": [...HALF, "user(held): next"]
    }
  },
  {
    name: "the link breaks, and the turn ends meanwhile",
    happens: (talk, { whole }) => {
      reconnect(talk)
      talk.history(whole, false)
    },
    running: false,
    shown: {
      asked: ["user: go", "assistant: whole"],
      speaking: ["user: go", "assistant: half of it, and whole"],
      "using a tool": ["user: go", "assistant: half", "tool exec done: ok", "assistant: whole"],
      "speaking, and a message waits": ["user: go", "assistant: half of it, and whole", "user(sending): next"]
    }
  },
  {
    name: "events are missed, and the end of the turn with them",
    happens: (talk, { whole }) => {
      talk.happen({ type: "gap" })
      talk.elapse("read")
      talk.history(whole, false)
    },
    running: false,
    shown: {
      asked: ["user: go", "assistant: whole"],
      speaking: ["user: go", "assistant: half of it, and whole"],
      "using a tool": ["user: go", "assistant: half", "tool exec done: ok", "assistant: whole"],
      "speaking, and a message waits": ["user: go", "assistant: half of it, and whole", "user(sending): next"]
    }
  },
  {
    name: "the history cannot be read at first, and then it has the end",
    happens: (talk, { whole }) => {
      reconnect(talk)
      talk.happen({ type: "pageFailed", plan: talk.last("read").plan, failure: { message: "Busy." } })
      assert.strictEqual(talk.timer("read"), 1_000)
      talk.elapse("read")
      talk.history(whole, false)
    },
    running: false,
    shown: {
      asked: ["user: go", "assistant: whole"],
      speaking: ["user: go", "assistant: half of it, and whole"],
      "using a tool": ["user: go", "assistant: half", "tool exec done: ok", "assistant: whole"],
      "speaking, and a message waits": ["user: go", "assistant: half of it, and whole", "user(sending): next"]
    }
  },
  {
    name: "the gateway restarts and keeps what it had stored",
    happens: (talk, { stored }) => {
      reconnect(talk, talk.now + 1)
      talk.history(stored, false, { isCut: talk.protocol < 4 })
    },
    running: false,
    shown: {
      asked: ["user: go", RESTARTED],
      speaking: ["user: go", "assistant: half", RESTARTED],
      "using a tool": ["user: go", "assistant: half", "tool exec aborted: ", RESTARTED],
      "speaking, and a message waits": ["user: go", "assistant: half", RESTARTED, "user(sending): next"]
    }
  },
  {
    name: "the gateway restarts and takes the turn up again under another run",
    happens: (talk, { stored }) => {
      reconnect(talk, talk.now + 1)
      talk.turn("again", 20_000).start()
      talk.turn("again", 20_000).text("where was I", "where was I")
      talk.history(stored, true)
    },
    running: true,
    shown: {
      asked: ["user: go", RESTARTED, "assistant…: where was I"],
      speaking: ["user: go", "assistant: half", RESTARTED, "assistant…: where was I"],
      "using a tool": ["user: go", "assistant: half", "tool exec aborted: ", RESTARTED, "assistant…: where was I"],
      "speaking, and a message waits": [
        "user: go",
        "assistant: half",
        RESTARTED,
        "assistant…: where was I",
        "user(held): next"
      ]
    }
  },
  {
    name: "the gateway restarts without memory",
    happens: (talk) => {
      reconnect(talk)
      talk.history([], false)
    },
    running: false,
    shown: ONLY_HELD
  },
  {
    name: "the session is emptied elsewhere",
    happens: (talk) => {
      talk.event("sessions.changed", { reason: "reset" })
      talk.elapse("read")
      talk.history([], false)
    },
    running: false,
    shown: ONLY_HELD
  }
]

describe.each([3, 4])("what interruptions leave on the screen, protocol %i", (protocol) => {
  describe.each(TABLE)("$name", ({ happens, running, shown }) => {
    it.each(MOMENTS)("when the turn was: %s", (moment) => {
      const talk = new Talk(protocol)
      happens(talk, bring(talk, moment))
      assert.deepStrictEqual(talk.shown, shown[moment])
      assert.strictEqual(talk.screen.running, running)
      const keys = talk.screen.items.map(({ key }) => key)
      assert.strictEqual(new Set(keys).size, keys.length, "keys are unique")
    })
  })
})
