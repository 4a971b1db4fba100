/** Something a person can do, by the palette, by keys, or both. */
export interface Command {
  /** Unique while registered, such as `board.new`; a later registration with the same id wins. */
  readonly id: string
  /** A verb first: "Create a task". */
  readonly label: string
  /** Heading in the palette and in the list of shortcuts: "Board". */
  readonly group: string
  /** Keys as `keys.ts` reads them: `mod+k`, `g b`, `?`. Keys of the browser are never taken. */
  readonly keys?: string
  /** The keys work in text fields, too. */
  readonly whileTyping?: boolean
  /** Words it is also found by. */
  readonly keywords?: string
  /** Whether it can be done now; always, when left out. */
  readonly when?: () => boolean
  /** Listed in the help only: its keys are handled where they are pressed. */
  readonly helpOnly?: boolean
  readonly run: () => unknown
}

/** The commands there are now: the shell's for as long as the page lives, a screen's while it is shown. */
export class CommandRegistry {
  private readonly registered = new Set<ReadonlyArray<Command>>()

  /** Adds commands until the returned function is called. */
  register(commands: ReadonlyArray<Command>): () => void {
    this.registered.add(commands)
    return () => this.registered.delete(commands)
  }

  /** What can be done now, the screen's own commands before the shell's. */
  available(): ReadonlyArray<Command> {
    const byId = new Map<string, Command>()
    for (const commands of [...this.registered].reverse())
      for (const command of commands)
        if (!byId.has(command.id) && command.when?.() !== false) byId.set(command.id, command)
    return [...byId.values()]
  }
}
