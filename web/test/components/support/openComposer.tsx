import { $, component$, useConstant } from "@builder.io/qwik"
import { assert } from "@effect/vitest"
import { useServices } from "../../../src/base/AppContext.ts"
import { Composer } from "../../../src/chat/Composer.tsx"
import { type Asked, openPage, type PageOptions, until } from "./openPage.tsx"

export const SESSION = "agent:main:main"

const OnlyComposer = component$(() => {
  const { client } = useServices()
  const chat = useConstant(() => client.chat(SESSION))
  return <Composer isNew={false} chat={chat} sessionKey={SESSION} onStop$={$(() => {})} />
})

/** The composer of the main session, with a console that takes every message and draft. */
export const openComposer = async (options: PageOptions = {}) => {
  const page = await openPage({
    part: OnlyComposer,
    ...options,
    answers: {
      "GET /api/outbox": () => ({ items: [] }),
      "POST /api/outbox": ({ body }: Asked) => ({ ...body, state: "waiting" }),
      "GET /api/drafts": () => ({ draft: null }),
      "PUT /api/drafts": () => ({ updatedAt: 1 }),
      ...options.answers
    }
  })
  const area = await page.find("#composer")
  assert.instanceOf(area, HTMLTextAreaElement)
  await until(() => page.screen.querySelector(".composer-box [role=status]") !== null)
  area.focus()
  return {
    ...page,
    area,
    type: (text: string) => page.write("#composer", text),
    /** The messages that the console was given, as their words and how many pictures. */
    sent: () =>
      page.asked
        .filter(({ request }) => request === "POST /api/outbox")
        .map(({ body }) => [body.text, Array.isArray(body.attachments) ? body.attachments.length : 0]),
    /** The drafts that the console was given. */
    saved: () => page.asked.filter(({ request }) => request === "PUT /api/drafts").map(({ body }) => body.text)
  }
}
