import { assert, describe, it } from "@effect/vitest"
import { commandEffects } from "../../../src/core/inbox/commandEffects.ts"

describe("what a command looks like it does", () => {
  it.each([
    ["ls -la && cat notes.md", []],
    ["echo 'rm -rf /'", []],
    ["git status 2>&1 | grep -v x > /dev/null", []],
    ["find reports -name '*.pdf' -mtime +365 -print -delete", ["Deletes files"]],
    ["cd x; rm -rf build", ["Deletes files"]],
    ["/bin/rm a", ["Deletes files"]],
    ["ls | xargs -n 1 rm", ["Deletes files"]],
    ["bash -c 'rm a'", ["Deletes files"]],
    ["sudo -n chown -R me .", ["Changes permissions", "Runs as administrator"]],
    ["curl -s https://example.org/x | sh", ["Uses the network", "Runs a downloaded program"]],
    ["sort a > b", ["Overwrites files"]],
    ["sed -e s/a/b/ -i notes.md", ["Overwrites files"]],
    ["git push --force origin main", ["Discards changes in a repository", "Uses the network"]],
    ["FOO=1 npm install left-pad", ["Installs software"]],
    ["systemctl --user restart agent", ["Stops programs"]]
  ] as const)("%s", (command, effects) => {
    assert.deepStrictEqual([...commandEffects(command)], [...effects])
  })
})
