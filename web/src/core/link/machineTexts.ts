import { below } from "../common/basePath.ts"
import { catalogue, pageLanguage } from "../language/say.ts"

let loaded: Promise<void> | undefined

/**
 * Loads what the checks of the console's machine, its updates and its limits say in the page's language. They are a tenth
 * of a catalogue and on no screen that most people open. Without them, those sentences stay in English.
 */
export const loadMachineTexts = (): Promise<void> => {
  loaded ??= pageLanguage === "en" ? Promise.resolve() : add(below(`/languages/machine/${pageLanguage}.js`))
  return loaded
}

const add = (address: string): Promise<void> =>
  import(/* @vite-ignore */ address).then(
    ({ default: texts }) => void Object.assign(catalogue, texts),
    () => {
      // The next screen that needs them tries again.
      loaded = undefined
    }
  )
