import { type Signal, useConstant } from "@builder.io/qwik"
import type { Readable } from "../core/common/Observable.ts"
import { selectReadable } from "./selectReadable.ts"
import { useReadable } from "./useReadable.ts"

/** Mirrors a part of some published state into a signal, chosen in the same way for the life of the component. */
export const useSelected = <A, B>(source: Readable<A>, select: (value: A) => B): Signal<B> =>
  useReadable(useConstant(() => selectReadable(source, select)))
