/** Whether the gateway takes a message as a command, which it answers itself. */
export const isCommand = (text: string, attachments: number): boolean => /^\s*\//.test(text) && attachments === 0

/** Whether a command is about the running response, which would otherwise wait for it: stopping it or answering its request. */
export const isForResponse = (text: string): boolean => /^\s*\/(stop\s*$|approve\s)/i.test(text)

/** Whether the gateway takes a text, however it goes on, as the command to clear the session. */
export const clearsSession = (text: string): boolean => /^\s*\/(new|reset)(?=[\s:]|$)/i.test(text)
