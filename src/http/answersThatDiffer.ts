import type { Schema } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Answers, ErrorAnswer } from "../contract/answers/Answers.ts"
import type { Api } from "./Api.ts"

/** A type with every key required, so that two of them are alike only when they have the same keys. */
type Whole<A> = A extends string | number | boolean | null | undefined
  ? A
  : { readonly [K in keyof A]-?: object extends Pick<A, K> ? readonly ["may be absent", Whole<A[K]>] : Whole<A[K]> }

/** Whether two types have the same keys, of the same types, in all their depth. */
export type Same<A, B> = [Whole<A>] extends [Whole<B>] ? ([Whole<B>] extends [Whole<A>] ? true : false) : false

/** What a declaration writes; files and streams of bytes are none. */
type Body<S> = S extends Schema.toCodecJson<infer Json> ? Json["Encoded"] : never

type Groups = (typeof Api)["groups"]
type Endpoint = HttpApiGroup.Endpoints<Groups[keyof Groups]>
type RequestOf<E extends Endpoint> = `${E["method"]} ${E["path"]}`

/** A request and its answer, as the server declares it. */
type Declared<E> = E extends Endpoint
  ? [Body<HttpApiEndpoint.Success<E>>] extends [never]
    ? never
    : readonly [request: RequestOf<E>, answer: Body<HttpApiEndpoint.Success<E>>]
  : never

type Differs<D> = D extends readonly [infer Request extends string, infer Answer]
  ? Request extends keyof Answers
    ? Same<Answer, Answers[Request]> extends true
      ? never
      : Request
    : never
  : never

type Undeclared = Exclude<keyof Answers, Declared<Endpoint>[0]>

type FailsOddly<E> = E extends Endpoint
  ? Body<HttpApiEndpoint.Error<E>> extends ErrorAnswer
    ? never
    : RequestOf<E>
  : never

type Disagreeing = Differs<Declared<Endpoint>> | Undeclared | FailsOddly<Endpoint>

/**
 * Stays empty: it doesn't compile while the server declares an answer otherwise than the contract's interfaces, and the
 * compiler names the requests that do. Answers whose schemas are in the contract need no comparison.
 */
export const answersThatDiffer: { readonly [Request in Disagreeing]: "differs" } = {}
