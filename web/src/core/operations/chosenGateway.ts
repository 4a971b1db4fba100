import { createObservable } from "../common/Observable.ts"

/** The gateway that was chosen last in Operations on this page; empty for none. */
export const chosenGateway = createObservable("")
