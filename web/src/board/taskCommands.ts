import { isRunning, type Task } from "../core/board/boardTypes.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"

interface TaskDeeds {
  readonly isDirty: () => boolean
  readonly save: () => unknown
  readonly discard: () => unknown
  readonly remove: () => unknown
}

const GROUP = say("This card")

/** What can be done with the card that is shown; it's approved where its result is read. */
export const taskCommands = ({ title }: Task, deeds: TaskDeeds): ReadonlyArray<Command> => {
  const card = quotedTitle(title)
  return [
    {
      id: "task.save",
      label: say("Save {name}", { name: card }),
      group: GROUP,
      when: deeds.isDirty,
      run: deeds.save
    },
    {
      id: "task.discard",
      label: say("Discard the changes to {name}", { name: card }),
      group: GROUP,
      when: deeds.isDirty,
      run: deeds.discard
    },
    { id: "task.delete", label: say("Delete {name}", { name: card }), group: GROUP, run: deeds.remove }
  ]
}

interface RunDeeds {
  /** The agent would see everything that was typed. */
  readonly isSaved: () => boolean
  readonly run: () => unknown
  readonly stop: () => unknown
}

/** Starting and stopping the agent's work on the card that is shown. */
export const runCommands = (task: Task, { isSaved, run, stop }: RunDeeds): ReadonlyArray<Command> => {
  const card = quotedTitle(task.title)
  return [
    {
      id: "task.run",
      label: say("Start the agent on {name}", { name: card }),
      group: GROUP,
      keywords: "run execute again",
      when: () => (task.status === "todo" || task.status === "backlog") && isSaved(),
      run
    },
    {
      id: "task.stop",
      label: say("Stop the agent on {name}", { name: card }),
      group: GROUP,
      keywords: "abort cancel",
      when: () => isRunning(task),
      run: stop
    }
  ]
}
