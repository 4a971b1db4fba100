import { get } from "node:http"

/** The body that a server on this machine answers with, over a connection of its own. */
export const answerOf = (port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve(text))
    }).on("error", reject)
  })
