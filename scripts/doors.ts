import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** The files by which modules use each other in the browser (ADR 13). */
const DOOR = /[\\/]modules[\\/][^\\/]+[\\/](?:module\.ts|door\.tsx)$/
/** What a door passes on of another file, on a line of its own. */
const PASSED = /^export (?:type )?\{ ([^}]*) \} from '([^']+)'$/gm
/** What a file takes of a door. */
const TAKEN = /^import \{ ([^}]*) \} from '([^']*\/(?:module\.ts|door\.tsx))'$/gm
/** Marks what a door itself says, without what it passes on. */
const OWN = '?own'

const namesIn = (list: string) => list.split(', ').filter((name) => !name.startsWith('type '))

/** Where each name that a door passes on comes from, and what it is called there. */
function passedBy(door: string): Map<string, { file: string; name: string }> {
  const found = new Map<string, { file: string; name: string }>()
  for (const [statement, list = '', source = ''] of readFileSync(door, 'utf8').matchAll(PASSED)) {
    if (statement.startsWith('export type')) continue
    for (const one of namesIn(list)) {
      const [name = one, shown = name] = one.split(' as ')
      found.set(shown, { file: join(dirname(door), source), name })
    }
  }
  return found
}

/**
 * Lets the built console fetch of a door only what is taken: the bundler would count all that a door passes on among the first
 * files as soon as one of them takes anything, be it the module's name. Whoever takes a name gets it from the file that has it.
 */
export function lightDoors(): Plugin {
  return {
    name: 'light-doors',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      const own = id.endsWith(OWN)
      const file = own ? id.slice(0, -OWN.length) : id
      if (!/[\\/](?:core|modules)[\\/].*\.tsx?$|main\.tsx$/.test(file) || file.includes('node_modules')) return undefined
      if (DOOR.test(file) && !own) {
        const all = code.match(PASSED) ?? []
        const whole = /^export default /m.test(code) ? [`export { default } from '${file}${OWN}'`] : []
        return { code: [`export * from '${file}${OWN}'`, ...whole, ...all].join('\n'), map: null }
      }
      const left = own ? code.replaceAll(PASSED, '') : code
      const light = left.replaceAll(TAKEN, (statement: string, list: string, source: string) => {
        const door = join(dirname(file), source)
        if (!DOOR.test(door) || !existsSync(door)) return statement
        const passed = passedBy(door)
        return namesIn(list).map((one) => {
          const [name = one, here = name] = one.split(' as ')
          const from = passed.get(name)
          return `import { ${from?.name ?? name} as ${here} } from '${from?.file ?? `${door}${OWN}`}'`
        }).join('; ')
      }).replaceAll(/^import (\w+) from '(\.[^']*\/module\.ts)'$/gm, (_statement: string, name: string, source: string) => `import ${name} from '${join(dirname(file), source)}${OWN}'`)
      return light === code ? undefined : { code: light, map: null }
    },
  }
}
