import type { AgentRight } from "../../contract/answers/AgentAnswers.ts"

/** The rights of which a tool needs one. */
const TOOL_RIGHTS: Readonly<Record<string, ReadonlyArray<AgentRight>>> = {
  list_tasks: ["read"],
  get_task: ["read"],
  create_task: ["write", "propose"],
  update_task: ["write", "propose"],
  move_task: ["write", "propose"],
  propose: ["propose", "write"],
  claim_task: ["write"],
  complete_task: ["write"],
  comment_task: ["write"],
  ask_person: ["ask"],
  get_answer: ["ask"],
  search: ["search"]
}

/** The rights of which a tool needs one, by its name, or a resource, by its address: those are for reading. */
export const rightsFor = (target: string): ReadonlyArray<AgentRight> =>
  (Object.hasOwn(TOOL_RIGHTS, target) ? TOOL_RIGHTS[target] : undefined) ?? ["read"]

/** Whether one of the rights is enough. */
export const mayUse = (held: ReadonlyArray<AgentRight>, target: string): boolean =>
  rightsFor(target).some((right) => held.includes(right))
