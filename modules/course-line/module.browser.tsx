import { presentModule } from '../../core/module/present.tsx'
import { courseLineFinders, courseLineScreens } from '../offer/door.tsx'
import door, { PLAIN_LINES } from './module.ts'

/** What follows from the row of a line. */
async function load(code: string) {
  const { courseLines } = await import('./lines.ts')
  const found = courseLines.find(({ line }) => line.code === code)
  if (!found) throw new Error(`there is no line ${code}`)
  return found
}

const loaderOf = (code: string) => () => load(code)

export default presentModule(door)(Object.assign({}, ...PLAIN_LINES.map((line) => courseLineScreens(line, loaderOf(line.code)))), {
  finders: PLAIN_LINES.flatMap((line) => courseLineFinders(line, loaderOf(line.code))),
})
