/** The session of a card's run; `count` tells its runs apart. */
export const runSession = (agentId: string, taskId: string, count: number): string =>
  `agent:${agentId}:task-${taskId}-${count}`

/** The card whose run a session is for; `undefined` for any other session. */
export const taskOfSession = (sessionKey: string): string | undefined =>
  /^agent:[^:]+:task-(.+)-\d+$/.exec(sessionKey)?.[1]
