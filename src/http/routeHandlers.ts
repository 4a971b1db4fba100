import { Context, Effect, Function, Layer, Scope } from "effect"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"

type Of<A> = A extends HttpApi.HttpApi<infer Id, infer Groups> ? { readonly id: Id; readonly groups: Groups } : never
type ApiId = Of<typeof Api>["id"]
type Groups = Of<typeof Api>["groups"]

/** The same with its services, which a declared type can't tell. */
const given = <Built>(built: Built, services: Context.Context<never>): Built =>
  Effect.isEffect(built) ? Function.cast(Effect.provideContext(built, services)) : built

interface Buildable<A, E> {
  readonly build: (memoMap: Layer.MemoMap, scope: Scope.Scope) => Effect.Effect<Context.Context<A>, E>
}

/**
 * Builds a layer with nothing in its context but the scope. `Layer.build` would add what it has built so far, and one
 * service that isn't in a request's context is enough for each request to copy that: a tenth of a small answer.
 */
const buildAlone = <A, E>(layer: Layer.Layer<A, E>, scope: Scope.Scope): Effect.Effect<Context.Context<A>, E> =>
  Function.cast<Layer.Layer<A, E>, Buildable<A, E>>(layer)
    .build(Layer.makeMemoMapUnsafe(), scope)
    .pipe(Effect.updateContext(() => Context.empty()))

/**
 * The handlers of one group of routes, which take their services when they are made. `HttpApiBuilder.group` alone
 * would copy every service of the console into the context of each request: a fifth of what a request allocated.
 */
export const routeHandlers = <const Id extends HttpApiGroup.Identifier<Groups>, Built>(
  id: Id,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Id>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Built>
): Layer.Layer<
  HttpApiGroup.Service<ApiId, Id>,
  HttpApiBuilder.Handlers.Error<Built>,
  Exclude<HttpApiBuilder.Handlers.Context<Built>, Scope.Scope>
> =>
  Layer.effectContext(
    Effect.contextWith((services: Context.Context<Scope.Scope>) => {
      const group = HttpApiBuilder.group<ApiId, Groups, Id, Built>(Api, id, (handlers) =>
        given(build(handlers), services)
      )
      const complete: Layer.Layer<
        HttpApiGroup.Service<ApiId, Id>,
        HttpApiBuilder.Handlers.Error<Built>
      > = Function.cast(group)
      return buildAlone(complete, Context.get(services, Scope.Scope))
    })
  )
