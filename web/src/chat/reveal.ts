import { Observable } from "../core/common/Observable.ts"

/** The item a log should bring into view; a new object for every request. */
export const revealed = new Observable<{ readonly key: string } | null>(null)
