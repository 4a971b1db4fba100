import { assert, beforeAll, describe, it } from "@effect/vitest"
import { startMockModel } from "../../../scripts/gateway/mockModel.ts"

describe("the scripted model's server", () => {
  let url = ""
  beforeAll(async () => {
    const model = await startMockModel()
    url = model.url
    return model.close
  })

  const ask = (content: string, fields: object = {}, signal: AbortSignal | null = null) =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      signal,
      body: JSON.stringify({ model: "mock-fast", messages: [{ role: "user", content }], ...fields })
    })

  /** The chunks of a streamed answer, which ends with the word that says so. */
  const streamed = async (content: string, fields: object = {}) => {
    const answer = await ask(content, { stream: true, ...fields })
    assert.strictEqual(answer.headers.get("content-type"), "text/event-stream")
    const events = (await answer.text()).split("\n\n").filter((event) => event !== "")
    assert.isTrue(events.every((event) => event.startsWith("data: ")))
    assert.strictEqual(events.at(-1), "data: [DONE]")
    return events.slice(0, -1).map((event) => JSON.parse(event.slice("data: ".length)))
  }

  const jsonOf = async (answer: Response) => JSON.parse(await answer.text())

  it("listens on loopback", () => assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/))

  it("streams an answer in pieces, then why it ended and what it used", async () => {
    const chunks = await streamed("[[mock:think=hm]][[mock:text=one two]][[mock:chunks=2]][[mock:usage=9,8,7]]")
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }: { readonly delta: object }) => delta))
    assert.deepStrictEqual(deltas, [
      { role: "assistant", content: "" },
      { reasoning_content: "h" },
      { reasoning_content: "m" },
      { content: "one " },
      { content: "two" },
      {}
    ])
    assert.strictEqual(chunks.at(-2).choices[0].finish_reason, "stop")
    assert.deepStrictEqual(chunks.at(-1).usage, {
      prompt_tokens: 9,
      completion_tokens: 8,
      total_tokens: 17,
      prompt_tokens_details: { cached_tokens: 7 }
    })
  })

  it("streams a call of a tool", async () => {
    const chunks = await streamed('[[mock:tool=exec {"command":"date"}]]', { tools: [{ function: { name: "exec" } }] })
    const [call] = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    assert.deepInclude(call, {
      index: 0,
      type: "function",
      function: { name: "exec", arguments: '{"command":"date"}' }
    })
    assert.strictEqual(chunks.at(-2).choices[0].finish_reason, "tool_calls")
  })

  it("answers at once where no stream is wanted, and fails as ordered", async () => {
    const answer = await jsonOf(await ask("hello"))
    assert.strictEqual(answer.choices[0].message.content, "echo: hello")
    const failed = await ask("[[mock:error=429]]", { stream: true })
    assert.strictEqual(failed.status, 429)
    assert.strictEqual((await jsonOf(failed)).error.message, "mock error 429")
  })

  it("is silent after the first piece until the reader goes, and serves others meanwhile", async () => {
    const reader = new AbortController()
    const answer = await ask("[[mock:text=never ends]][[mock:hang]]", { stream: true }, reader.signal)
    const body = answer.body?.getReader()
    const decoder = new TextDecoder()
    let seen = ""
    while (!seen.includes('"ne"')) seen += decoder.decode((await body?.read())?.value, { stream: true })
    const next = body?.read().then(
      () => "more",
      () => "gone"
    )
    assert.strictEqual((await jsonOf(await ask("hello"))).choices[0].message.content, "echo: hello")
    reader.abort()
    assert.strictEqual(await next, "gone")
  })

  it("shows what it was asked, lists its models and refuses the rest", async () => {
    await ask("remember me")
    const requests = await jsonOf(await fetch(`${url}/requests`))
    assert.strictEqual(requests.at(-1).messages[0].content, "remember me")
    const { data } = await jsonOf(await fetch(`${url}/v1/models`))
    assert.deepStrictEqual(
      data.map(({ id }: { readonly id: string }) => id),
      ["mock-fast", "mock-think"]
    )
    assert.strictEqual((await fetch(`${url}/v1/nothing`)).status, 404)
    const broken = await fetch(`${url}/v1/chat/completions`, { method: "POST", body: "{" })
    assert.strictEqual(broken.status, 400)
  })
})
